import type { EndpointName } from '../../../partner-api/endpoints.ts';
import { ENDPOINTS } from '../../../partner-api/endpoints.ts';
import type { JsonObject, JsonValue } from '../../../partner-api/json.ts';
import { isJsonNumber, JsonNumber } from '../../../partner-api/json.ts';
import { MESSAGES } from '../../../partner-api/messages.ts';
import { STATUS_CODES, TYPE_SWAP } from '../../../partner-api/statuses.ts';
import { TIME_FORMS } from '../../habits/choices.ts';
import {
  CREATED_STATUS,
  MAX_BODY_BYTES,
  OK_STATUS,
  ORDER_NUMBER_LENGTH,
  RATE_LIMIT,
} from '../../state/assumptions.ts';
import type { AnswerCheck } from '../deviations.ts';
import type { CoinsSeen } from './coins.ts';
import type { Exchange } from './exchange.ts';
import { listAt, memberAt, textAt } from './exchange.ts';
import type { Findings } from './result.ts';

const STATUSES = {
  GET: ['status of a read', 'readStatus', OK_STATUS, 'any read'],
  POST: ['status of a create', 'createStatus', CREATED_STATUS, 'a create: swapctl conformance --write'],
  PATCH: [
    'status of a changed refund address',
    'updateStatus',
    OK_STATUS,
    'swapctl refund <order> <address>',
  ],
} as const;

const TIMES: Readonly<Record<(typeof TIME_FORMS)[number], RegExp>> = {
  milliseconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  seconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  offset: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/,
  plain: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  unix: /^\d{9,10}$/,
  'unix-milliseconds': /^\d{12,13}$/,
};

const ORDER = new RegExp(`^[A-Z]{${ORDER_NUMBER_LENGTH}}$`);
const BIG_BODY = 16 * 1024 * 1024;
const WINDOWS = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 86_400];

/** Learns the decisions that are no habits. */
export class DecisionsSeen {
  readonly #check: AnswerCheck;
  readonly #statuses = new Map<'GET' | 'POST' | 'PATCH', number>();
  readonly #words = new Map<string, string>();
  readonly #windows = new Map<'fixed' | 'float', number>();
  readonly #extra = new Map<EndpointName, Map<string, JsonValue>>();
  readonly #broken = new Set<string>();
  readonly #unknownCoins: { status: number; message: string; coin: string }[] = [];
  #limit = 0;
  #reset = 0;
  #largestTaken = 0;
  #smallestRefused = Number.POSITIVE_INFINITY;

  constructor(check: AnswerCheck) {
    this.#check = check;
  }

  see(exchange: Exchange): void {
    const { endpoint, ok, status } = exchange;
    const { method } = ENDPOINTS[endpoint];
    if (ok && !this.#statuses.has(method)) this.#statuses.set(method, status);
    if (ok) this.#seeFields(exchange);
    if (ok && /transaction$/.test(endpoint)) this.#seeSwap(exchange);
    if (ok && endpoint === 'update-refund-address')
      this.#keep('refundMessage', textAt(exchange.json, 'message'));
    if (endpoint === 'get-coin-network' && [400, 404, 422].includes(status)) this.#seeUnknownCoin(exchange);
    this.#seeLimits(exchange);
    this.#seeBody(exchange);
    const message = textAt(exchange.json, 'message');
    if (status === 400 && message !== undefined && /^amount to (swap|exchange)/i.test(message))
      this.#keep('boundsVerb', /^amount to exchange/i.test(message) ? 'exchange' : 'swap');
  }

  #keep(name: string, value: string | undefined): void {
    if (value !== undefined && !this.#words.has(name)) this.#words.set(name, value.slice(0, 200));
  }

  #seeFields({ endpoint, text, body }: Exchange): void {
    const usual = { GET: OK_STATUS, POST: CREATED_STATUS, PATCH: OK_STATUS }[ENDPOINTS[endpoint].method];
    for (const { kind, path } of this.#check(endpoint, usual, text)) {
      if (kind === 'missing-field') this.#broken.add(`${endpoint}: ${path} is missing`);
      if (kind !== 'unknown-field' || path === 'expiredAt') continue;
      const fields = this.#extra.get(endpoint) ?? new Map<string, JsonValue>();
      this.#extra.set(endpoint, fields.set(path, emptied(firstAt(body, path.split('.')))));
    }
  }

