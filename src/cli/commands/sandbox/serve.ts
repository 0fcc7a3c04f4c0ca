import { shellQuote } from '../../../base/files.ts';
import { joined, shown, visible } from '../../../base/text.ts';
import { InMemory } from '../../../core/database/database.ts';
import { readHabits } from '../../../sandbox/built-in.ts';
import { parseCatalogue } from '../../../sandbox/catalogue/catalogue.ts';
import { storeCatalogue } from '../../../sandbox/catalogue/stored.ts';
import { HOUSE_RULES } from '../../../sandbox/habits/choices.ts';
import { withoutPassword } from '../../../sandbox/operator/info.ts';
import { readScenarioName } from '../../../sandbox/orders/scenario-ends.ts';
import { applyOverlay, NO_OVERLAY, readOverlay } from '../../../sandbox/overlay/overlay.ts';
import { pageFiles } from '../../../sandbox/page/page.ts';
import { type SandboxOptions, startSandbox } from '../../../sandbox/server.ts';
import { SEEDED_CLOCK } from '../../../sandbox/state/assumptions.ts';
import type { Context } from '../../context.ts';
import { readInput } from '../../terminal/input.ts';
import { untilAborted } from '../../terminal/progress.ts';

export interface SandboxStartOptions
  extends Pick<SandboxOptions, 'timeScale' | 'rateLimit' | 'seed' | 'magic' | 'adminPort'> {
  readonly port: number;
  readonly host: string;
  /** File or `postgres://` URL. Default: the built-in service's own file. */
  readonly database?: string;
  /** Whether everything is kept in memory. */
  readonly ephemeral?: boolean;
  readonly catalog?: string;
  /** Names of habits, with commas between them; true for all. */
  readonly rough?: string | true;
  /** Name of the outcome that every order reaches automatically. */
  readonly scenario?: string;
  /** File with the decisions of another service; flags take precedence. */
  readonly overlay?: string;
  readonly ui?: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** Runs the service until SIGINT or SIGTERM, then lets running requests finish. */
export async function serveSandbox(context: Context, options: SandboxStartOptions): Promise<void> {
  const { streams, settings, signal } = context;
  const { ephemeral = false, magic = false, seed, ui, tlsCert, tlsKey } = options;
  const database = ephemeral ? new InMemory() : (options.database ?? settings.paths.sandboxFile);
  const scenario = options.scenario === undefined ? undefined : readScenarioName(options.scenario);
  const readFile = (file: string) => readInput(context.input(file));
  const { habits, catalogue, choices } = await readDecisions(options, readFile);
  const sandbox = await startSandbox({
    database,
    catalogue,
    // A sandbox has nothing to lose, and people make files with mktemp; swapctl creates its own file itself.
    allowEmptyFile: options.database !== undefined,
    onUpgradeWait: () =>
      streams.note('Another process is upgrading the database; the service starts when that is done.', true),
    host: options.host,
    port: options.port,
    timeScale: options.timeScale,
    now: context.now,
    preload: true,
    keepsRequests: true,
    log: context.flags.quiet === true ? undefined : lineWriter(streams),
    rateLimit: options.rateLimit,
    seed,
    ...(seed === undefined ? {} : SEEDED_CLOCK),
    habits,
    scenario,
    magic,
    choices,
    adminPort: options.adminPort,
    page: ui === undefined ? undefined : { port: ui, files: pageFiles() },
    tls:
      tlsCert === undefined || tlsKey === undefined
        ? undefined
        : { cert: await readFile(tlsCert), key: await readFile(tlsKey) },
  });
  try {
    // Only after it listens: a failed start must not change what others on the database see.
    await storeCatalogue(database, catalogue);
    const lines = [
      shown`listening on ${visible(sandbox.url)}\n`,
      ...(ephemeral ? [shown`${visible(JSON.stringify(sandbox.credentials))}\n`] : []),
      ...(sandbox.pageUrl === undefined ? [] : [shown`page at ${visible(sandbox.pageUrl)}\n`]),
    ];
    await streams.write(joined(lines));
    if (sandbox.isExposed)
      await streams.warn(
        `${options.host} can be reached from other machines. Anyone who does can use this sandbox with its keys. Send nothing real to its addresses.`,
      );
    if (scenario !== undefined) streams.note(`every order of this server reaches the outcome: ${scenario}`);
    if (magic) streams.note('magic amounts are enabled on this server');
    if (habits !== undefined && habits.size > 0)
      streams.note(`habits of this server: ${[...habits].join(', ')}`);
    streams.note(
      ephemeral
        ? 'everything is kept in memory and is lost when this process ends; control it through --admin-port'
        : `public key ${sandbox.credentials.publicKey}; to see its secret: swapctl sandbox partner list --json${databaseFlag(options.database)}`,
    );
    const { adminUrl, adminToken } = sandbox;
    if (adminUrl !== undefined)
      streams.note(`operator API at ${adminUrl}, with the header Authorization: Bearer ${adminToken}`, true);
    await untilAborted(signal);
  } finally {
    await sandbox.close();
  }
}

/** The flag by which another command finds the same database. */
function databaseFlag(database: string | undefined): string {
  return database === undefined ? '' : ` --database ${shellQuote(withoutPassword(database))}`;
}

/** The coins, habits and other decisions of the server. Throws UsageError for an invalid file. */
async function readDecisions(
  { rough, catalog, overlay }: SandboxStartOptions,
  readFile: (file: string) => Promise<string>,
): Promise<ReturnType<typeof applyOverlay>> {
  const chosen = {
    habits: rough === undefined ? undefined : readHabits(rough === true ? 'all' : rough),
    catalogue: catalog === undefined ? undefined : parseCatalogue(await readFile(catalog)),
  };
  if (overlay === undefined) return applyOverlay(NO_OVERLAY, chosen);
  const rules = overlay.split(',');
  const isPreset = rules.every((rule) => HOUSE_RULES.some((name) => name === rule));
  const text = isPreset ? JSON.stringify({ decisions: { houseRules: rules } }) : await readFile(overlay);
  return applyOverlay(readOverlay(text), chosen);
}

/** Writes the lines of one turn of the event loop together: each write would cost more than its request. */
function lineWriter(streams: Context['streams']): (line: string) => void {
  let waiting = shown``;
  const flush = () => {
    const text = waiting;
    waiting = shown``;
    // A log that no one reads anymore is no reason to stop the service.
    streams.write(text).catch(() => undefined);
  };
  return (line) => {
    if (waiting === '') setImmediate(flush);
    waiting = shown`${waiting}${visible(line)}\n`;
  };
}
