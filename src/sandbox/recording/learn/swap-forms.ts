import type { JsonValue } from '../../../partner-api/json.ts';
import { isJsonNumber, JsonNumber } from '../../../partner-api/json.ts';
import { STATUS_CODES, TYPE_SWAP } from '../../../partner-api/statuses.ts';
import { TIME_FORMS } from '../../habits/choices.ts';
import { ORDER_NUMBER_LENGTH } from '../../state/assumptions.ts';
import type { Exchange } from './exchange.ts';
import { memberAt, textAt } from './exchange.ts';
import type { Findings } from './result.ts';

const TIMES: Readonly<Record<(typeof TIME_FORMS)[number], RegExp>> = {
  milliseconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  seconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  offset: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/,
  plain: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  unix: /^\d{9,10}$/,
  'unix-milliseconds': /^\d{12,13}$/,
};

const ORDER = new RegExp(`^[A-Z]{${ORDER_NUMBER_LENGTH}}$`);

/** A form that no overlay has. */
const OTHER = '?';

const STATUS_CALL = 'swapctl status <order>';

/** Learns in which forms a swap tells its times, order number and duration, and its deposit window. */
export class SwapFormsSeen {
  #times: (typeof TIME_FORMS)[number] | typeof OTHER | undefined;
  #order: 'six capitals' | typeof OTHER | undefined;
  #duration: 'clock' | 'seconds' | undefined;
  #payoutSentCode: string | undefined;
  readonly #windows = new Map<'fixed' | 'float', number>();

  see({ endpoint, ok, json }: Exchange): void {
    if (!ok || !/transaction$/.test(endpoint)) return;
    const start = textAt(json, 'swapTime.start');
    const time = start ?? textAt(json, 'createdAt');
    if (time !== undefined) this.#times ??= TIME_FORMS.find((form) => TIMES[form].test(time)) ?? OTHER;
    const order = textAt(json, 'orderNumber');
    if (order !== undefined) this.#order ??= ORDER.test(order) ? 'six capitals' : OTHER;
    const duration = textAt(json, 'swapTime.duration');
    if (duration !== undefined) this.#duration ??= /:/.test(duration) ? 'clock' : 'seconds';
    this.#seeSentPayout(json);
    this.#seeWindow(start, json);
  }

  #seeSentPayout(json: JsonValue | undefined): void {
    const status = wholeAt(json, 'status');
    const isSent = textAt(json, 'receiveTransaction.txId') !== undefined;
    const isConfirmed = textAt(json, 'receiveTransaction.gettingInTheBlock') !== undefined;
    if (isSent && !isConfirmed && status !== null) this.#payoutSentCode ??= String(status);
  }

  #seeWindow(start: string | undefined, json: JsonValue | undefined): void {
    const expires = textAt(json, 'expiredAt');
    if (start === undefined || expires === undefined) return;
    const seconds = Math.round((instant(expires) - instant(start)) / 1000);
    const isFixed = wholeAt(json, 'type.typeSwap') === TYPE_SWAP.fixed;
    if (seconds > 0 && seconds < 1_000_000) this.#windows.set(isFixed ? 'fixed' : 'float', seconds);
  }

  tell(findings: Findings): void {
    const [times, order, duration] = [this.#times, this.#order, this.#duration];
    if (times === undefined) findings.lacks('form of times', `${STATUS_CALL}, or a create`);
    else if (times === OTHER) findings.lacks('form of times', 'it is none that an overlay knows');
    else
      findings.decides('form of times', {
        name: 'times',
        value: times,
        words: times,
        isPlain: times === 'milliseconds',
      });
    if (order === undefined) findings.lacks('form of order numbers', `${STATUS_CALL}, or a create`);
    else if (order === OTHER)
      findings.lacks('form of order numbers', 'it is not six capitals, and no overlay has another');
    else findings.saw('form of order numbers', order);
    if (duration === undefined) findings.lacks('form of a duration', `${STATUS_CALL}, of one that has ended`);
    else
      findings.decides('form of a duration', {
        name: 'duration',
        value: duration,
        words: duration,
        isPlain: duration === 'clock',
      });
    this.#tellSentPayout(findings);
    this.#tellWindow(findings);
  }

  #tellSentPayout(findings: Findings): void {
    const point = 'code of a sent payout';
    const code = this.#payoutSentCode;
    if (code === undefined) findings.lacks(point, `${STATUS_CALL} --watch, of one that is paid out`);
    else {
      const isPlain = code === String(STATUS_CODES.PAID_OUT);
      findings.decides(point, { name: 'payoutSentCode', value: new JsonNumber(code), words: code, isPlain });
    }
  }

  #tellWindow(findings: Findings): void {
    if (this.#windows.size === 0) {
      findings.lacks('deposit window', 'only a field expiredAt of a swap shows it');
      return;
    }
    const window = Object.fromEntries([...this.#windows].map(([type, seconds]) => [type, `${seconds}s`]));
    const words = JSON.stringify(window).replace(/[{}"]/g, '');
    findings.decides('deposit window', { name: 'depositWindow', value: window, words, isPlain: false });
  }
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
