import { isJsonNumber, isJsonObject, type JsonValue, memberAt } from '../core/partner-api/json.ts';
import { plainDecimal } from '../core/swap/amount.ts';
import type { Side } from '../core/swap/swap.ts';
import { differs, passIfNone, type Verdict } from './check.ts';
import { LISTINGS } from './listing.ts';
import type { Reply } from './probe.ts';

/** Type of a value in an answer; a list has the shape of its items in brackets. */
export type Shape = 'text' | 'number' | 'number or null' | 'boolean' | readonly [Shape] | ShapeFields;

/** Required fields of an object; it may have others. */
export interface ShapeFields {
  readonly [field: string]: Shape;
}

/** Answer of get-all-coins; lists and networks have different names in each listing. */
export function coinListShape(side: Side): ShapeFields {
  const { list, networks } = LISTINGS[side];
  const network = { subName: 'text', memoNeeded: 'boolean' } as const;
  const coin: ShapeFields = {
    image: 'text',
    subName: 'text',
    name: 'text',
    networks: { [networks]: [network] },
  };
  return { pagination: { pageCount: 'number', totalCount: 'number' }, [list]: [coin] };
}

/** Answer of get-coin-network. */
export const COIN_NETWORKS: ShapeFields = {
  deposit: [{ subName: 'text' }],
  withdraws: [{ subName: 'text' }],
};

/** Answer of exchange-coin. */
export const QUOTE: ShapeFields = {
  pair: 'text',
  amount: 'number',
  exchangeRate: 'number',
  receive: 'number',
  minAmount: 'number',
  maxAmount: 'number',
};

const SIDE: ShapeFields = {
  coin: { name: 'text', value: 'number', network: 'text', fullName: 'text' },
  address: 'text',
  memo: 'text',
};

/** Answer of create-transaction. */
export const TRANSACTION: ShapeFields = {
  type: { typeSwap: 'number' },
  pairs: { deposit: SIDE, receive: SIDE },
  receiveTransaction: {
    txId: 'text',
    address: 'text',
    receivedTime: 'text',
    gettingInTheBlock: 'text',
    amount: 'number or null',
    confirmation: 'number or null',
    fees: 'number or null',
  },
  fees: { feeNodeDeposit: 'number' },
  swapTime: { start: 'text', end: 'text', duration: 'text' },
  orderNumber: 'text',
  status: 'number',
  txId: 'text',
  riskScore: 'number or null',
  receivedTime: 'text',
  gettingInTheBlock: 'text',
  confirmation: 'number or null',
};

/** Answer of get-transaction. */
export const TRANSACTION_READ: ShapeFields = { ...TRANSACTION, createdAt: 'text' };

/** Answer of update-refund-address. */
export const REFUND_UPDATE: ShapeFields = { message: 'text', orderNumber: 'text', newRefundAddress: 'text' };

/** Held if a success has every field with its type. A number may be text here; another check reports that. */
export function fits(reply: Reply, shape: Shape): Verdict {
  if (!reply.ok || reply.json === undefined) return differs(reply.words);
  return passIfNone([...new Set(misfits(reply.json, shape, ''))]);
}

/**
 * Held if every number of a success is a JSON number. The habit `text-amounts` is proposed where all of `amounts` are
 * text that is there, and no other number is.
 */
export function hasJsonNumbers(reply: Reply, shape: Shape, amounts: readonly string[] = []): Verdict {
  if (!reply.ok || reply.json === undefined) return differs(reply.words);
  const { json } = reply;
  const paths = [...new Set(textNumbers(json, shape, ''))];
  const given = amounts.filter((path) => (memberAt(json, path) ?? null) !== null);
  const isHabit =
    given.length > 0 && given.length === paths.length && given.every((path) => paths.includes(path));
  return passIfNone(
    paths.map((path) => `${path} is text`),
    isHabit ? 'text-amounts' : undefined,
  );
}

function misfits(value: JsonValue | undefined, shape: Shape, path: string): string[] {
  const wrong = [`${path === '' ? 'the answer' : path} is ${kindOf(value)}`];
  if (typeof shape === 'string') return isLeaf(value, shape) ? [] : wrong;
  if (isList(shape)) {
    if (!Array.isArray(value)) return wrong;
    return value.flatMap((item) => misfits(item, shape[0], `${path}[]`));
  }
  if (!isJsonObject(value)) return wrong;
  return Object.entries(shape).flatMap(([key, field]) => misfits(value[key], field, childPath(path, key)));
}

function textNumbers(value: JsonValue | undefined, shape: Shape, path: string): string[] {
  if (typeof shape === 'string') return shape.startsWith('number') && typeof value === 'string' ? [path] : [];
  if (isList(shape))
    return Array.isArray(value) ? value.flatMap((item) => textNumbers(item, shape[0], `${path}[]`)) : [];
  if (!isJsonObject(value)) return [];
  return Object.entries(shape).flatMap(([key, field]) =>
    textNumbers(value[key], field, childPath(path, key)),
  );
}

/** Paths of an answer's fields that a shape does not have. */
export function fieldsBeyond(value: JsonValue | undefined, shape: Shape, path = ''): string[] {
  if (typeof shape === 'string') return [];
  if (isList(shape))
    return Array.isArray(value) ? value.flatMap((item) => fieldsBeyond(item, shape[0], `${path}[]`)) : [];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return field === undefined ? [childPath(path, key)] : fieldsBeyond(item, field, childPath(path, key));
  });
}

function isLeaf(value: JsonValue | undefined, shape: Shape & string): boolean {
  if (shape === 'text') return typeof value === 'string';
  if (shape === 'boolean') return typeof value === 'boolean';
  if (value === null) return shape === 'number or null';
  return isJsonNumber(value) || (typeof value === 'string' && plainDecimal(value) !== undefined);
}

function isList(shape: readonly [Shape] | ShapeFields): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function childPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (isJsonNumber(value)) return 'a number';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'a boolean' : 'an object';
}
