import { attemptSync, SwapctlError, UsageError } from '../../../base/errors.ts';
import { isJsonObject, tryParseJson } from '../../../core/partner-api/json.ts';
import type { Context } from '../../context.ts';
import { readInput } from '../../terminal/input.ts';
import type { Flags } from '../shared/arguments.ts';
import { readObject, receiveCell, typeCell } from '../shared/row.ts';

const MAX_BYTES = 65_536;

/** Arguments and flags as commander gives them. */
export interface Given {
  readonly words: readonly (string | undefined)[];
  readonly flags: Flags;
}

/** The arguments and flags with those of `--input`. Throws a usage error for one that is invalid, or given twice. */
export async function withInput(context: Context, { words, flags }: Given): Promise<Given> {
  const path = flags['input'];
  if (typeof path !== 'string') return { words, flags };
  if (words.some((word) => word !== undefined) || flags['like'] !== undefined)
    throw new UsageError('--input cannot be combined with coins, an amount or --like.');
  const object = tryParseJson(await readInput(context.input(path), MAX_BYTES));
  if (object === undefined || !isJsonObject(object))
    throw new UsageError(
      'The input is not one JSON object, or has a duplicate key.',
      'Use the keys of a row of `swapctl batch`: {"from":"BTC","to":"ETH","amount":"0.1","address":"…"}.',
    );
  const { parts, labels, problems } = readObject(object);
  for (const { column, error } of problems) throw ofKey(column, error);
  const { from, to, amount, receive, type, key, ...texts } = Object.fromEntries(parts);
  const given = {
    ...texts,
    ...(receive !== undefined && readKey('receive', () => receiveCell(receive)) ? { receive: true } : {}),
    ...(type === undefined ? {} : { [readKey('type', () => typeCell(type))]: true }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(labels.size === 0 ? {} : { label: [...labels].map(([name, value]) => `${name}=${value}`) }),
  };
  const twice = Object.keys(given).find(
    (name) =>
      flags[name] !== undefined || (RATES.has(name) && [...RATES].some((rate) => flags[rate] !== undefined)),
  );
  if (twice !== undefined)
    throw new UsageError(`${FLAG_NAMES[twice] ?? `--${twice}`} is also in the input.`, 'Pass it once.');
  return { words: [from, to, amount], flags: { ...flags, ...given } };
}

const RATES: ReadonlySet<string> = new Set(['fixed', 'float']);

/** Flags whose name commander writes in another way. */
const FLAG_NAMES: Readonly<Record<string, string>> = {
  idempotencyKey: '--idempotency-key',
  minReceive: '--min-receive',
  refundAddress: '--refund-address',
};

function readKey<T>(key: string, read: () => T): T {
  const value = attemptSync(read);
  if (value instanceof SwapctlError) throw ofKey(key, value);
  return value;
}

function ofKey(key: string, error: SwapctlError): UsageError {
  return new UsageError(`Invalid ${key} in the input: ${error.message}`, error.hint ?? undefined);
}
