import { UsageError } from '../errors.ts';
import { isPlainOrder } from '../swap/agreement/fundable.ts';
import type { Decimal } from '../swap/amount.ts';
import { checkAmount } from '../swap/amount.ts';
import { parseCoinRef } from '../swap/coin-ref.ts';
import type { CoinOnNetwork } from '../swap/swap.ts';

/** Reads an amount. Throws `invalid_amount`, also for a number, whose digits may be others than were meant. */
export function readAmount(value: unknown, name = 'amount'): Decimal {
  const verdict =
    typeof value === 'string'
      ? checkAmount(value)
      : { ok: false as const, reason: `give it as text such as '0.1', for a ${typeof value} is not exact` };
  if (verdict.ok) return verdict.amount;
  throw new UsageError(`The ${name} is refused: ${verdict.reason}.`, undefined, 'invalid_amount');
}

/** Reads a coin with or without a network. Throws `usage`. */
export function readCoin(value: unknown, name: string): CoinOnNetwork {
  const { coin, network = null } = fieldsOf(value, name);
  const text = network === null ? coin : `${coin}:${network}`;
  const ref = typeof coin === 'string' && !coin.includes(':') ? parseCoinRef(String(text)) : null;
  if (ref !== null) return ref;
  throw new UsageError(`"${name}" is not a coin such as { coin: 'USDT', network: 'TRX' }.`);
}

/** Reads a word from a list, or the first of them where none is given. Throws `usage`. */
export function readChoice<T extends string>(value: unknown, name: string, choices: readonly [T, ...T[]]): T {
  const choice = value === undefined ? choices[0] : choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`"${name}" is one of: ${choices.join(', ')}.`);
}

/** Reads a text. Throws `usage`; the message never repeats the value. */
export function readText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new UsageError(`"${name}" must be text.`);
}

/** Reads a text that may be left out. Throws `usage`. */
export function readOptionalText(value: unknown, name: string): string | null {
  return value === undefined || value === null ? null : readText(value, name);
}

/** Reads an order number. Throws `usage`. */
export function readOrder(value: unknown): string {
  if (typeof value === 'string' && isPlainOrder(value)) return value;
  throw new UsageError('An order number is one word of printable characters.');
}

/** The fields of an object that a caller gave. Throws `usage`. */
export function fieldsOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new UsageError(`"${name}" must be an object.`);
}
