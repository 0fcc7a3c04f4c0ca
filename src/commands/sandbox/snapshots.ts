import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { SandboxDatabase } from './database-flag.ts';
import { databaseOf, onDatabase } from './database-flag.ts';

type Flags = Readonly<Record<string, unknown>>;

const views = () => import('../../views/sandbox/snapshots.ts');

/** Declares `swapctl sandbox save`, `load`, `list` and `diff`. */
export function snapshotCommands(sandbox: Command, context: () => Context): void {
  onDatabase(sandbox.command('save'))
    .summary('save orders, events, faults, partners and clock under a name')
    .description(
      'Save orders, events, faults, partners and clock under a name, in the same database. A snapshot of that name is replaced.',
    )
    .argument('<name>', 'letters, digits, dots, hyphens and underscores')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox save funded')
    .action((name: string, flags: Flags) => save(context(), databaseOf(flags), name));
  onDatabase(sandbox.command('load'))
    .summary('put a snapshot in the place of the present')
    .description(
      'Put a snapshot in the place of the present, beside a running server too: each request sees all of the old state or all of the new. The clock goes on from the moment of the save. What was not saved is gone.',
    )
    .argument('<name>', 'name of the snapshot')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox load funded')
    .action((name: string, flags: Flags) => load(context(), databaseOf(flags), name));
  onDatabase(sandbox.command('list'))
    .summary('the snapshots, the oldest first')
    .description('List the snapshots, the oldest first, or remove one.')
    .option('--remove <name>', 'remove this snapshot')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox list\n  $ swapctl sandbox list --remove funded')
    .action((flags: Flags) =>
      flags['remove'] === undefined
        ? list(context(), databaseOf(flags))
        : remove(context(), databaseOf(flags), String(flags['remove'])),
    );
  onDatabase(sandbox.command('diff'))
    .summary('what differs between two snapshots, or between one and the present')
    .description(
      'Tell what differs between two snapshots, or between one and the present: orders, partners, faults, clock. What passing time alone brought since a snapshot is no difference to the present.',
    )
    .argument('<name>', 'name of the snapshot before')
    .argument('[other]', 'name of the snapshot after; the present unless given')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl sandbox diff funded\n  $ swapctl sandbox diff funded paid --json',
    )
    .action((name: string, other: string | undefined, flags: Flags) =>
      diff(context(), databaseOf(flags), name, other ?? null),
    );
}

async function save(context: Context, database: SandboxDatabase, name: string): Promise<void> {
  const operator = await context.operator(database);
  const { savedView } = await views();
  await context.streams.print(savedView(await operator.saveSnapshot(name)));
}

async function load(context: Context, database: SandboxDatabase, name: string): Promise<void> {
  const operator = await context.operator(database);
  const { loadedView } = await views();
  await context.streams.print(loadedView(await operator.loadSnapshot(name)));
}

async function list(context: Context, database: SandboxDatabase): Promise<void> {
  const operator = await context.operator(database);
  const { snapshotsView } = await views();
  const snapshots = await operator.listSnapshots();
  await context.streams.print(snapshotsView(snapshots, context.now()));
  if (snapshots.length === 0)
    context.streams.note('No snapshots. Save one with `swapctl sandbox save <name>`.');
}

async function remove(context: Context, database: SandboxDatabase, name: string): Promise<void> {
  if (name === '') throw new UsageError('Name the snapshot to remove.');
  const operator = await context.operator(database);
  const { removedSnapshotView } = await views();
  await operator.removeSnapshot(name);
  await context.streams.print(removedSnapshotView(name));
}

async function diff(
  context: Context,
  database: SandboxDatabase,
  from: string,
  to: string | null,
): Promise<void> {
  const operator = await context.operator(database);
  const { diffView } = await views();
  const found = await operator.diffSnapshots(from, to);
  await context.streams.print(diffView(found));
  if (found.same) context.streams.note('No differences.');
}
