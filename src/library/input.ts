import { UsageError } from '../base/errors.ts';
import { didYouMean } from '../base/suggest.ts';
import { echoed } from '../base/text.ts';
import { type BudgetLimit, parseBudget } from '../core/ledger/budget/limit.ts';
import { isPlainOrder } from '../core/swap/agreement/fundable.ts';
import { checkAmount, type Decimal } from '../core/swap/amount.ts';
import { checkLabel, type Labels } from '../core/swap/labels.ts';
import { type CoinOnNetwork, parseCoinRef } from '../core/swap/swap.ts';

/** The end of a message about a number given as an amount: what to pass instead, and why. */
export const NOT_TEXT = "pass a string such as '0.1', because JavaScript numbers are not exact";

/** Reads an amount. Throws `invalid_amount`, also for a number, whose digits may not be those that were meant. */
export function readAmount(value: unknown, name = 'amount'): Decimal {
  refuseMissing(value, name);
  const verdict = typeof value === 'string' ? checkAmount(value) : { ok: false as const, reason: NOT_TEXT };
  if (verdict.ok) return verdict.amount;
  throw new UsageError(`Invalid ${name}: ${verdict.reason}.`, undefined, 'invalid_amount');
}

/** Reads a coin with or without a network. Throws `usage`. */
export function readCoin(value: unknown, name: string): CoinOnNetwork {
  const { coin, network = null } = fieldsOf(value, name, ['coin', 'network']);
  const isText = typeof coin === 'string' && (network === null || typeof network === 'string');
  const text = network === null ? coin : `${coin}:${network}`;
  const ref = isText && !coin.includes(':') ? parseCoinRef(String(text)) : null;
  if (ref !== null) return ref;
  throw new UsageError(`"${name}" must be a coin such as { coin: 'USDT', network: 'TRX' }.`);
}

/** Reads a word from a list; the default is the first one. Throws `usage`. */
export function readChoice<T extends string>(value: unknown, name: string, choices: readonly [T, ...T[]]): T {
  const choice = value === undefined ? choices[0] : choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`"${name}" must be one of: ${choices.join(', ')}.`);
}

/** Reads a text. Throws `usage`; the message never repeats the value. */
export function readText(value: unknown, name: string): string {
  refuseMissing(value, name);
  if (typeof value === 'string') return value;
  throw new UsageError(`"${name}" must be a string.`);
}

/** Reads an optional text; null for null and undefined. Throws `usage`. */
export function readOptionalText(value: unknown, name: string): string | null {
  return value === undefined || value === null ? null : readText(value, name);
}

/** Reads an optional idempotency key, 1 to 255 printable ASCII characters; null for none. Throws `usage`. */
export function readKey(value: unknown): string | null {
  const key = readOptionalText(value, 'idempotencyKey');
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new UsageError('"idempotencyKey" must be 1 to 255 printable ASCII characters without spaces.');
}

/** Reads labels. Throws `usage`; the message never repeats a value. */
export function readLabels(value: unknown = {}): Labels {
  const labels = Object.entries(fieldsOf(value, 'labels')).map(([key, text]) => {
    const verdict = checkLabel(`${key}=${readText(text, 'labels')}`);
    if (verdict.ok && verdict.key === key) return [key, verdict.value] as const;
    throw new UsageError(`Invalid label: ${verdict.ok ? 'its key contains =' : verdict.reason}.`);
  });
  return Object.fromEntries(labels);
}

/** Reads a request budget such as `'60/60s'`; null for none. Throws `usage`. */
export function readBudget(value: unknown): BudgetLimit | null {
  const text = readOptionalText(value, 'budget');
  if (text === null) return null;
  const budget = parseBudget(text);
  if (budget !== null) return budget;
  throw new UsageError('"budget" must be requests per period, such as \'60/60s\'.');
}

/** Checks that an order number is one plain word, not whether it exists. Throws `usage`. */
export function readOrder(value: unknown): string {
  refuseMissing(value, 'order');
  if (typeof value === 'string' && isPlainOrder(value)) return value;
  throw new UsageError('An order number must be one word of printable characters.');
}

/** Reads a boolean, false by default. Throws `usage`. */
export function readFlag(value: unknown, name: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw new UsageError(`"${name}" must be true or false.`);
}

type Fields = Readonly<Record<string, unknown>>;
type CallFields = Fields & { readonly signal: AbortSignal | undefined };

/**
 * The fields of an object that a caller gave. Throws `usage`, also for a field that is not among the `known`, unless it
 * is undefined or a method: a whole `Sandbox` can serve as the options of a client.
 */
export function fieldsOf(value: unknown, name: string, known: readonly string[] | null = null): Fields {
  refuseMissing(value, name);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`"${name}" must be an object.`);
  const fields: Fields = { ...value };
  const [unknown] = Object.keys(fields).filter(
    (key) => known?.includes(key) === false && fields[key] !== undefined && typeof fields[key] !== 'function',
  );
  if (known === null || unknown === undefined) return fields;
  throw new UsageError(
    `"${name}" has an unknown field ${echoed(unknown)}.`,
    didYouMean(known, unknown, `Known fields: ${known.join(', ')}.`),
  );
}

/** The options of a call, with its signal. An AbortController can serve as them, and its signal is a getter. */
export function callFields(options: unknown = {}, known: readonly string[] = []): CallFields {
  const fields = fieldsOf(options, 'options', ['signal', ...known]);
  const signal: unknown = Reflect.get(Object(options), 'signal');
  if (signal === undefined || signal instanceof AbortSignal) return { ...fields, signal };
  throw new UsageError('"signal" must be an AbortSignal.');
}

function refuseMissing(value: unknown, name: string): void {
  if (value === undefined) throw new UsageError(`"${name}" is missing.`);
}
