import type { TimelineEvent, TimelineResult } from '../../ledger/timeline.ts';
import type { ChangedValue } from '../../swap/changes.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { blanks, displayWidth, indented, wrapWords } from '../../terminal/width.ts';
import type { Visible } from '../../text.ts';
import { joined, shown, visible } from '../../text.ts';
import { localTime, localValue, zoneName } from '../../time.ts';
import { environmentMark, statusColour, statusWord } from '../status.ts';
import { sideText } from '../swap.ts';

/** Everything that was seen of a swap; in a pipe a line for each value that changed. */
export function timelineView(timeline: TimelineResult, now: number): View {
  return {
    json: () => timeline,
    rows: () => timeline.events.flatMap(eventRows),
    screen: (style, width) =>
      shown`${heading(timeline, style, now, width)}${joined(timeline.events.map((event) => eventLines(event, style, width)))}`,
  };
}

function eventRows({ at, type, status, statusCode, changes }: TimelineEvent) {
  const head = [at, type, status, statusCode];
  const values = Object.entries(changes);
  if (values.length === 0) return [[...head, null, null, null]];
  return values.map(([path, [before, after]]) => [...head, path, valueText(before), valueText(after)]);
}

function heading({ order, swap }: TimelineResult, style: Style, now: number, width: number): Visible {
  const word = statusColour(style, swap.status)(visible(statusWord(swap)));
  const name = style.bold(visible(order ?? 'no order known'));
  const sides = visible(`${sideText(swap.deposit)} to ${sideText(swap.receive)}, profile ${swap.profile}`);
  const zone = style.dim(visible(`times are local, ${zoneName(now)}`));
  return shown` ${name}  ${word}  ${style.dim(shown`·`)} ${environmentMark(style, swap.environment)}\n${indented(joined(wrapWords(sides, width - 1), shown`\n`), shown` `)} ${zone}\n`;
}

const INDENT = 4;

function eventLines(event: TimelineEvent, style: Style, width: number): Visible {
  const { at, type, status, changes } = event;
  const word = type.startsWith('swap.') && status !== null ? statusColour(style, status) : style.bold;
  const head = shown`\n ${style.dim(visible(localTime(at)))}  ${word(visible(titleOf(event)))}\n`;
  const told = Object.entries(changes).filter(([path]) => !IN_TITLE.has(path));
  const longest = Math.max(0, ...told.map(([path]) => displayWidth(visible(path))));
  const lines = told.map(([path, change]) => changeLines(path, change, { style, width, longest }));
  return shown`${head}${joined(lines)}`;
}

interface Layout {
  readonly style: Style;
  readonly width: number;
  /** Columns of the longest path. */
  readonly longest: number;
}

/** A path with its values beside it, or whole on lines of their own where they do not fit. */
function changeLines(
  path: string,
  [before, after]: readonly [ChangedValue, ChangedValue],
  { style, width, longest }: Layout,
): Visible {
  const name = visible(path);
  const start = shown`${blanks(INDENT)}${style.dim(name)}`;
  const [old, now] = [shownValue(path, before), shownValue(path, after)];
  const isNew = isNothing(before);
  const values = isNew ? [style.bold(now)] : [old, shown`→ ${style.bold(now)}`];
  const columns = displayWidth(isNew ? now : shown`${old} → ${now}`);
  if (columns <= width - INDENT - longest - 2)
    return shown`${start}${blanks(longest - displayWidth(name) + 2)}${joined(values, shown` `)}\n`;
  // One wider than the terminal starts at its edge, so that it breaks late.
  const isWide = INDENT + 4 + Math.max(displayWidth(old), displayWidth(now)) > width;
  const indent = blanks(isWide ? 0 : INDENT + 2);
  return shown`${start}\n${joined(values.map((value) => shown`${indent}${value}\n`))}`;
}

/** Paths that the title of an event tells already. */
const IN_TITLE: ReadonlySet<string> = new Set(['status', 'statusCode', 'final']);

const TITLES: ReadonlyMap<string, string> = new Map([
  ['create.requested', 'asked for'],
  ['create.unknown', 'no usable answer: outcome unknown'],
  ['create.refused', 'refused'],
  ['create.not-sent', 'not sent'],
  ['create.dismissed', 'dismissed: outcome of no interest any more'],
  ['swap.changed', 'changed'],
  ['refund_address.set', 'refund address set'],
]);

function titleOf({ type, status, statusCode }: TimelineEvent): string {
  if (type === 'swap.doubtful') return `in doubt (${status})`;
  const known = TITLES.get(type);
  if (known !== undefined) return type === 'swap.changed' ? `${status}, changed` : known;
  return status === null || statusCode === null ? type : statusWord({ status, statusCode });
}

function shownValue(path: string, value: ChangedValue): Visible {
  return visible(isNothing(value) ? 'none' : localValue(path, valueText(value)));
}

function isNothing(value: ChangedValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function valueText(value: ChangedValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}
