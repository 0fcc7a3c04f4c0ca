import { actorOf, PROXY_NAMES, refuseDebugOutput } from '../base/environment.ts';
import { attemptSync } from '../base/errors.ts';
import { counted } from '../base/text.ts';
import { coinListFile, readStoredCoinList, storeCoinList } from '../core/client/coin-list-cache.ts';
import type { ProxyServer } from '../core/client/proxy.ts';
import { ownerOf } from '../core/ledger/entry.ts';
import {
  type CoinListCache,
  memoized,
  openedLedger,
  openPartner,
  REQUEST_TIMEOUT_MS,
  type Run,
  type ServiceConnection,
  sleepUntil,
} from '../library/partner.ts';
import type { Context, GlobalFlags, ProcessIo } from './context.ts';
import { resolvePaths } from './settings/paths.ts';
import { credentialsOf, type Profile, type RemoteProfile } from './settings/profile.ts';
import { createSettings, type Settings } from './settings/settings.ts';
import { COLOR_CHOICES } from './settings/stored-settings.ts';
import type { ColourChoice } from './terminal/environment.ts';
import { openInput } from './terminal/input.ts';
import type { Prompter } from './terminal/questions.ts';
import { createStreams, type Streams } from './terminal/streams.ts';

/** Builds the context of one run; nothing is loaded, opened or started before it is asked for. */
export function createContext(parts: ProcessIo, flags: GlobalFlags): Context {
  const { env, signal } = parts;
  const paths = resolvePaths(env, parts.platform);
  const now = parts.now ?? Date.now;
  const monotonic = parts.monotonic ?? parts.now ?? sinceBoot;
  const settings = createSettings(env, paths, flags, signal);
  const streams = createStreams(parts.streams, env, flags, {
    colour: () => storedColour(settings),
    explorer: (network) => storedExplorer(settings, network),
  });
  const prompter = timedPrompter(parts, streams, monotonic);
  const started = monotonic();
  const deadline = () => started + (flags.timeout ?? Number.POSITIVE_INFINITY) + prompter.thinkingMs();
  const run = { now, monotonic, deadline, ...runPorts(parts, flags, streams) };
  const tools = { env, settings, streams, run };
  const profile = memoized(() => readProfile(settings, streams), run.monotonic);
  const ledger = ledgerOf(tools);
  const sandbox = sandboxOf(tools);
  const connectionOf = (of: Profile) => serviceConnection(of, tools, sandbox.connection);
  const lists = async () => storedCoinLists(await profile(), settings, parts.processId);
  const { serviceAt, ...partner } = openPartner({
    run,
    ledger,
    storedCoins: lists,
    connection: async () => connectionOf(await profile()),
    owner: async () => ownerOf(await profile()),
  });
  return {
    ...partner,
    streams,
    prompter,
    settings,
    onlyProfile: settings.onlyProfile,
    profile,
    flags: { ...flags, debug: isDebugging(flags, env) },
    serviceFor: async (of, options) => serviceAt(await connectionOf(of), options),
    storedCoins: async () => (await lists())?.read(run.now(), Number.POSITIVE_INFINITY)?.coins ?? [],
    input: (path) => openInput(path, { stdin: parts.streams.stdin, signal }),
    proxyFor: (url) => proxyOf(url, env),
    actingFor: ledger.actingFor,
    operator: sandbox.operator,
    close: async () => {
      await ledger.close();
      await sandbox.close();
    },
  };
}

/** Limits and notices of a run. */
function runPorts(
  parts: ProcessIo,
  flags: GlobalFlags,
  streams: Streams,
): Omit<Run, 'now' | 'monotonic' | 'deadline'> {
  const { signal, env } = parts;
  return {
    signal,
    timeoutMs: Math.min(flags.timeout ?? REQUEST_TIMEOUT_MS, REQUEST_TIMEOUT_MS),
    sleep: parts.sleep ?? ((milliseconds, stopped) => sleepUntil(milliseconds, signal, stopped)),
    random: Math.random,
    notify: async ({ level, text }) => {
      if (level === 'warning') await streams.warn(text);
      else if (level === 'note') streams.note(text, true);
      else if (isDebugging(flags, env)) streams.note(`debug: ${text}`, true);
    },
    onCoinPause: (milliseconds, pages) =>
      streams.note(
        `The service limits requests. Got ${counted(pages, 'page')} of the coin list; continuing in ${Math.ceil(milliseconds / 1000)} s.`,
      ),
  };
}

function isDebugging({ debug }: GlobalFlags, env: NodeJS.ProcessEnv): boolean {
  return debug === true || env['SWAPCTL_DEBUG'] === '1';
}

async function readProfile(settings: Settings, streams: Streams): Promise<Profile> {
  const profile = await settings.profile();
  const trimmed = profile.kind === 'remote' ? (profile.trimmed ?? []) : [];
  for (const what of trimmed) streams.note(`Removed spaces around the ${what}.`, true);
  return profile;
}