  #seeSwap({ json }: Exchange): void {
    const start = textAt(json, 'swapTime.start');
    const time = start ?? textAt(json, 'createdAt');
    this.#keep(
      'times',
      time === undefined ? undefined : (TIME_FORMS.find((form) => TIMES[form].test(time)) ?? '?'),
    );
    const order = textAt(json, 'orderNumber');
    if (order !== undefined) this.#keep('order', ORDER.test(order) ? 'six capitals' : '?');
    const duration = textAt(json, 'swapTime.duration');
    this.#keep('duration', duration === undefined ? undefined : /:/.test(duration) ? 'clock' : 'seconds');
    const [status, typeSwap] = ['status', 'type.typeSwap'].map((path) => wholeAt(json, path));
    const isSent = textAt(json, 'receiveTransaction.txId') !== undefined;
    const isConfirmed = textAt(json, 'receiveTransaction.gettingInTheBlock') !== undefined;
    if (isSent && !isConfirmed && status !== null) this.#keep('payoutSentCode', String(status));
    const expires = textAt(json, 'expiredAt');
    if (start === undefined || expires === undefined) return;
    const seconds = Math.round((instant(expires) - instant(start)) / 1000);
    if (seconds > 0 && seconds < 1_000_000)
      this.#windows.set(typeSwap === TYPE_SWAP.fixed ? 'fixed' : 'float', seconds);
  }

  #seeUnknownCoin({ status, json, parameters }: Exchange): void {
    const [coin, message] = [parameters.get('coin') ?? '', textAt(json, 'message')];
    if (coin !== '' && message !== undefined && this.#unknownCoins.length < 100)
      this.#unknownCoins.push({ status, message: message.slice(0, 200), coin });
  }

  #seeLimits({ headers }: Exchange): void {
    const number = (name: string) =>
      Number.parseInt(/^\d{1,7}$/.exec(headers.get(name) ?? '')?.[0] ?? '0', 10);
    this.#limit = Math.max(this.#limit, number('ratelimit-limit'));
    const [, window = '0'] = /\bw=(\d{1,6})/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
    this.#reset = Math.max(this.#reset, number('ratelimit-reset'), Number.parseInt(window, 10));
  }

  #seeBody({ bodyBytes, status }: Exchange): void {
    if (bodyBytes === 0) return;
    if (status === 413) this.#smallestRefused = Math.min(this.#smallestRefused, bodyBytes);
    else if (status < 500) this.#largestTaken = Math.max(this.#largestTaken, bodyBytes);
  }

  /** Says what was decided, where it was seen. */
  tell(findings: Findings, coins: CoinsSeen): void {
    for (const [method, [point, name, plain, call]] of Object.entries(STATUSES)) {
      const status = this.#statuses.get(method as keyof typeof STATUSES);
      if (status === undefined) findings.lacks(point, call);
      else findings.decides(point, name, number(status), String(status), status === plain);
    }
    this.#tellSwap(findings);
    this.#tellWords(findings, coins);
    this.#tellLimits(findings);
    this.#tellFields(findings);
    for (const [point, why] of UNSEEN) findings.lacks(point, why);
  }

  #tellSwap(findings: Findings): void {
    const [times, duration, sent] = ['times', 'duration', 'payoutSentCode'].map((name) =>
      this.#words.get(name),
    );
    const status = 'swapctl status <order>';
    if (times === undefined) findings.lacks('form of times', `${status}, or a create`);
    else if (times === '?') findings.lacks('form of times', 'it is none that an overlay knows');
    else findings.decides('form of times', 'times', times, times, times === 'milliseconds');
    const order = this.#words.get('order');
    if (order === undefined) findings.lacks('form of order numbers', `${status}, or a create`);
    else if (order === '?')
      findings.lacks('form of order numbers', 'it is not six capitals, and no overlay has another');
    else findings.saw('form of order numbers', order);
    if (duration === undefined) findings.lacks('form of a duration', `${status}, of one that has ended`);
    else findings.decides('form of a duration', 'duration', duration, duration, duration === 'clock');
    if (sent === undefined)
      findings.lacks('code of a sent payout', `${status} --watch, of one that is paid out`);
    else
      findings.decides(
        ...(['code of a sent payout', 'payoutSentCode', new JsonNumber(sent), sent] as const),
        sent === String(STATUS_CODES.PAID_OUT),
      );
    if (this.#windows.size === 0) {
      findings.lacks('deposit window', 'only a field expiredAt of a swap shows it');
      return;
    }
    const window = Object.fromEntries([...this.#windows].map(([type, seconds]) => [type, `${seconds}s`]));
    const plain = JSON.stringify(window);
    findings.decides('deposit window', 'depositWindow', window, plain.replace(/[{}"]/g, ''), false);
  }

  #tellWords(findings: Findings, coins: CoinsSeen): void {
    const refund = this.#words.get('refundMessage');
    if (refund === undefined) findings.lacks('message of a changed refund address', STATUSES.PATCH[3]);
    else
      findings.decides(
        ...(['message of a changed refund address', 'refundMessage', refund, refund] as const),
        refund === MESSAGES.REFUND_UPDATED,
      );
    const verb = this.#words.get('boundsVerb');
    if (verb === undefined)
      findings.lacks('words for an amount out of bounds', 'swapctl quote with a tiny amount');
    else
      findings.decides(
        'words for an amount out of bounds',
        'boundsVerb',
        verb,
        `to ${verb}`,
        verb === 'swap',
      );
    const unknown = this.#unknownCoins.find(({ coin }) => coins.spelling(coin) === undefined);
    if (unknown === undefined || coins.codes.length === 0)
      findings.lacks('unknown coin', 'swapctl api get-coin-network -f coin=NOSUCHCOIN');
    else {
      const { status, message } = unknown;
      const isPlain = status === 404 && message === MESSAGES.NOT_FOUND;
      const value = { status: number(status), message };
      findings.decides('unknown coin', 'unknownCoin', value, `${status} ${message}`, isPlain);
    }
  }

  #tellLimits(findings: Findings): void {
    if (this.#limit === 0 || this.#reset === 0)
      findings.lacks('rate limit', 'RateLimit-* headers show it; this service sends none');
    else {
      const window = WINDOWS.find((seconds) => seconds >= this.#reset) ?? this.#reset;
      const words = `${this.#limit}/${window}s`;
      const isPlain = words === `${RATE_LIMIT.count}/${RATE_LIMIT.windowSeconds}s`;
      findings.decides('rate limit', 'rateLimit', words, words, isPlain);
    }
    const [taken, refused] = [this.#largestTaken, this.#smallestRefused];
    if (taken > MAX_BODY_BYTES && taken < BIG_BODY) {
      const largest = Number.isFinite(refused) ? Math.max(taken, refused - 1) : BIG_BODY;
      findings.decides('largest body', 'maxBodyBytes', number(largest), `${taken} bytes and more`, false);
    } else if (refused <= MAX_BODY_BYTES && refused > 1024)
      findings.decides('largest body', 'maxBodyBytes', number(refused - 1), `below ${refused} bytes`, false);
    else if (Number.isFinite(refused)) findings.saw('largest body', `below ${refused} bytes`);
    else findings.lacks('largest body', 'a body over 64 KiB: swapctl conformance --write');
  }

  #tellFields(findings: Findings): void {
    for (const broken of this.#broken)
      findings.lacks(broken, 'the API document has it; no overlay takes a field away');
    if (this.#extra.size === 0) {
      findings.saw('undocumented fields', 'none');
      return;
    }
    const fields: JsonObject = {};
    for (const [endpoint, paths] of this.#extra) fields[endpoint] = Object.fromEntries(paths);
    const count = [...this.#extra.values()].reduce((sum, { size }) => sum + size, 0);
    findings.decides('undocumented fields', 'extraFields', fields, String(count), false);
  }
}

/** Points that no recording shows. */
const UNSEEN = [
  ['payloads and the order of the checks', 'a recording has no credentials; swapctl conformance tells them'],
  ['confirmation and exchange times', 'no one call shows them; the plain sandbox is quick'],
  ['fees', 'they are inside of the rate'],
] as const;

function number(value: number): JsonNumber {
  return new JsonNumber(String(value));
}

function wholeAt(json: JsonValue | undefined, path: string): number | null {
  const value = memberAt(json, path);
  const text = isJsonNumber(value) ? value.value : value;
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number.parseInt(text, 10) : null;
}

/** A time of any of the known forms, in milliseconds since 1970; NaN for none. */
function instant(text: string): number {
  if (TIMES.unix.test(text)) return Number.parseInt(text, 10) * 1000;
  if (TIMES['unix-milliseconds'].test(text)) return Number.parseInt(text, 10);
  return Date.parse(TIMES.plain.test(text) ? `${text.replace(' ', 'T')}Z` : text);
}

/** The first value at a path; `[]` after a name stands for the items of a list. */
function firstAt(at: JsonValue | undefined, [step, ...rest]: readonly string[]): JsonValue | undefined {
  if (step === undefined) return at;
  if (!step.endsWith('[]')) return firstAt(memberAt(at, step), rest);
  const items = listAt(at, step.slice(0, -2)).map((item) => firstAt(item, rest));
  return items.find((item) => item !== undefined);
}

/** A value of the same type without what it says, which may be about a customer. */
function emptied(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') return '';
  if (isJsonNumber(value)) return number(0);
  if (Array.isArray(value)) return [];
  if (typeof value === 'boolean') return false;
  return value === null || value === undefined ? null : {};
}
