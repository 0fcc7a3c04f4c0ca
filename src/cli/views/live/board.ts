import { joined, shown, type Visible, visible } from '../../../base/text.ts';
import { attentionOf, needOf } from '../../../core/swap/attention.ts';
import type { Style } from '../../terminal/style.ts';
import { type Column, layout, tableWidth } from '../../terminal/table.ts';
import { displayWidth, padded, wrapWords } from '../../terminal/width.ts';
import { age, environmentMark, statusColour } from '../status.ts';
import { sideText } from '../swap.ts';
import { ago, type Frame, failedPollLines, note, statusText, timeToPay, type WatchedSwap } from './frame.ts';
import * as navigate from './navigation.ts';

const GAP = shown`  `;
const INDENT = shown`   `;

type Row = ReturnType<typeof rowOf>;

/** A board as it is drawn, and where its rows are. */
export interface BoardFrame extends navigate.VisibleRows {
  readonly lines: readonly Visible[];
  /** Index of the first row that is shown. */
  readonly top: number;
}

/**
 * Several swaps as a board that fits the screen, the most urgent first, with the number of those left out. A row is one
 * line if that fits; otherwise its note or its amounts go below it. Nothing is shortened. With a navigation, its
 * selected row is on the screen and marked, and a line names the keys.
 */
export function boardOf(frame: Frame, navigation: navigate.Navigation | null): BoardFrame {
  const { swaps, now, height } = frame;
  const sorted = navigate.listed(swaps, navigation ?? navigate.UNTOUCHED, now);
  const keys = sorted.map(navigate.keyOf);
  const several = new Set(swaps.map(({ swap }) => swap?.profile)).size > 1;
  const below = [...failedPollLines(frame), ...keyLines(frame, navigation)];
  const summary = summaryLine(frame);
  const room = height - 1 - below.length;
  const selected = navigate.selectedIndex(keys, navigation ?? navigate.UNTOUCHED);
  /** Index of the first row of a screen that ends with this one. */
  const topBefore = (last: number) => {
    const before = sorted.slice(Math.max(0, last + 1 - room), last + 1);
    const rows = before.map((watched) => rowOf(watched, several, now));
    const { titles, blocks } = laidOut(rows, -1, several, frame);
    const isMoreAfter = last < sorted.length - 1;
    return last + 1 - fitting([...blocks].reverse(), last + 1, isMoreAfter, room - titles.length);
  };
  let top = navigation?.top ?? 0;
  if (top > 0) top = Math.max(0, Math.min(top, topBefore(sorted.length - 1), sorted.length - 1));
  if (selected >= 0) top = Math.min(top, selected);
  for (;;) {
    const rows = sorted.slice(top, top + Math.max(1, room)).map((watched) => rowOf(watched, several, now));
    const { titles, blocks } = laidOut(rows, selected - top, several, frame);
    const count = fitting(blocks, sorted.length - top, top > 0, room - titles.length);
    if (selected >= top + count && count > 0) {
      // The selected row is then the last one, unless the rows before it have another layout.
      top = Math.max(top + 1, topBefore(selected));
      continue;
    }
    const hidden = [...sorted.slice(0, top), ...sorted.slice(top + count)];
    const more = hidden.length === 0 ? [] : [moreLine(hidden, top, frame)];
    const head = sorted.length === 0 && swaps.length > 0 ? [shown` No swap matches the filter.`] : titles;
    const lines = [summary, ...head, ...blocks.slice(0, count).flat(), ...more, ...below];
    return { lines: lines.slice(0, height), keys, top, count };
  }
}

/** The lines that name the keys; none without a keyboard, or if the terminal has too few lines for them. */
export function keyLines(
  { swaps, style, width, height }: Frame,
  navigation: navigate.Navigation | null,
): readonly Visible[] {
  if (navigation === null) return [];
  const lines = wrapWords(visible(navigate.keyHint(navigation, swaps.length === 1)), width - 1);
  // A small terminal has no room for them.
  return lines.length * 3 > height ? [] : lines.map((line) => shown` ${style.dim(line)}`);
}

/** Number of rows that fit, with room for a line about the others where there are any, before or after them. */
function fitting(
  blocks: readonly (readonly Visible[])[],
  all: number,
  isMoreBefore: boolean,
  room: number,
): number {
  let used = 0;
  let count = 0;
  for (const [index, block] of blocks.entries()) {
    used += block.length;
    const isLast = index === all - 1 && !isMoreBefore;
    if (used + (isLast ? 0 : 1) > room) break;
    count += 1;
  }
  return count;
}

function rowOf(watched: WatchedSwap, several: boolean, now: number) {
  const { swap, order, seenAt, gone } = watched;
  const text = note(watched);
  const left = gone === null ? timeToPay(watched, now) : null;
  return {
    watched,
    needsPerson: swap !== null && needOf(swap) !== null,
    order: visible(order),
    status: visible(`${statusText(watched)}${left === null ? '' : ` ${left}`}`),
    send: visible(swap === null ? '' : sideText(swap.deposit)),
    receive: visible(swap === null ? '' : sideText(swap.receive)),
    /** Null if all swaps are of one profile. */
    profile: several ? visible(swap?.profile ?? '') : null,
    /** Age of the last poll in short, and in words. */
    age: visible(age(seenAt, now)),
    ago: visible(ago(seenAt, now)),
    note: text === null ? null : visible(text),
  };
}