interface Tools {
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Settings;
  readonly streams: Streams;
  readonly run: Run;
}

function ledgerOf({ env, settings, streams, run }: Tools) {
  let program: string | null = null;
  const opened = openedLedger({
    now: run.now,
    monotonic: run.monotonic,
    location: () => settings.ledgerLocation,
    // Without a home folder nothing was ever recorded; a ledger that a person names must exist.
    mayBeMissing: () => settings.ledgerLocation === settings.paths.ledgerFile,
    actor: () => actorOf(env, program),
    onDamaged: (error) => streams.note(`warning: ${error.message} It is left out. ${error.hint ?? ''}`, true),
  });
  return {
    ...opened,
    actingFor: (name: string) => {
      program = name;
    },
  };
}

/** The built-in service, and the operators' verbs on its database or another one. */
function sandboxOf({ env, settings, streams, run }: Tools) {
  const { now } = run;
  const file = settings.paths.sandboxFile;
  const closers: (() => Promise<void>)[] = [];
  const warn = (words: string) => streams.note(`warning: ${words}`, true);
  return {
    connection: memoized(async (): Promise<Connection> => {
      const { startBuiltIn } = await import('../sandbox/built-in.ts');
      const options = { database: file, now, rough: env['SWAPCTL_SANDBOX_ROUGH'] ?? '' };
      const sandbox = await startBuiltIn(options, warn);
      closers.push(() => sandbox.close());
      const { url: baseUrl, credentials, catalogue, clockAhead, depositWindow } = sandbox;
      const host = `built-in service at ${new URL(baseUrl).host}`;
      const confirmationsNeeded = (coin: string, network: string) =>
        catalogue.findAsset(coin, network, 'deposit')?.confirmations ?? null;
      return { baseUrl, host, credentials, proxy: null, depositWindow, clockAhead, confirmationsNeeded };
    }, run.monotonic),
    operator: async (location?: string) => {
      const { openOperator } = await import('../sandbox/operator/operator.ts');
      // A named empty file is a new database, as after mktemp; an empty file of our own was truncated.
      const named = location === undefined ? {} : { allowEmptyFile: true };
      const operator = await openOperator({ database: location ?? file, now, ...named });
      closers.push(() => operator.close());
      return operator;
    },
    close: async () => {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

async function serviceConnection(
  profile: Profile,
  { settings, env, run }: Tools,
  builtIn: () => Promise<Connection>,
): Promise<ServiceConnection> {
  refuseDebugOutput(env);
  const isRemote = profile.kind === 'remote';
  const connection = isRemote ? await remoteConnection(profile, settings, env) : await builtIn();
  if (connection.proxy !== null)
    await run.notify({
      level: 'debug',
      text: `through the proxy ${connection.proxy.host} of ${connection.proxy.variable}`,
    });
  const { name, environment } = profile;
  return { ...connection, profile: name, environment, counted: isRemote ? ownerOf(profile).account : null };
}

/** Milliseconds of a clock that cannot be set. `performance.now()` would load nine modules of Node: 1.5 milliseconds. */
function sinceBoot(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}

/** Loads the prompter with its first question, and adds up the time that a person takes, which `--timeout` does not count. */
function timedPrompter(
  { prompter: given, streams: raw, signal }: ProcessIo,
  streams: Streams,
  monotonic: () => number,
): Prompter & { thinkingMs(): number } {
  const loaded = memoized(async () => {
    if (given !== undefined) return given;
    const { createPrompter } = await import('./terminal/prompter.ts');
    return createPrompter(raw, signal, streams);
  }, monotonic);
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

type Connection = Omit<ServiceConnection, 'profile' | 'environment' | 'counted'>;

async function remoteConnection(profile: RemoteProfile, settings: Settings, env: NodeJS.ProcessEnv) {
  const { baseUrl } = profile;
  const credentials = credentialsOf(profile, await settings.secretOf(profile));
  return { baseUrl, host: new URL(baseUrl).host, credentials, proxy: await proxyOf(baseUrl, env) };
}

async function proxyOf(url: string, env: NodeJS.ProcessEnv): Promise<ProxyServer | null> {
  if (!PROXY_NAMES.some((name) => Boolean(env[name]))) return null;
  const { proxyFor } = await import('../core/client/proxy.ts');
  return proxyFor(url, env);
}

/** The stored coin list of a profile; null for the built-in service, which answers quickly and whose coins may change. */
function storedCoinLists(profile: Profile, settings: Settings, processId: number): CoinListCache | null {
  if (profile.kind === 'built-in') return null;
  const file = coinListFile(settings.paths.cacheFolder, profile.baseUrl, profile.publicKey);
  return {
    read: (now, maxAgeMs) => readStoredCoinList(file, now, maxAgeMs),
    store: (list) => storeCoinList(file, list, processId),
  };
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
