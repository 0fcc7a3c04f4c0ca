import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { jsonPieces } from '../../sandbox/operator/json.ts';
import { diffPages } from '../../sandbox/snapshots/diff.ts';
import { joined, shown, visible, visibleJson } from '../../text.ts';
import type { SandboxDatabase } from './database-flag.ts';
import { databaseOf, onDatabase } from './database-flag.ts';

type Flags = Readonly<Record<string, unknown>>;

const views = () => import('../../views/sandbox/snapshots.ts');

/** Declares `swapctl sandbox snapshot save`, `load`, `list` and `diff`. */
export function snapshotCommands(snapshot: Command, context: () => Context): void {
  snapshot.description('Save, restore, list and compare named snapshots of the sandbox.').helpCommand(false);
  onDatabase(snapshot.command('save'))
    .summary('save orders, events, faults, partners and clock')
    .description(
      'Save orders, events, faults, partners and clock under a name, in the same database. Replaces a snapshot of that name.',
    )
    .argument('<name>', 'letters, digits, dots, hyphens and underscores')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox snapshot save funded')
    .action((name: string, flags: Flags) => save(context(), databaseOf(flags), name));
  onDatabase(snapshot.command('load'))
    .summary('restore a snapshot')
    .description(
      'Restore a snapshot, even while a server runs: each request sees either the old state or the new one. The clock continues from the moment of the save. Unsaved changes are lost.',
    )
    .argument('<name>', 'name of the snapshot')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox snapshot load funded')
    .action((name: string, flags: Flags) => load(context(), databaseOf(flags), name));
  onDatabase(snapshot.command('list'))
    .summary('list the snapshots, oldest first')
    .description('List the snapshots, oldest first, or remove one.')
    .option('--remove <name>', 'remove this snapshot')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl sandbox snapshot list\n  $ swapctl sandbox snapshot list --remove funded',
    )
    .action((flags: Flags) =>
      flags['remove'] === undefined
        ? list(context(), databaseOf(flags))
        : remove(context(), databaseOf(flags), String(flags['remove'])),
    );
  onDatabase(snapshot.command('diff'))
    .summary('compare two snapshots, or one with the current state')
    .description(
      'Compare two snapshots, or one with the current state: orders, partners, faults, clock. A comparison with the current state leaves out what only the passing of time has changed.',
    )
    .argument('<name>', 'snapshot to compare')
    .argument('[other]', 'snapshot to compare with (default: the current state)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl sandbox snapshot diff funded\n  $ swapctl sandbox snapshot diff funded paid --json',
    )
    .action((name: string, other: string | undefined, flags: Flags) =>
      printDiff(context(), databaseOf(flags), name, other ?? null),
    );
}

async function save(context: Context, database: SandboxDatabase, name: string): Promise<void> {
  const operator = await context.operator(database);
  const { savedView } = await views();
  await context.streams.print(savedView(await operator.snapshots.save(name)));
}

async function load(context: Context, database: SandboxDatabase, name: string): Promise<void> {
  const operator = await context.operator(database);
  const { loadedView } = await views();
  await context.streams.print(loadedView(await operator.snapshots.load(name)));
}

async function list(context: Context, database: SandboxDatabase): Promise<void> {
  const operator = await context.operator(database);
  const { snapshotsView } = await views();
  const snapshots = await operator.snapshots.list();
  await context.streams.print(snapshotsView(snapshots, context.now()));
  if (snapshots.length === 0)
    context.streams.note('No snapshots. Save one with `swapctl sandbox snapshot save <name>`.');
}

async function remove(context: Context, database: SandboxDatabase, name: string): Promise<void> {
  if (name === '') throw new UsageError('Name the snapshot to remove.');
  const operator = await context.operator(database);
  const { removedSnapshotView } = await views();
  await operator.snapshots.remove(name);
  await context.streams.print(removedSnapshotView(name));
}

async function printDiff(
  context: Context,
  database: SandboxDatabase,
  from: string,
  to: string | null,
): Promise<void> {
  const operator = await context.operator(database);
  const { diffView } = await views();
  const { streams } = context;
  const diff = await operator.snapshots.diff(from, to);
  if (streams.format === 'json') {
    const indent = streams.raw.stdout.isTTY === true ? 2 : 0;
    const write = (part: unknown) => visibleJson(part, (clean) => JSON.stringify(clean, null, indent));
    for await (const piece of jsonPieces(diff, { write, indent }))
      await streams.write(joined(piece.split('\n').map(visible), shown`\n`));
    await streams.write(shown`\n`);
  } else for await (const page of diffPages(diff)) await streams.print(diffView(page));
  if (diff.same()) streams.note('No differences.');
}