interface BoardColumn extends Pick<Column, 'align'> {
  readonly title: Visible;
  cell(row: Row): Visible;
  colour?(text: Visible, row: Row): Visible;
}

function boardColumns(several: boolean, style: Style): readonly BoardColumn[] {
  const profile: BoardColumn = { title: shown`PROFILE`, cell: (row) => row.profile ?? shown`` };
  return [
    { title: shown`ORDER`, cell: (row) => row.order, colour: style.bold },
    { title: shown`STATUS`, cell: (row) => row.status, colour: (text, row) => paintStatus(text, row, style) },
    { title: shown`SEND`, cell: (row) => row.send },
    { title: shown`RECEIVE`, cell: (row) => row.receive },
    ...(several ? [profile] : []),
    { title: shown`CHECKED`, align: 'right', cell: (row) => row.age, colour: style.dim },
  ];
}

/** The widest layout in which every row fits: notes beside the columns, notes below them, or all below one another. */
function laidOut(rows: readonly Row[], selected: number, several: boolean, { width, style }: Frame) {
  const columns = boardColumns(several, style);
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = layout(columns, cells, width);
  if (widths === null)
    return {
      titles: [],
      blocks: rows.map((row, index) => stacked(row, markOf(index === selected, style), style, width)),
    };
  const widestNote = Math.max(0, ...rows.map((row) => displayWidth(row.note ?? '')));
  const isBeside = tableWidth(widths) + GAP.length + widestNote <= width;
  const pad = (text: Visible, index: number) => padded(text, widths[index] ?? 0, columns[index]?.align);
  const titles = columns.map(({ title }, index) => pad(title, index));
  return {
    titles: [shown` ${style.dim(joined(titles, GAP))}`],
    blocks: rows.map((row, number) => {
      const painted = columns.map(({ cell, colour }, index) => {
        const text = pad(cell(row), index);
        return colour?.(text, row) ?? text;
      });
      const line = shown`${markOf(number === selected, style)}${joined(painted, GAP)}`;
      if (row.note !== null && isBeside) return [shown`${line}${GAP}${paintNote(row, row.note, style)}`];
      return [line, ...noteLines(row, style, width)];
    }),
  };
}

function markOf(isSelected: boolean, style: Style): Visible {
  return isSelected ? style.bold(shown`>`) : shown` `;
}

function paintStatus(text: Visible, { watched: { swap } }: Row, style: Style): Visible {
  return swap === null ? style.dim(text) : statusColour(style, swap.status)(text);
}

function paintNote({ needsPerson }: Row, text: Visible, style: Style): Visible {
  return needsPerson ? style.yellow(text) : style.dim(text);
}

function noteLines(row: Row, style: Style, width: number): readonly Visible[] {
  if (row.note === null) return [];
  return wrapWords(row.note, width - INDENT.length).map(
    (line) => shown`${INDENT}${paintNote(row, line, style)}`,
  );
}

/** A swap in a narrow window: order, status and age, then the amounts, then the note. */
function stacked(row: Row, mark: Visible, style: Style, width: number): readonly Visible[] {
  const { send, receive, profile } = row;
  const head = [
    style.bold(row.order),
    paintStatus(row.status, row, style),
    ...(profile === null ? [] : [profile]),
    style.dim(shown`checked ${row.ago}`),
  ];
  const both = shown`${INDENT}${send} → ${receive}`;
  const amounts =
    displayWidth(both) <= width ? [both] : [shown`${INDENT}${send}`, shown`${INDENT}→ ${receive}`];
  return [
    shown`${mark}${joined(head, GAP)}`,
    ...(send === '' ? [] : amounts),
    ...noteLines(row, style, width),
  ];
}

function summaryLine({ swaps, now, style }: Frame): Visible {
  const open = swaps.filter(({ swap, gone }) => gone === null && swap?.final !== true).length;
  const ended = swaps.length - open;
  const people = swaps.filter(
    ({ swap, clockAhead = 0 }) => swap !== null && attentionOf(swap, now + clockAhead) !== null,
  ).length;
  const parts = [
    style.bold(shown`${open} open`),
    ...(ended === 0 ? [] : [shown`${ended} ended`]),
    ...(people === 0
      ? []
      : [style.yellow(visible(people === 1 ? '1 needs attention' : `${people} need attention`))]),
  ];
  const [environment, ...others] = new Set(swaps.flatMap(({ swap }) => swap?.environment ?? []));
  const where =
    environment === undefined || others.length > 0
      ? shown``
      : shown`  ${style.dim(shown`·`)} ${environmentMark(style, environment)}`;
  return shown` ${joined(parts, shown`, `)}${where}`;
}

function moreLine(hidden: readonly WatchedSwap[], above: number, { style, width }: Frame): Visible {
  const counts = new Map<string, number>();
  for (const { swap, gone } of hidden) {
    const status = gone !== null ? 'not watched' : (swap?.status ?? 'not checked yet');
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const count = `and ${hidden.length} more${above === 0 ? '' : ` (${above} above)`}`;
  const words = `${count}: ${[...counts].map(([status, number]) => `${number} ${status}`).join(', ')}`;
  return shown` ${style.dim(visible(words.length < width ? words : count))}`;
}
