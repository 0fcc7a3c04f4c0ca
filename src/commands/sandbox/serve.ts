import type { Context } from '../../context.ts';
import { shellQuote } from '../../files.ts';
import { parseCatalogue } from '../../sandbox/catalogue/catalogue.ts';
import { storeCatalogue } from '../../sandbox/catalogue/stored.ts';
import { readHabits } from '../../sandbox/habits/read-habits.ts';
import { sandboxMemory } from '../../sandbox/memory.ts';
import { withoutPassword } from '../../sandbox/operator/info.ts';
import { readScenarioName } from '../../sandbox/orders/scenario-ends.ts';
import { NO_OVERLAY, overlaid, readOverlay } from '../../sandbox/overlay/overlay.ts';
import { pageFiles } from '../../sandbox/page/page.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { SEEDED_CLOCK } from '../../sandbox/state/assumptions.ts';
import { readInput } from '../../terminal/input.ts';
import { joined, shown, visible } from '../../text.ts';

/** Parsed arguments of `swapctl sandbox start`. */
export interface SandboxStartOptions {
  readonly port: number;
  readonly host: string;
  /** File or `postgres://` URL; null for the built-in service's own file. */
  readonly database: string | null;
  /** Whether everything is kept in memory. */
  readonly isEphemeral: boolean;
  readonly timeScale: number;
  readonly rateLimit: { readonly count: number; readonly windowSeconds: number } | null;
  /** File with the coins to offer instead of the built-in ones. */
  readonly catalog: string | null;
  readonly seed: number | null;
  /** Names of the habits to take on, with commas between them, or `all`; null for none. */
  readonly rough: string | null;
  /** Name of the end that every order takes automatically. */
  readonly scenario: string | null;
  readonly magic: boolean;
  /** File with what another service decides otherwise; what flags say beats it. */
  readonly overlay: string | null;
  readonly adminPort: number | null;
  /** Port of the page; null for none. */
  readonly uiPort: number | null;
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/** Runs the service until SIGINT or SIGTERM, then lets requests under way finish. */
export async function serveSandbox(context: Context, options: SandboxStartOptions): Promise<void> {
  const { streams, settings, signal } = context;
  const database = options.isEphemeral ? sandboxMemory() : (options.database ?? settings.paths.sandboxFile);
  const scenario = options.scenario === null ? undefined : readScenarioName(options.scenario);
  const readFile = (file: string) => readInput(file, { stdin: streams.raw.stdin, signal });
  const { habits, catalogue, choices } = await decided(options, readFile);
  const sandbox = await startSandbox({
    database,
    catalogue,
    // Nothing is lost with a sandbox, and people make files with mktemp; its own file was begun by swapctl.
    ...(options.database === null ? {} : { allowEmptyFile: true }),
    onUpgradeWait: () =>
      streams.note('Another process is upgrading the database; the service starts when it is done.', true),
    host: options.host,
    port: options.port,
    timeScale: options.timeScale,
    now: context.now,
    preload: true,
    keepsRequests: true,
    ...(context.flags.quiet === true ? {} : { log: lineWriter(streams) }),
    ...(options.rateLimit === null ? {} : { rateLimit: options.rateLimit }),
    ...(options.seed === null ? {} : { seed: options.seed, ...SEEDED_CLOCK }),
    ...(habits === undefined ? {} : { habits }),
    ...(scenario === undefined ? {} : { scenario }),
    magic: options.magic,
    choices,
    ...(options.adminPort === null ? {} : { adminPort: options.adminPort }),
    ...(options.uiPort === null ? {} : { page: { port: options.uiPort, files: pageFiles() } }),
    ...(options.tls === null
      ? {}
      : { tls: { cert: await readFile(options.tls.cert), key: await readFile(options.tls.key) } }),
  });
  try {
    // Not before it listens: a start that fails must not change what others on the database see.
    await storeCatalogue(database, catalogue);
    const lines = [
      shown`listening on ${visible(sandbox.url)}\n`,
      ...(options.isEphemeral ? [shown`${visible(JSON.stringify(sandbox.credentials))}\n`] : []),
      ...(sandbox.pageUrl === undefined ? [] : [shown`page at ${visible(sandbox.pageUrl)}\n`]),
    ];
    await streams.write(joined(lines));
    if (sandbox.isExposed) {
      await streams.warn(
        `${options.host} can be reached from other machines. Whoever does can use this sandbox with its keys; send nothing real to its addresses.`,
      );
    }
    if (scenario !== undefined) streams.note(`every order of this server takes the end: ${scenario}`);
    if (options.magic) streams.note('magic amounts are enabled on this server');
    if (habits !== undefined && habits.size > 0)
      streams.note(`rough habits of this server: ${[...habits].join(', ')}`);
    streams.note(
      options.isEphemeral
        ? 'everything is in memory and ends with this process; the other verbs reach it through --admin-port alone'
        : `public key ${sandbox.credentials.publicKey}; its secret: swapctl sandbox partner list --json${databaseFlag(options.database)}`,
    );
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

/** The flag by which another command finds the same database. */
function databaseFlag(database: string | null): string {
  return database === null ? '' : ` --database ${shellQuote(withoutPassword(database))}`;
}

/** The coins, habits and other decisions of the server. Throws UsageError for a file that is wrong. */
async function decided(
  { rough, catalog, overlay }: SandboxStartOptions,
  readFile: (file: string) => Promise<string>,
): Promise<ReturnType<typeof overlaid>> {
  const chosen = {
    ...(rough === null ? {} : { habits: readHabits(rough) }),
    ...(catalog === null ? {} : { catalogue: parseCatalogue(await readFile(catalog)) }),
  };
  return overlaid(overlay === null ? NO_OVERLAY : readOverlay(await readFile(overlay)), chosen);
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

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
