import { UsageError } from '../../errors.ts';
import type { JsonObject } from '../../partner-api/json.ts';
import { isJsonNumber } from '../../partner-api/json.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { MoveVerb } from '../orders/order.ts';
import { MOVES } from '../orders/order.ts';
import type { AskedPair } from './service.ts';

/** The swap or quote that a step asks for. Throws UsageError, as all of these do. */
export function askedPair(body: JsonObject): AskedPair {
  const { receive = false, type = 'float' } = body;
  if (typeof receive !== 'boolean') throw new UsageError('"receive" is true or false.');
  if (type !== 'fixed' && type !== 'float') throw new UsageError('"type" is fixed or float.');
  return {
    ...{ from: textIn(body, 'from'), to: textIn(body, 'to'), receive, type },
    amount: scalarIn(body, 'amount'),
  };
}

/** The verb of a move. */
export function verbIn(body: JsonObject): MoveVerb {
  const verb = MOVES.find((each) => each === body['verb']);
  if (verb !== undefined) return verb;
  throw new UsageError(`"verb" is one of ${MOVES.join(', ')}.`);
}

/** A text that has to be there. */
export function textIn(body: JsonObject, key: string): string {
  const value = body[key];
  if (typeof value === 'string') return value;
  throw new UsageError(`"${key}" is a text.`);
}

/** A text; null where there is none. */
export function textOr(body: JsonObject, key: string): string | null {
  return body[key] === undefined || body[key] === null ? null : textIn(body, key);
}

/** A text, or a number digit for digit; one of them has to be there. */
export function scalarIn(body: JsonObject, key: string): string {
  const value = body[key];
  if (value !== undefined && isJsonNumber(value)) return value.value;
  return textIn(body, key);
}

/** An amount digit for digit; undefined where there is none. */
export function amountOr(body: JsonObject, key: string): Decimal | undefined {
  return body[key] === undefined ? undefined : scalarIn(body, key);
}
