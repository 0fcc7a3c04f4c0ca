import { setTimeout as pause } from 'node:timers/promises';
import type { CoinList } from './client/coin-list-cache.ts';
import type { ProxyServer } from './client/proxy.ts';
import type { Context, GlobalFlags, ProcessIo } from './context.ts';
import { SwapctlError } from './errors.ts';
import { actorOf, refuseDebugOutput } from './settings/environment.ts';
import { resolvePaths } from './settings/paths.ts';
import { credentialsOf, type RemoteProfile } from './settings/profile.ts';
import { createSettings, type Settings } from './settings/settings.ts';
import { COLOR_CHOICES } from './settings/stored-settings.ts';
import type { Service } from './swaps/ports.ts';
import type { ColourChoice } from './terminal/environment.ts';
import { createPrompter } from './terminal/prompter.ts';
import type { Prompter } from './terminal/questions.ts';
import { createStreams } from './terminal/streams.ts';

const REQUEST_TIMEOUT_MS = 30_000;

/** Builds the context of one run; nothing is loaded, opened or started before it is asked for. */
export function createContext(parts: ProcessIo, flags: GlobalFlags): Context {
  const { env, signal } = parts;
  const paths = resolvePaths(env, parts.platform);
  const closers: (() => Promise<void>)[] = [];
  const now = parts.now ?? Date.now;
  const monotonic = parts.monotonic ?? parts.now ?? sinceBoot;
  const started = monotonic();
  const settings = createSettings(env, paths, flags, signal);
  const streams = createStreams(parts.streams, env, flags, () => storedColour(settings));
  const prompter = timed(parts.prompter ?? createPrompter(parts.streams, signal, streams), monotonic);
  let coinList: CoinList | null = null;
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
    profile: memoized(async () => {
      const profile = await context.settings.profile();
      const trimmed = profile.kind === 'remote' ? (profile.trimmed ?? []) : [];
      for (const what of trimmed) streams.note(`Removed spaces around the ${what}.`, true);
      return profile;
    }),
    owner: memoized(async () => {
      const { ownerOf } = await import('./ledger/entry.ts');
      return ownerOf(await context.profile());
    }),
    service: memoized(async () => context.serviceFor(await context.profile())),
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
      const { repeatNotice, requestLine } = await import('./client/request-log.ts');
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
        ...(context.flags.debug === true
          ? { onRequest: (sent) => context.notify({ level: 'debug', text: requestLine(sent) }) }
          : {}),
        onRepeat: (error, delay) => context.notify({ level: 'debug', text: repeatNotice(error, delay) }),
      });
      return { ...place, client, profile: profile.name, environment: profile.environment };
    },
    coinList: async (refresh = false) => {
      if (refresh || coinList === null) coinList = await loadCoinList(context, refresh, parts.processId);
      return coinList;
    },
    storedCoins: async () => (await storedCoinList(context, Number.POSITIVE_INFINITY))?.coins ?? [],
    proxyFor: (url) => proxyOf(url, env),
    pairCoins: async (from, to) => {
      const stored = await storedCoinList(context);
      if (stored !== null) return stored.coins;
      const { client } = await context.service();
      const { findPair } = await import('./client/coin-list.ts');
      return (await findPair(client, from, to)) ?? (await context.coinList()).coins;
    },
    ledger: memoized(async () => {
      const { openLedger } = await import('./ledger/ledger.ts');
      const { ledgerLocation } = context.settings;
      const ledger = await openLedger(
        ledgerLocation,
        (error) => streams.note(`warning: ${error.message} It is left out. ${error.hint ?? ''}`, true),
        // Without a home nothing was ever recorded; a ledger that a person names has to be there.
        { mayBeMissing: ledgerLocation === paths.ledgerFile, actor: actorOf(env) },
      );
      closers.push(() => ledger.close());
      return ledger;
    }),
    operator: async (location) => {
      const { openOperator } = await import('./sandbox/operator/operator.ts');
      // An empty file that somebody names is one to begin, as after mktemp; an empty file of our own was cut off.
      const named = location === undefined ? {} : { allowEmptyFile: true };
      const operator = await openOperator({
        ...{ database: location ?? paths.sandboxFile, now, ...named },
        warn: (words) => streams.note(`warning: ${words}`, true),
      });
      closers.push(() => operator.close());
      return operator;
    },
    close: async () => {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
  const builtInPlace = memoized(async () => {
    const { startBuiltIn } = await import('./sandbox/built-in.ts');
    const { DEPOSIT_WINDOW_MS } = await import('./sandbox/state/assumptions.ts');
    const rough = env['SWAPCTL_SANDBOX_ROUGH'];
    const habits =
      rough === undefined || rough === ''
        ? {}
        : { habits: (await import('./sandbox/habits/read-habits.ts')).readHabits(rough) };
    const options = { database: paths.sandboxFile, now, ...habits };
    const sandbox = await startBuiltIn(options, (words) => streams.note(`warning: ${words}`, true));
    closers.push(() => sandbox.close());
    const { url, credentials, catalogue, clockAhead } = sandbox;
    const host = `built-in service at ${new URL(url).host}`;
    const depositWindow: Service['depositWindow'] = (type) => DEPOSIT_WINDOW_MS[type];
    const confirmationsNeeded: Service['confirmationsNeeded'] = (coin, network) =>
      catalogue.findAsset(coin, network, 'deposit')?.confirmations ?? null;
    return {
      ...{ baseUrl: url, host, credentials, proxy: null },
      ...{ depositWindow, clockAhead, confirmationsNeeded },
    };
  });
  return context;
}

