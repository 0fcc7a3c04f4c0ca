import { ENDPOINTS } from '../../../partner-api/endpoints.ts';
import type { JsonValue } from '../../../partner-api/json.ts';
import { countAt, memberAt, textAt } from '../../../partner-api/json-path.ts';
import { MESSAGES } from '../../../partner-api/messages.ts';
import { STATUS_CODES, TYPE_SWAP } from '../../../partner-api/statuses.ts';
import { TIME_FORMS } from '../../habits/choices.ts';
import { CREATED_STATUS, OK_STATUS, ORDER_NUMBER_LENGTH } from '../../state/assumptions.ts';
import type { Exchange } from './exchange.ts';
import type { Findings } from './result.ts';

const MAX_MESSAGE_LENGTH = 200;
const STATUS_CALL = 'swapctl status <order>';
const UPDATE_CALL = 'swapctl refund <order> <address>';

const TIMES: Readonly<Record<(typeof TIME_FORMS)[number], RegExp>> = {
  milliseconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  seconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  offset: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/,
  plain: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  unix: /^\d{9,10}$/,
  'unix-milliseconds': /^\d{12,13}$/,
};

const ORDER = new RegExp(`^[A-Z]{${ORDER_NUMBER_LENGTH}}$`);

/** A value that no overlay has. */
const OTHER = Symbol('other');

interface Point {
  readonly point: string;
  /** Its name in the overlay; null if an overlay can only have the plain value. */
  readonly name: string | null;
  /** The plain sandbox's value. */
  readonly plain: string | number;
  readonly call: string;
  /** Its value in an answer; undefined if the answer does not show it. */
  readonly read: (exchange: Exchange) => string | number | typeof OTHER | undefined;
  /** Description of {@link OTHER}. */
  readonly other?: string;
  /** Put before the value for a person. */
  readonly prefix?: string;
}

function isSwap({ ok, endpoint }: Exchange): boolean {
  return ok && /transaction$/.test(endpoint);
}

function success(method: 'GET' | 'POST' | 'PATCH') {
  return ({ endpoint, ok, status }: Exchange) =>
    ok && ENDPOINTS[endpoint].method === method ? status : undefined;
}

function timeForm(exchange: Exchange) {
  const { json } = exchange;
  const time = isSwap(exchange) ? textAt(json, 'swapTime.start') || textAt(json, 'createdAt') : undefined;
  return time ? (TIME_FORMS.find((form) => TIMES[form].test(time)) ?? OTHER) : undefined;
}

function orderForm(exchange: Exchange) {
  const order = isSwap(exchange) ? textAt(exchange.json, 'orderNumber') : undefined;
  return order ? (ORDER.test(order) ? 'six capitals' : OTHER) : undefined;
}

function durationForm(exchange: Exchange) {
  const duration = isSwap(exchange) ? textAt(exchange.json, 'swapTime.duration') : undefined;
  return duration ? (duration.includes(':') ? 'clock' : 'seconds') : undefined;
}

/** The status of a swap whose payout was sent and is not confirmed. */
function sentPayout(exchange: Exchange) {
  const { json } = exchange;
  const status = countAt(json, 'status');
  const isSent = isSwap(exchange) && Boolean(textAt(json, 'receiveTransaction.txId'));
  const isConfirmed = Boolean(textAt(json, 'receiveTransaction.gettingInTheBlock'));
  return isSent && !isConfirmed && status !== undefined && status < 1000 ? status : undefined;
}

function refundMessage({ ok, endpoint, json }: Exchange) {
  const message = ok && endpoint === 'update-refund-address' ? textAt(json, 'message') : undefined;
  return message?.slice(0, MAX_MESSAGE_LENGTH) || undefined;
}

function boundsVerb({ status, json }: Exchange) {
  const [, verb] = /^amount to (swap|exchange)/i.exec(textAt(json, 'message') ?? '') ?? [];
  return status === 400 ? verb?.toLowerCase() : undefined;
}

function defaultListing({ endpoint, ok, status, parameters, json }: Exchange) {
  if (endpoint !== 'get-all-coins' || parameters.has('method') || parameters.has('search')) return undefined;
  if (ok) return memberAt(json, 'withdrawCoins') === undefined ? 'deposit' : 'receive';
  return status === 400 && parameters.size === 0 ? 'refuse' : undefined;
}

