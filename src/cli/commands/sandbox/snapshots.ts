import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { counted } from '../../../base/text.ts';
import { localTime, localValue, relativeTime, rfc3339, spanWords } from '../../../base/time.ts';
import type { Changes } from '../../../core/swap/changes.ts';
import { snapshotJson } from '../../../sandbox/operator/json.ts';
import type { KindDiff, SnapshotDiff } from '../../../sandbox/snapshots/diff.ts';
import type { SavedSnapshot } from '../../../sandbox/snapshots/snapshots.ts';
import type { Context } from '../../context.ts';
import { textView, type View } from '../../terminal/streams.ts';
import { renderTable } from '../../terminal/table.ts';
import { tableView } from '../../views/columns.ts';
import { readFlags } from '../shared/arguments.ts';
import { type Acting, acting, type VerbResult, verb } from './verb.ts';

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
    .action(
      acting<[string, string?]>(context, async ({ operator }, name, other) => {
        const diff = await operator.snapshots.diff(name, other ?? null);
        return { ...diffView(diff), note: diff.same ? 'No differences.' : undefined };
      }),
    );
}

function nameArgument(name: string): string {
  if (name !== '') return name;
  throw new UsageError('Pass the name of the snapshot to remove.');
}

async function listOrRemove({ operator, context, flags }: Acting): Promise<VerbResult> {
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

function savedView(snapshot: SavedSnapshot & { readonly replaced: boolean }): View {
  const verb = snapshot.replaced ? 'Replaced' : 'Saved';
  return sentenceView(snapshot, `${verb} ${snapshot.name}: ${counted(snapshot.orders, 'order')}.`);
}

export function loadedView(snapshot: SavedSnapshot): View {
  const { name, now } = snapshot;
  const words = `Loaded ${name}: ${counted(snapshot.orders, 'order')}. The clock continues from ${localTime(rfc3339(now))}.`;
  return sentenceView(snapshot, words);
}

function sentenceView(snapshot: SavedSnapshot, words: string): View {
  const result = snapshotJson(snapshot);
  return { ...textView(result, words), rows: () => [Object.values(result)] };
}

/** Snapshots, a row each; on a terminal with their age at `now`. */
function snapshotsView(snapshots: readonly SavedSnapshot[], now: number): View {
  const view = tableView(
    snapshots,
    (snapshot) => Object.values(snapshotJson(snapshot)),
    (style) => [
      { title: 'NAME', paint: style.bold, cell: ({ name }) => name },
      { title: 'SAVED', wraps: true, cell: ({ savedAt }) => relativeTime(rfc3339(savedAt), now) },
      { title: 'CLOCK', wraps: true, cell: (saved) => clockWords(saved.now - saved.savedAt) },
      { title: 'ORDERS', align: 'right', cell: ({ orders }) => String(orders) },
    ],
  );
  return { ...view, json: () => snapshots.map((each) => snapshotJson(each)) };
}

/** How far the sandbox's clock is ahead of the real one, in milliseconds, for people. */
function clockWords(ahead: number): string {
  const distance = Math.abs(ahead);
  if (distance < 1000) return 'real time';
  return `${spanWords(distance)} ${ahead > 0 ? 'ahead' : 'behind'}`;
}

/** The differences between two states, a row for each value: kind, which one, what happened, path, before, after. */
export function diffView(diff: SnapshotDiff): View {
  const rows = () => [
    ...kindRows('order', diff.orders, ({ order, status }) => [order, status]),
    ...kindRows('partner', diff.partners, ({ name }) => [name, null]),
    ...kindRows('fault', diff.faults, ({ id, rule }) => [String(id), JSON.stringify(rule)]),
    ...changeRows('clock', '', diff.clock.changes),
  ];
  return {
    json: () => diff,
    rows,
    screen: async (style, width) => {
      const cells = rows().map((row) => localCells(row.map((cell) => cell ?? '')));
      if (cells.length === 0) return '';
      const columns = [
        { title: 'KIND' },
        { title: 'NAME', paint: style.bold },
        { title: 'CHANGE' },
        { title: 'PATH' },
        { title: 'BEFORE', wraps: true },
        { title: 'AFTER', wraps: true },
      ];
      return renderTable(columns, cells, style, width);
    },
  };
}

/** A row with its values before and after in local time, where they are times. */
function localCells(row: readonly string[]): readonly string[] {
  const [path = '', ...values] = row.slice(3);
  return [...row.slice(0, 3), path, ...values.map((value) => localValue(path, value))];
}

type Row = readonly (string | null)[];

function* kindRows<Item>(
  kind: string,
  { added, removed, changed }: KindDiff<Item>,
  cellsOf: (item: Item) => readonly [id: string, words: string | null],
): Generator<Row> {
  for (const [id, words] of removed.map(cellsOf)) yield [kind, id, 'removed', null, words, null];
  for (const [id, words] of added.map(cellsOf)) yield [kind, id, 'added', null, null, words];
  for (const item of changed) yield* changeRows(kind, cellsOf(item)[0], item.changes);
}

function* changeRows(kind: string, id: string, changes: Changes): Generator<Row> {
  for (const [path, values] of Object.entries(changes))
    yield [kind, id, 'changed', path, ...values.map((value) => (value === null ? null : String(value)))];
}