/** Milliseconds of a clock that nobody sets. `performance.now()` would load nine modules of Node: 1.5 milliseconds. */
function sinceBoot(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}

/** A function that makes its value on the first call and returns the same one ever after. */
function memoized<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** Counts the time that a person took to answer: `--timeout` is for the service alone. */
function timed(prompter: Prompter, monotonic: () => number): Prompter & { thinkingMs(): number } {
  let thinking = 0;
  const counted = async <T>(answer: Promise<T>): Promise<T> => {
    const asked = monotonic();
    try {
      return await answer;
    } finally {
      thinking += monotonic() - asked;
    }
  };
  return {
    thinkingMs: () => thinking,
    select: (question) => counted(prompter.select(question)),
    search: (question) => counted(prompter.search(question)),
    input: (question) => counted(prompter.input(question)),
    password: (question) => counted(prompter.password(question)),
    confirm: (question) => counted(prompter.confirm(question)),
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

/** File of the stored coin list; null for the built-in service, which answers at once and whose coins may change. */
async function cacheFile(context: Context): Promise<string | null> {
  const profile = await context.profile();
  if (profile.kind === 'built-in') return null;
  const { coinListFile } = await import('./client/coin-list-cache.ts');
  return coinListFile(context.settings.paths.cacheFolder, profile.baseUrl, profile.publicKey);
}

async function storedCoinList(context: Context, maxAgeMs?: number): Promise<CoinList | null> {
  const file = await cacheFile(context);
  if (file === null) return null;
  const { readStoredCoinList } = await import('./client/coin-list-cache.ts');
  return readStoredCoinList(file, context.now(), maxAgeMs);
}

async function loadCoinList(context: Context, refresh: boolean, processId: number): Promise<CoinList> {
  const stored = refresh ? null : await storedCoinList(context);
  if (stored !== null) return stored;
  const { fetchCoinList } = await import('./client/coin-list.ts');
  const { client } = await context.service();
  const coinList = await fetchCoinList(client, context.now, {
    sleep: context.sleep,
    timeLeft: () => context.deadline() - context.monotonic(),
    onPause: (milliseconds, pages) =>
      context.streams.note(
        `The service asks for a pause. ${pages === 1 ? '1 page of the coin list is' : `${pages} pages of the coin list are`} kept; the rest follows in ${Math.ceil(milliseconds / 1000)} s.`,
      ),
  });
  const file = await cacheFile(context);
  if (file === null) return coinList;
  const { storeCoinList } = await import('./client/coin-list-cache.ts');
  storeCoinList(file, coinList, processId);
  return coinList;
}

/** A configuration that cannot be read is no reason to show nothing; the commands that need it say so. */
function storedColour(settings: Settings): ColourChoice | null {
  try {
    return COLOR_CHOICES.find((choice) => choice === settings.stored('color')) ?? null;
  } catch (error) {
    if (error instanceof SwapctlError) return null;
    throw error;
  }
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
