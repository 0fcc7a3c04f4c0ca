import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Context } from '../../context.ts';
import { StorageError, UsageError } from '../../errors.ts';
import { systemCode } from '../../files.ts';
import type { Catalogue } from '../../sandbox/catalogue/catalogue.ts';
import { shown, visible } from '../../text.ts';
import { countArgument, portArgument, rateLimitArgument } from '../shared/arguments.ts';

/** Time at which the clock of a seeded sandbox begins, and what each request adds: time depends on the calls alone. */
const SEEDED_CLOCK_START = Date.UTC(2026, 0, 1);
const SEEDED_CLOCK_TICK_MS = 1000;

/** What `swapctl sandbox start` was asked for. */
export interface SandboxStartOptions {
  readonly port: number;
  readonly host: string;
  /** File or `postgres://` URL; null for the built-in service's own file. */
  readonly database: string | null;
  readonly timeScale: number;
  readonly rateLimit: { readonly count: number; readonly windowSeconds: number } | null;
  /** File with the coins to offer instead of the built-in ones. */
  readonly catalog: string | null;
  readonly seed: number | null;
  /** Names of the habits to take on, with commas between them, or `all`; null for none. */
  readonly rough: string | null;
  readonly adminPort: number | null;
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/** Declares `swapctl sandbox start`. */
export function sandboxStartCommand(command: Command, context: () => Context, run = runSandboxStart): void {
  command
    .summary('run the service in the foreground')
    .description(
      'Run the whole service in the foreground. The first line on standard output names its address, then comes a line per request, unless --quiet.',
    )
    .option('--port <n>', 'port, 0 for a free one', portArgument, 4010)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option(
      '--database <location>',
      'file or postgres:// URL, its password best in PGPASSWORD or ~/.pgpass (default: the sandbox.db of the built-in service)',
    )
    .option('--time-scale <n>', 'how many times faster swaps go', countArgument, 1)
    .option('--rate-limit <limit>', 'requests per key, such as 120/60s', rateLimitArgument)
    .option('--catalog <file>', 'JSON file with the coins to offer')
    .option(
      '--seed <n>',
      'the same seed and calls give the same answers; each request moves the clock by a second',
      seedArgument,
    )
    .option(
      '--rough [habits]',
      'have the habits of a rough service: all of them, or those named, with commas between; an unknown name lists them',
    )
    .option('--admin-port <n>', "offer the operators' verbs over HTTP on this loopback port", portArgument)
    .option('--tls-cert <file>', 'certificate for https')
    .option('--tls-key <file>', 'private key of the certificate')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl sandbox start\n  $ swapctl sandbox start --port 0 --time-scale 10 --seed 1\n  $ swapctl sandbox start --rough text-amounts,networks-required',
    )
    .action((flags: Record<string, unknown>) => {
      const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : null);
      const number = (name: string) => (typeof flags[name] === 'number' ? flags[name] : null);
      const [cert, key] = [text('tlsCert'), text('tlsKey')];
      if ((cert === null) !== (key === null)) throw new UsageError('--tls-cert and --tls-key go together.');
      return run(context(), {
        port: number('port') ?? 4010,
        host: text('host') ?? '127.0.0.1',
        database: text('database'),
        timeScale: number('timeScale') ?? 1,
        rateLimit: (flags['rateLimit'] as SandboxStartOptions['rateLimit'] | undefined) ?? null,
        catalog: text('catalog'),
        seed: number('seed'),
        rough: flags['rough'] === true ? 'all' : text('rough'),
        adminPort: number('adminPort'),
        tls: cert === null || key === null ? null : { cert, key },
      });
    });
}

function seedArgument(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number.parseInt(text, 10);
  throw new InvalidArgumentError('A seed is a whole number of up to nine digits.');
}

/** Runs the service until SIGINT or SIGTERM, then lets requests under way finish. */
export async function runSandboxStart(context: Context, options: SandboxStartOptions): Promise<void> {
  const { streams, settings, signal } = context;
  const { startSandbox } = await import('../../sandbox/server.ts');
  const { storeCatalogue } = await import('../../sandbox/catalogue/stored.ts');
  const database = options.database ?? settings.paths.sandboxFile;
  const { readHabits } = await import('../../sandbox/habits/read-habits.ts');
  const habits = options.rough === null ? undefined : readHabits(options.rough);
  const catalogue = await catalogueIn(options.catalog);
  const sandbox = await startSandbox({
    database,
    catalogue,
    // Nothing is lost with a sandbox, and people make files with mktemp; its own file was begun by swapctl.
    ...(options.database === null ? {} : { allowEmptyFile: true }),
    host: options.host,
    port: options.port,
    timeScale: options.timeScale,
    now: context.now,
    preload: true,
    ...(context.flags.quiet === true ? {} : { log: lineWriter(streams) }),
    ...(options.rateLimit === null ? {} : { rateLimit: options.rateLimit }),
    ...(options.seed === null
      ? {}
      : { seed: options.seed, clockStart: SEEDED_CLOCK_START, clockTick: SEEDED_CLOCK_TICK_MS }),
    ...(habits === undefined ? {} : { habits }),
    ...(options.adminPort === null ? {} : { adminPort: options.adminPort }),
    ...(options.tls === null
      ? {}
      : { tls: { cert: await readTextFile(options.tls.cert), key: await readTextFile(options.tls.key) } }),
  });
  try {
    // Not before it listens: a start that fails must not change what others on the database see.
    await storeCatalogue(database, catalogue);
    await streams.write(shown`listening on ${visible(sandbox.url)}\n`);
    if (sandbox.isExposed) {
      await streams.warn(
        `${options.host} can be reached from other machines. Whoever does can use this sandbox with its keys; send nothing real to its addresses.`,
      );
    }
    if (habits !== undefined) streams.note(`rough habits of this server: ${[...habits].join(', ')}`);
    const { publicKey } = sandbox.credentials;
    streams.note(`public key ${publicKey}; its secret: swapctl sandbox partner list --json`);
    const { adminUrl, adminToken } = sandbox;
    if (adminUrl !== undefined) {
      streams.note(
        `operators' verbs at ${adminUrl}, with the header Authorization: Bearer ${adminToken}`,
        true,
      );
    }
    await untilAborted(signal);
  } finally {
    await sandbox.close();
  }
}

async function catalogueIn(file: string | null): Promise<Catalogue> {
  const { builtInCatalogue, parseCatalogue } = await import('../../sandbox/catalogue/catalogue.ts');
  return file === null ? builtInCatalogue() : parseCatalogue(await readTextFile(file));
}

/** Writes the lines of one turn of the event loop at once: a write for each would cost more than its request. */
function lineWriter(streams: Context['streams']): (line: string) => void {
  let waiting = shown``;
  const flush = () => {
    const text = waiting;
    waiting = shown``;
    // A log that nobody reads any more is no reason to stop the service.
    streams.write(text).catch(() => undefined);
  };
  return (line) => {
    if (waiting === '') setImmediate(flush);
    waiting = shown`${waiting}${visible(line)}\n`;
  };
}

async function readTextFile(file: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StorageError(`The file ${file} could not be read (${systemCode(error) ?? 'unreadable'}).`);
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
