import { setTimeout as pause } from 'node:timers/promises';
import { type CoinList, coinListFile, readStoredCoinList, storeCoinList } from './client/coin-list-cache.ts';
import type { ProxyServer } from './client/proxy.ts';
import { repeatNotice, requestLine } from './client/request-log.ts';
import type { Context, GlobalFlags, ProcessIo } from './context.ts';
import { attempt, attemptSync, SwapctlError } from './errors.ts';
import { answerCounter } from './ledger/answers.ts';
import { ownerOf } from './ledger/entry.ts';
import type { Ledger } from './ledger/ledger.ts';
import { actorOf, refuseDebugOutput } from './settings/environment.ts';
import { resolvePaths } from './settings/paths.ts';
import { credentialsOf, type RemoteProfile } from './settings/profile.ts';
import { createSettings, type Settings } from './settings/settings.ts';
import { COLOR_CHOICES } from './settings/stored-settings.ts';
import type { Service } from './swaps/ports.ts';
import type { ColourChoice } from './terminal/environment.ts';
import type { Prompter } from './terminal/questions.ts';
import { createStreams } from './terminal/streams.ts';
import { counted } from './text.ts';

const REQUEST_TIMEOUT_MS = 30_000;

/** Builds the context of one run; nothing is loaded, opened or started before it is asked for. */
export function createContext(parts: ProcessIo, flags: GlobalFlags): Context {
  const { env, signal } = parts;
  const paths = resolvePaths(env, parts.platform);
  const closers: (() => Promise<void>)[] = [];
  const now = parts.now ?? Date.now;
  const monotonic = parts.monotonic ?? parts.now ?? sinceBoot;
  const started = monotonic();
  const once = <T>(make: () => Promise<T>) => memoized(make, monotonic);
  const settings = createSettings(env, paths, flags, signal);
  const streams = createStreams(
    parts.streams,
    env,
    flags,
    () => storedColour(settings),
    (network) => storedExplorer(settings, network),
  );
  const prompter = timed(async () => {
    if (parts.prompter !== undefined) return parts.prompter;
    const { createPrompter } = await import('./terminal/prompter.ts');
    return createPrompter(parts.streams, signal, streams);
  }, monotonic);
  let coinList: CoinList | null = null;
  let program: string | null = null;
  let openedLedger: Ledger | null = null;
  // A command that needs no ledger does not open one for them, and must neither fail nor wait because they cannot be
  // written.
  const answers = answerCounter(async (account, counts) => {
    await attempt(async () => openedLedger?.health.addAnswers(account, counts, now()));
  }, monotonic);
  const context: Context = {
    streams,
    prompter,
    settings,
    flags: { ...flags, debug: flags.debug === true || env['SWAPCTL_DEBUG'] === '1' },
    signal,
    now,
    monotonic,
    deadline: () => started + (flags.timeout ?? Number.POSITIVE_INFINITY) + prompter.thinkingMs(),
    sleep: parts.sleep ?? ((milliseconds, stopped) => sleepUntilSignal(milliseconds, signal, stopped)),
    random: Math.random,
    notify: async ({ level, text }) => {
      if (level === 'warning') await streams.warn(text);
      else if (level === 'note') streams.note(text, true);
      else if (context.flags.debug === true) streams.note(`debug: ${text}`, true);
    },
    profile: once(async () => {
      const profile = await context.settings.profile();
      const trimmed = profile.kind === 'remote' ? (profile.trimmed ?? []) : [];
      for (const what of trimmed) streams.note(`Removed spaces around the ${what}.`, true);
      return profile;
    }),
    owner: once(async () => ownerOf(await context.profile())),
    service: once(async () => context.serviceFor(await context.profile())),
    serviceFor: async (profile, { finishes } = { finishes: false }) => {
      refuseDebugOutput(env);
      const place =
        profile.kind === 'remote' ? await remotePlace(profile, settings, env) : await builtInPlace();
      if (place.proxy !== null)
        await context.notify({
          level: 'debug',
          text: `through the proxy ${place.proxy.host} of ${place.proxy.variable}`,
        });
      const { createClient } = await import('./client/client.ts');
      const client = createClient({
        baseUrl: place.baseUrl,
        credentials: place.credentials,
        proxy: place.proxy,
        timeoutMs: Math.min(flags.timeout ?? REQUEST_TIMEOUT_MS, REQUEST_TIMEOUT_MS),
        get deadline() {
          return context.deadline();
        },
        ...(finishes ? {} : { signal }),
        now,
        monotonic,
        sleep: context.sleep,
        random: context.random,
        onRequest: (sent) => {
          void context.notify({ level: 'debug', text: requestLine(sent) });
          if (profile.kind === 'remote') void answers.add(ownerOf(profile).account, sent.path, sent.status);
        },
        onRepeat: (error, delay) => context.notify({ level: 'debug', text: repeatNotice(error, delay) }),
      });
      return { ...place, client, profile: profile.name, environment: profile.environment };
    },
    coinList: async (refresh = false) => {
      if (refresh || coinList === null) coinList = await loadCoinList(context, refresh, parts.processId);
      return coinList;
    },
    storedCoins: async () =>
      (await storedCoinLists(context))?.read(context.now(), Number.POSITIVE_INFINITY)?.coins ?? [],
    proxyFor: (url) => proxyOf(url, env),
    pairCoins: async (from, to) => {
      const stored = (await storedCoinLists(context))?.read(context.now()) ?? null;
      if (stored !== null) return stored.coins;
      const { client } = await context.service();
      const { findPair } = await coinListReader();
      return (await findPair(client, from, to)) ?? (await context.coinList()).coins;
    },
    ledger: once(async () => {
      const { openLedger } = await import('./ledger/ledger.ts');
      const { ledgerLocation } = context.settings;
      const ledger = await openLedger(
        ledgerLocation,
        (error) => streams.note(`warning: ${error.message} It is left out. ${error.hint ?? ''}`, true),
        // Without a home folder nothing was ever recorded; a ledger that a person names must exist.
        { mayBeMissing: ledgerLocation === paths.ledgerFile, actor: actorOf(env, program) },
      );
      openedLedger = ledger;
      closers.push(() => ledger.close());
      return ledger;
    }),
    actingFor: (name) => {
      program = name;
    },
    operator: async (location) => {
      const { openOperator } = await import('./sandbox/operator/operator.ts');
      // A named empty file is a new database, as after mktemp; an empty file of our own was truncated.
      const named = location === undefined ? {} : { allowEmptyFile: true };
      const operator = await openOperator({
        database: location ?? paths.sandboxFile,
        now,
        ...named,
        warn: (words) => streams.note(`warning: ${words}`, true),
      });
      closers.push(() => operator.close());
      return operator;
    },
    close: async () => {
      await answers.flush();
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
  const builtInPlace = once(async () => {
    const { startBuiltIn } = await import('./sandbox/built-in.ts');
    const options = { database: paths.sandboxFile, now, rough: env['SWAPCTL_SANDBOX_ROUGH'] ?? '' };
    const sandbox = await startBuiltIn(options, (words) => streams.note(`warning: ${words}`, true));
    closers.push(() => sandbox.close());
    const { url: baseUrl, credentials, catalogue, clockAhead, depositWindow } = sandbox;
    const host = `built-in service at ${new URL(baseUrl).host}`;
    const confirmationsNeeded = (coin: string, network: string) =>
      catalogue.findAsset(coin, network, 'deposit')?.confirmations ?? null;
    return { baseUrl, host, credentials, proxy: null, depositWindow, clockAhead, confirmationsNeeded };
  });
  return context;
}

/** Milliseconds of a clock that cannot be set. `performance.now()` would load nine modules of Node: 1.5 milliseconds. */
function sinceBoot(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}

/** Time for which a failure to make something is final, in milliseconds: a host keeps `mcp` for days. */
const FAILED_MS = 10_000;

/** A function that makes its value on the first call and then returns the same one; after a failure it tries again later. */
function memoized<T>(make: () => Promise<T>, monotonic: () => number): () => Promise<T> {
  let made: Promise<T> | undefined;
  let again: number | null = null;
  return () => {
    if (made !== undefined && (again === null || monotonic() < again)) return made;
    again = null;
    made = make();
    made.catch(() => (again = monotonic() + FAILED_MS));
    return made;
  };
}

/** Loads the prompter with its first question, and adds up the time that a person takes, which `--timeout` does not count. */
function timed(load: () => Promise<Prompter>, monotonic: () => number): Prompter & { thinkingMs(): number } {
  const loaded = memoized(load, monotonic);
  let thinking = 0;
  const counted = async <T>(ask: (prompter: Prompter) => Promise<T>): Promise<T> => {
    const prompter = await loaded();
    const asked = monotonic();
    try {
      return await ask(prompter);
    } finally {
      thinking += monotonic() - asked;
    }
  };
  return {
    thinkingMs: () => thinking,
    select: (question) => counted((prompter) => prompter.select(question)),
    search: (question) => counted((prompter) => prompter.search(question)),
    input: (question) => counted((prompter) => prompter.input(question)),
    password: (question) => counted((prompter) => prompter.password(question)),
    confirm: (question) => counted((prompter) => prompter.confirm(question)),
  };
}

type Connection = Pick<
  Service,
  'baseUrl' | 'host' | 'credentials' | 'depositWindow' | 'clockAhead' | 'confirmationsNeeded' | 'proxy'
>;

async function remotePlace(
  profile: RemoteProfile,
  settings: Settings,
  env: NodeJS.ProcessEnv,
): Promise<Connection> {
  const { baseUrl } = profile;
  const credentials = credentialsOf(profile, await settings.secretOf(profile));
  const place = { baseUrl, host: new URL(baseUrl).host, credentials };
  return { ...place, proxy: await proxyOf(baseUrl, env) };
}

async function proxyOf(url: string, env: NodeJS.ProcessEnv): Promise<ProxyServer | null> {
  if (!PROXY_NAMES.some((name) => Boolean(env[name]))) return null;
  const { proxyFor } = await import('./client/proxy.ts');
  return proxyFor(url, env);
}

const PROXY_NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** The stored coin list of a profile; null for the built-in service, which answers quickly and whose coins may change. */
async function storedCoinLists(context: Context) {
  const profile = await context.profile();
  if (profile.kind === 'built-in') return null;
  const file = coinListFile(context.settings.paths.cacheFolder, profile.baseUrl, profile.publicKey);
  return {
    read: (now: number, maxAgeMs?: number) => readStoredCoinList(file, now, maxAgeMs),
    store: (list: CoinList, processId: number) => storeCoinList(file, list, processId),
  };
}

function coinListReader(): Promise<typeof import('./client/coin-list.ts')> {
  return import('./client/coin-list.ts');
}

async function loadCoinList(context: Context, refresh: boolean, processId: number): Promise<CoinList> {
  const lists = await storedCoinLists(context);
  const stored = refresh ? null : (lists?.read(context.now()) ?? null);
  if (stored !== null) return stored;
  const { fetchCoinList } = await coinListReader();
  const { client } = await context.service();
  const coinList = await fetchCoinList(client, context.now, {
    sleep: context.sleep,
    timeLeft: () => context.deadline() - context.monotonic(),
    onPause: (milliseconds, pages) =>
      context.streams.note(
        `The service limits requests. Got ${counted(pages, 'page')} of the coin list; continuing in ${Math.ceil(milliseconds / 1000)} s.`,
      ),
  });
  lists?.store(coinList, processId);
  return coinList;
}

/** Also null if the configuration cannot be read, which the commands that need it report. */
function storedColour(settings: Settings): ColourChoice | null {
  const stored = attemptSync(() => settings.stored('color'));
  return COLOR_CHOICES.find((choice) => choice === stored) ?? null;
}

function storedExplorer(settings: Settings, network: string): string | null {
  const stored = attemptSync(() => settings.explorer(network));
  return typeof stored === 'string' ? stored : null;
}

async function sleepUntilSignal(
  milliseconds: number,
  signal: AbortSignal,
  stopped?: AbortSignal,
): Promise<void> {
  try {
    const either = stopped === undefined ? signal : AbortSignal.any([signal, stopped]);
    await pause(milliseconds, undefined, { signal: either });
  } catch (error) {
    throw signal.reason instanceof SwapctlError ? signal.reason : error;
  }
}