const POINTS: readonly Point[] = [
  { point: 'status of a read', name: 'readStatus', plain: OK_STATUS, call: 'any read', read: success('GET') },
  {
    point: 'status of a create',
    name: 'createStatus',
    plain: CREATED_STATUS,
    call: 'a create: swapctl conformance --write',
    read: success('POST'),
  },
  {
    point: 'status of a changed refund address',
    name: 'updateStatus',
    plain: OK_STATUS,
    call: UPDATE_CALL,
    read: success('PATCH'),
  },
  {
    point: 'listing without a method',
    name: 'defaultListing',
    plain: 'deposit',
    call: 'swapctl api get-all-coins',
    read: defaultListing,
  },
  {
    point: 'form of times',
    name: 'times',
    plain: 'milliseconds',
    call: `${STATUS_CALL}, or a create`,
    read: timeForm,
    other: 'it is not one that an overlay knows',
  },
  {
    point: 'form of order numbers',
    name: null,
    plain: 'six capitals',
    call: `${STATUS_CALL}, or a create`,
    read: orderForm,
    other: 'it is not six capitals, and no overlay has another',
  },
  {
    point: 'form of a duration',
    name: 'duration',
    plain: 'clock',
    call: `${STATUS_CALL}, of one that has ended`,
    read: durationForm,
  },
  {
    point: 'code of a sent payout',
    name: 'payoutSentCode',
    plain: STATUS_CODES.PAID_OUT,
    call: `${STATUS_CALL} --watch, of one that is paid out`,
    read: sentPayout,
  },
  {
    point: 'message of a changed refund address',
    name: 'refundMessage',
    plain: MESSAGES.REFUND_UPDATED,
    call: UPDATE_CALL,
    read: refundMessage,
  },
  {
    point: 'wording for an amount outside the limits',
    name: 'boundsVerb',
    plain: 'swap',
    call: 'swapctl quote with a tiny amount',
    read: boundsVerb,
    prefix: 'to ',
  },
];

/** Learns the points that a single answer shows, each from the first that does, and the deposit window. */
export class PointsSeen {
  readonly #values = new Map<Point, string | number | typeof OTHER>();
  readonly #windows = new Map<'fixed' | 'float', number>();

  see(exchange: Exchange): void {
    for (const point of POINTS) {
      const value = this.#values.has(point) ? undefined : point.read(exchange);
      if (value !== undefined) this.#values.set(point, value);
    }
    if (isSwap(exchange)) this.#seeWindow(exchange.json);
  }

  #seeWindow(json: JsonValue | undefined): void {
    const [start, expires] = [textAt(json, 'swapTime.start'), textAt(json, 'expiredAt')];
    if (!start || !expires) return;
    const seconds = Math.round((instant(expires) - instant(start)) / 1000);
    const isFixed = countAt(json, 'type.typeSwap') === TYPE_SWAP.fixed;
    if (seconds > 0 && seconds < 1_000_000) this.#windows.set(isFixed ? 'fixed' : 'float', seconds);
  }

  report(findings: Findings): void {
    for (const each of POINTS) {
      const { point, name, plain, call, other = '', prefix = '' } = each;
      const value = this.#values.get(each);
      if (value === undefined) findings.lacking(point, call);
      else if (value === OTHER) findings.lacking(point, other);
      else if (name === null) findings.found(point, String(value));
      else findings.decided(point, name, value, { words: `${prefix}${value}`, isPlain: value === plain });
    }
    if (this.#windows.size === 0) {
      findings.lacking('deposit window', 'only a field expiredAt of a swap shows it');
      return;
    }
    const window = Object.fromEntries([...this.#windows].map(([type, seconds]) => [type, `${seconds}s`]));
    const words = JSON.stringify(window).replace(/[{}"]/g, '');
    findings.decided('deposit window', 'depositWindow', window, { words });
  }
}

/** A time of any of the known forms, in milliseconds since 1970; NaN for none. */
function instant(text: string): number {
  if (TIMES.unix.test(text)) return Number.parseInt(text, 10) * 1000;
  if (TIMES['unix-milliseconds'].test(text)) return Number.parseInt(text, 10);
  return Date.parse(TIMES.plain.test(text) ? `${text.replace(' ', 'T')}Z` : text);
}
