import { joined, shown, type Visible, visible } from '../../../base/text.ts';
import { clockTime, localTime, relativeTime, rfc3339, rfc3339OrNull } from '../../../base/time.ts';
import {
  type Attempt,
  type RecordedEvent,
  type SwapEvent,
  storedEvent,
} from '../../../core/ledger/events/event.ts';
import { type DetailLine, flatRows, renderDetails } from '../../terminal/details.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { displayWidth, indented, spaces, wrapWords } from '../../terminal/width.ts';
import { cellReader, tableView } from '../../views/columns.ts';
import { statusColour, statusWord } from '../../views/status.ts';
import { sideText } from '../../views/swap.ts';

/** An event with the state of its delivery, keys in the order of docs/command-line/events.md#the-event. */
export type EventResult = ReturnType<typeof eventResult>;

export type EventWithAttempts = ReturnType<typeof withAttempts>;

/** One attempt to deliver an event, as JSON and screens show it: its time is RFC 3339. */
export type AttemptResult = EventWithAttempts['deliveries'][number];

/** The state of a swap when listening began, in the form of an event; it is never delivered. */
export type SnapshotEvent = Omit<SwapEvent, 'id'> & { readonly id: null };

/** An event with the state of its delivery, the next attempt in RFC 3339. Throws StorageError if it is damaged. */
export function eventResult(event: RecordedEvent) {
  const { delivery, attempts, nextAttemptAt, lastError } = event;
  const next = rfc3339OrNull(nextAttemptAt);
  return { ...storedEvent(event), delivery, attempts, nextAttemptAt: next, lastError };
}

export function withAttempts(event: EventResult, attempts: readonly Attempt[]) {
  return { ...event, deliveries: attempts.map((attempt) => ({ ...attempt, at: rfc3339(attempt.at) })) };
}

/** Several events, a row each. */
export function eventsView(events: readonly EventResult[], now: number): View {
  const cells = [...EVENT_CELLS, 'delivery', 'attempts', 'nextAttemptAt', 'lastError'];
  return tableView(events, cells, (style) => [
    { title: 'ORDER', paint: style.bold, cell: ({ order }) => order ?? '-' },
    { title: '#', align: 'right', cell: ({ sequence }) => String(sequence) },
    { title: 'TYPE', paint: (text) => typeColour(style, text.trim())(text), cell: ({ type }) => type },
    { title: 'DELIVERY', wraps: true, cell: (event) => deliveryWords(event, now) },
    { title: 'SEEN', wraps: true, cell: ({ at }) => relativeTime(at, now) },
    { title: 'ID', cell: ({ id }) => id },
  ]);
}

export function eventView(event: EventWithAttempts, now: number): View {
  return {
    json: () => event,
    rows: () => flatRows(event),
    screen: (style, width) => {
      const attempts = event.deliveries.map((attempt) => attemptLine(attempt, style));
      const list = attempts.length === 0 ? '' : shown`\n${joined(attempts)}`;
      return shown`${renderDetails(eventLines(event, style, now), style, width)}${list}`;
    },
  };
}

/** One event, or the state of a swap at the start, on one line. */
export function eventLineView(event: SwapEvent | SnapshotEvent): View {
  return {
    json: () => event,
    rows: () => [eventCells(event)],
    screen: (style, width) => {
      const [time, order] = [visible(clockTime(event.at)), visible(event.order ?? '-')];
      const type = visible(event.type);
      const head = shown` ${style.dim(time)}  ${order}  ${typeColour(style, type)(type)}`;
      const facts = event.order === null ? '' : factsOf(event);
      const room = width - displayWidth(shown` ${time}  ${order}  ${type}  `);
      // The id is in `events list` too.
      const textThatFits = [[facts, event.id].filter(Boolean).join('  '), facts].find(
        (words) => displayWidth(visible(words)) <= room,
      );
      if (textThatFits !== undefined) return shown`${head}  ${visible(textThatFits)}\n`;
      return shown`${head}\n${indented(joined(wrapWords(visible(facts), width - 4), shown`\n`), spaces(4))}`;
    },
  };
}

const EVENT_CELLS = [
  'at',
  'order',
  'sequence',
  'type',
  'data.swap.status',
  'data.swap.statusCode',
  'previous.status',
  'id',
  'profile',
  'environment',
];

const eventCells = cellReader(EVENT_CELLS);

/** Detail next to the type: both sides of a new swap, otherwise the previous status. */
function factsOf({ id, data, previous }: SwapEvent | SnapshotEvent): string {
  if (!('swap' in data)) return '';
  const { swap } = data;
  const doubts = swap.doubts.length === 0 ? '' : `mismatch: ${swap.doubts.join(', ')}  `;
  const before = previous === null || previous.status === swap.status ? '' : `was ${previous.status}  `;
  const sides = `${sideText(swap.deposit)} → ${sideText(swap.receive)}`;
  return `${id === null ? `${statusWord(swap)}  ` : ''}${doubts}${before}${sides}`;
}

function eventLines(event: EventWithAttempts, style: Style, now: number): readonly DetailLine[] {
  const swap = 'swap' in event.data ? event.data.swap : null;
  const request = 'request' in event.data ? event.data.request : null;
  return [
    ['Event', event.id, style.bold],
    ['Type', event.type, typeColour(style, event.type)],
    ['Order', event.order],
    ['Number', String(event.sequence)],
    ['Seen', relativeTime(event.at, now)],
    ['Before', event.previous?.status ?? null],
    ['Deposit', swap === null ? null : sideText(swap.deposit)],
    ['Receive', swap === null ? null : sideText(swap.receive)],
    ['Requested', request === null ? null : `${request.deposit.coin} to ${request.receive.coin}`],
    ['Doubts', swap === null ? null : swap.doubts.join(', '), style.red],
    ['Profile', event.profile],
    ['Delivery', deliveryWords(event, now)],
    ['Last error', event.lastError, style.yellow, 'prose'],
  ];
}

function attemptLine({ at, target, httpStatus, error, milliseconds }: AttemptResult, style: Style): Visible {
  const outcome = error ?? (httpStatus === null ? 'delivered' : `delivered (${httpStatus})`);
  return shown` ${style.dim(visible(localTime(at)))}  ${visible(target)}  ${visible(outcome)}  ${style.dim(visible(`${milliseconds} ms`))}\n`;
}

function deliveryWords({ delivery, attempts, nextAttemptAt }: EventResult, now: number): string {
  const tries = attempts === 0 ? '' : `, ${attempts === 1 ? 'tried once' : `tried ${attempts} times`}`;
  if (delivery === 'none') return 'not forwarded';
  if (delivery !== 'pending') return delivery;
  if (nextAttemptAt === null) return 'waiting for an earlier event';
  return attempts === 0 ? 'pending' : `again ${relativeTime(nextAttemptAt, now)}${tries}`;
}

function typeColour(style: Style, type: string): (text: Visible) => Visible {
  if (!type.startsWith('swap.')) return style.red;
  const word = type.slice('swap.'.length);
  return word === 'doubtful' ? style.red : statusColour(style, word);
}
