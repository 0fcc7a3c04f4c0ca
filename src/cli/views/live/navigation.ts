import { wireTime } from '../../../base/time.ts';
import { RANK_OVER, RANK_UNSEEN, urgencyRank, windowSortValue } from '../../../core/swap/attention.ts';
import type { Key } from '../../terminal/live.ts';
import { statusWord } from '../status.ts';
import type { WatchedSwap } from './frame.ts';

const SORTS = ['most urgent', 'oldest', 'newest', 'order number'] as const;

/** A person's position on a board: what is listed, which row is selected, and whether it is open. */
export interface Navigation {
  /** Key of the selected swap; null before the first key. */
  readonly selected: string | null;
  /** Index of the first row that is shown. */
  readonly top: number;
  /** Words that a row must contain. */
  readonly filter: string;
  /** The filter is being typed. */
  readonly isTyping: boolean;
  readonly sort: (typeof SORTS)[number];
  /** The selected swap is shown instead of the board. */
  readonly isOpen: boolean;
}

/** The board before the first key. */
export const UNTOUCHED: Navigation = {
  selected: null,
  top: 0,
  filter: '',
  isTyping: false,
  sort: SORTS[0],
  isOpen: false,
};

/** Identifies a row: two profiles may have an order of the same number. The profile is empty before the first poll. */
export function keyOf({ order, swap }: WatchedSwap): string {
  return `${order}\n${swap?.profile ?? ''}`;
}

/** Index of the selected row, by its order alone where it was selected before the first poll; -1 for none. */
export function selectedIndex(keys: readonly string[], { selected }: Pick<Navigation, 'selected'>): number {
  if (selected === null) return -1;
  return keys.findIndex((key) => key === selected || (selected.endsWith('\n') && key.startsWith(selected)));
}

/** The swaps that have every word of the filter, sorted by `sort`; equally urgent ones by the end of their window. */
export function listed(
  swaps: readonly WatchedSwap[],
  { filter, sort }: Pick<Navigation, 'filter' | 'sort'>,
  now: number,
): readonly WatchedSwap[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = words.length === 0 ? swaps : swaps.filter((watched) => fits(watched, words));
  if (sort === 'order number') return [...fitting].sort((a, b) => (a.order < b.order ? -1 : 1));
  const keyed = fitting.map((watched) => ({ watched, by: sortKeys(watched, sort, now) }));
  return keyed.sort(({ by: [a, x] }, { by: [b, y] }) => a - b || x - y).map(({ watched }) => watched);
}

function sortKeys(
  { swap, gone, clockAhead = 0 }: WatchedSwap,
  sort: Navigation['sort'],
  now: number,
): readonly [number, number] {
  if (sort !== 'most urgent') {
    const created = wireTime(swap?.createdAt ?? swap?.startedAt ?? null) ?? 0;
    return [sort === 'oldest' ? created : -created, 0];
  }
  if (swap === null) return [gone === null ? RANK_UNSEEN : RANK_OVER, Number.MAX_SAFE_INTEGER];
  const at = now + clockAhead;
  return [gone === null ? urgencyRank(swap, at) : RANK_OVER, windowSortValue(swap, at)];
}

function fits({ order, swap }: WatchedSwap, words: readonly string[]): boolean {
  const sides = swap === null ? [] : [swap.deposit, swap.receive];
  const ofSides = sides.flatMap((side) => [side.coin, side.network, side.amount, side.address, side.txId]);
  const labels = Object.entries(swap?.labels ?? {}).flat();
  const status = swap === null ? '' : statusWord(swap);
  const text = [order, status, swap?.profile, ...labels, ...ofSides].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The rows of a board as they were last drawn. */
export interface VisibleRows {
  /** Keys of all rows that fit the filter, in their order. */
  readonly keys: readonly string[];
  /** How many of them were on the screen. */
  readonly count: number;
}

/** The position after a key; null to leave. */
export function pressed(navigation: Navigation, key: Key, { keys, count }: VisibleRows): Navigation | null {
  const { filter, isTyping, isOpen, sort } = navigation;
  if (isTyping) {
    if (key.name === 'return') return { ...navigation, isTyping: false };
    if (key.name === 'escape') return { ...navigation, isTyping: false, filter: '' };
    if (key.name === 'backspace') return { ...navigation, filter: filter.slice(0, -1) };
    if (key.text !== '') return { ...navigation, filter: filter + key.text, top: 0 };
  } else if (key.text === 'q') return null;
  if (isOpen) return BACK.has(key.name) ? { ...navigation, isOpen: false } : navigation;
  const index = selectedIndex(keys, navigation);
  const to = MOVES[key.name]?.(index, Math.max(1, count - 1), keys.length - 1);
  if (to !== undefined) {
    const next = keys[Math.max(0, Math.min(keys.length - 1, to))] ?? null;
    return { ...navigation, selected: next };
  }
  if (key.name === 'return') {
    const opened = keys[Math.max(0, index)];
    return opened === undefined ? navigation : { ...navigation, selected: opened, isOpen: true };
  }
  if (key.name === 'escape') return { ...UNTOUCHED, sort };
  if (key.text === '/') return { ...navigation, isTyping: true };
  if (key.text !== 's') return navigation;
  return { ...navigation, sort: SORTS[(SORTS.indexOf(sort) + 1) % SORTS.length] ?? sort, top: 0 };
}

const BACK: ReadonlySet<string> = new Set(['escape', 'return', 'backspace', 'left']);

/** Index to which a key moves, from an index that is -1 where no row is selected. */
const MOVES: Readonly<Record<string, (index: number, page: number, last: number) => number>> = {
  up: (index) => index - 1,
  down: (index) => index + 1,
  pageup: (index, page) => index - page,
  pagedown: (index, page) => Math.max(0, index) + page,
  home: () => 0,
  end: (_index, _page, last) => last,
};

/** The keys that a line below a board, an opened swap or the only one names. */
export function keyHint({ filter, isTyping, isOpen, sort }: Navigation, isOnly: boolean): string {
  if (isOnly) return 'q quit';
  if (isTyping) return `Filter: ${filter}_  (Enter to apply, Esc to clear)`;
  if (isOpen) return 'Esc back, q quit';
  const now = filter === '' ? '/ filter' : `/ filter (${filter}), Esc clear`;
  return `↑ ↓ move, Enter open, ${now}, s sort (${sort}), q quit`;
}
