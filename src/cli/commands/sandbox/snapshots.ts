import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import { textView } from '../../terminal/streams.ts';
import { type Flags, readFlags } from '../shared/arguments.ts';
import { type Acting, acting, databaseOf, type Outcome, type SandboxDatabase, verb } from './verb.ts';
import { diffView, loadedView, savedView, snapshotsView } from './views/snapshots.ts';

/** Declares `swapctl sandbox snapshot save`, `load`, `list` and `diff`. */
export function snapshotCommands(snapshot: Command, context: () => Context): void {
  snapshot.description('Save, restore, list and compare named snapshots of the sandbox.').helpCommand(false);
  verb(
    snapshot,
    'save',
    'Save orders, events, faults, partners and clock under a name, in the same database. Replaces a snapshot of that name.',
    'snapshot save funded',
  )
    .summary('save orders, events, faults, partners and clock')
    .argument('<name>', 'letters, digits, dots, hyphens and underscores')
    .action(
      acting<[string]>(context, async ({ operator }, name) => savedView(await operator.snapshots.save(name))),
    );
  verb(
    snapshot,
    'load',
    'Restore a snapshot, even while a server runs: each request sees either the old state or the new one. The clock continues from the moment of the save. Unsaved changes are lost.',
    'snapshot load funded',
  )
    .summary('restore a snapshot')
    .argument('<name>', 'name of the snapshot')
    .action(
      acting<[string]>(context, async ({ operator }, name) =>
        loadedView(await operator.snapshots.load(name)),
      ),
    );
  verb(
    snapshot,
    'list',
    'List the snapshots, oldest first, or remove one.',
    'snapshot list',
    'snapshot list --remove funded',
  )
    .summary('list the snapshots, oldest first')
    .option('--remove <name>', 'remove this snapshot', nameArgument)
    .action(acting(context, listOrRemove));
  verb(
    snapshot,
    'diff',
    'Compare two snapshots, or one with the current state: orders, partners, faults, clock. Against the current state, changes due only to passing time are left out.',
    'snapshot diff funded',
    'snapshot diff funded paid --json',
  )
    .summary('compare two snapshots, or one with the current state')
    .argument('<name>', 'snapshot to compare')
    .argument('[other]', 'snapshot to compare with (default: the current state)')
    .action((name: string, other: string | undefined, flags: Flags) =>
      printDiff(context(), databaseOf(flags), name, other ?? null),
    );
}

function nameArgument(name: string): string {
  if (name !== '') return name;
  throw new UsageError('Pass the name of the snapshot to remove.');
}

async function listOrRemove({ operator, context, flags }: Acting): Promise<Outcome> {
  const removed = readFlags(flags).text('remove');
  if (removed !== null) {
    await operator.snapshots.remove(removed);
    return textView({ name: removed, removed: true }, `Removed snapshot ${removed}.`);
  }
  const snapshots = await operator.snapshots.list();
  const view = snapshotsView(snapshots, context.now());
  const none = 'No snapshots. Save one with `swapctl sandbox snapshot save <name>`.';
  return { ...view, note: snapshots.length === 0 ? none : undefined };
}

async function printDiff(context: Context, database: SandboxDatabase, from: string, to: string | null) {
  const operator = await context.operator(database);
  const diff = await operator.snapshots.diff(from, to);
  await context.streams.print(diffView(diff));
  if (diff.same) context.streams.note('No differences.');
}
