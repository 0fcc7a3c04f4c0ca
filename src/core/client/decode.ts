import { SwapctlError } from '../../base/errors.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../partner-api/json.ts';
import { statusMeaning, TYPE_SWAP } from '../partner-api/statuses.ts';
import { agreedValue } from '../swap/agreement/agreed.ts';
import { type Decimal, isZero, plainDecimal } from '../swap/amount.ts';
import type { AgreedField, RateType, Swap, SwapSide } from '../swap/swap.ts';

export type RefundUpdate = ReturnType<typeof decodeRefundUpdate>;

/** The error for an answer that breaks the API document; `what` ends its sentence, such as "it is not JSON". */
export function badResponse(what: string, httpStatus?: number): SwapctlError {
  return new SwapctlError('bad_response', `The service sent an unusable response: ${what}.`, {
    httpStatus,
    retryable: true,
    hint: 'Nothing changed; check the base URL with `swapctl auth status`, or run it again later.',
  });
}

/** Reads the answer of exchange-coin; every figure is required except the maximum, where 0 or nothing means none. */
export function decodeQuote(value: JsonValue) {
  const body = asObject(value, 'quote');
  const figure = (key: string): Decimal => {
    const amount = decimalOrNull(body[key]);
    if (amount === null) throw badResponse(`the quote has no readable ${key}`);
    return amount;
  };
  return {
    pair: textOrNull(body['pair']) ?? '',
    amount: figure('amount'),
    receive: figure('receive'),
    rate: figure('exchangeRate'),
    min: figure('minAmount'),
    max: maximum(body['maxAmount'], figure),
    fee: statedFee(body),
  };
}

function maximum(value: JsonValue | undefined, figure: (key: string) => Decimal): Decimal | null {
  if (value === undefined || value === null || value === '') return null;
  const max = figure('maxAmount');
  return isZero(max) ? null : max;
}

/** The API document has no fee in a quote; services that send one use one of these names. */
function statedFee(body: JsonObject): Decimal | null {
  const fee = decimalOrNull(body['networkFee']) ?? decimalOrNull(body['fee']);
  return fee === null || fee.startsWith('-') ? null : fee;
}

/**
 * Reads a swap transaction. Only the order number and the status are required; everything else may be missing, empty or
 * null, numbers may be text, and unknown fields are ignored. Agreed fields with an unreadable value are listed in
 * `unreadable`.
 */
export function decodeSwap(value: JsonValue): Swap {
  const body = asObject(value, 'swap');
  const order = orderNumberIn(body);
  if (order === null) throw badResponse('the swap has no order number');
  const statusCode = integerOrNull(body['status']);
  if (statusCode === null) throw badResponse('the swap has no readable status');
  const swap = described(body, order, statusCode);
  const unreadable = AGREED_FIELDS.filter(
    ([field, path]) => agreedValue(swap, field) === null && isGiven(valueAt(body, path)),
  ).map(([field]) => field);
  return unreadable.length === 0 ? swap : { ...swap, unreadable };
}

/** The order number of a swap, readable or not otherwise; null if there is none. */
export function orderNumberIn(value: JsonValue): string | null {
  return isJsonObject(value) ? textOrNull(value['orderNumber']) : null;
}

/** Path in an answer of each field that an agreement covers. */
const AGREED_FIELDS: readonly (readonly [field: AgreedField, path: string])[] = [
  ['type', 'type.typeSwap'],
  ...(['deposit', 'receive'] as const).flatMap(
    (side) =>
      [
        [`${side}.coin`, `pairs.${side}.coin.name`],
        [`${side}.network`, `pairs.${side}.coin.network`],
        [`${side}.amount`, `pairs.${side}.coin.value`],
        [`${side}.address`, `pairs.${side}.address`],
        [`${side}.memo`, `pairs.${side}.memo`],
      ] as const,
  ),
  ['deposit.txId', 'txId'],
  ['receive.txId', 'receiveTransaction.txId'],
  ['receive.paidAmount', 'receiveTransaction.amount'],
  ['receive.paidTo', 'receiveTransaction.address'],
];

/** The value at a path, or the value that an answer has in place of an object on the way. */
function valueAt(body: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const key of path.split('.')) value = isJsonObject(value) ? value[key] : value;
  return value;
}

/** Whether a value carries information; some services write an empty list for an empty object. */
function isGiven(value: JsonValue | undefined): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return value !== undefined && value !== null && value !== '' && !isEmptyList;
}

function described(body: JsonObject, order: string, statusCode: number): Swap {
  const meaning = statusMeaning(statusCode);
  const pairs = objectOrEmpty(body['pairs']);
  const time = objectOrEmpty(body['swapTime']);
  return {
    order,
    status: meaning.status,
    statusCode,
    final: meaning.final,
    type: rateTypeOf(objectOrEmpty(body['type'])['typeSwap']),
    deposit: depositSide(body, objectOrEmpty(pairs['deposit'])),
    receive: receiveSide(objectOrEmpty(body['receiveTransaction']), objectOrEmpty(pairs['receive'])),
    riskScore: decimalOrNull(body['riskScore']),
    createdAt: textOrNull(body['createdAt']),
    startedAt: textOrNull(time['start']),
    endedAt: textOrNull(time['end']),
    duration: textOrNull(time['duration']),
    expiresAt: expiry(body, time),
  };
}

/** End of the deposit window. The API document has no such field; services that send it use one of these names. */
function expiry(body: JsonObject, time: JsonObject): string | null {
  const named = [body['expiresAt'], body['expiredAt'], time['expiresAt'], time['expiredAt']];
  return named.map(textOrNull).find((text) => text !== null) ?? null;
}

function depositSide(body: JsonObject, side: JsonObject): SwapSide {
  return {
    ...sideFields(side),
    txId: textOrNull(body['txId']),
    confirmations: integerOrNull(body['confirmation']),
    receivedAt: textOrNull(body['receivedTime']),
    confirmedAt: textOrNull(body['gettingInTheBlock']),
    fee: decimalOrNull(objectOrEmpty(body['fees'])['feeNodeDeposit']),
  };
}

function receiveSide(payout: JsonObject, side: JsonObject): Swap['receive'] {
  return {
    ...sideFields(side),
    txId: textOrNull(payout['txId']),
    paidAmount: decimalOrNull(payout['amount']),
    paidTo: textOrNull(payout['address']),
    confirmations: integerOrNull(payout['confirmation']),
    fee: decimalOrNull(payout['fees']),
    receivedAt: textOrNull(payout['receivedTime']),
    confirmedAt: textOrNull(payout['gettingInTheBlock']),
  };
}

function sideFields(side: JsonObject) {
  const coin = objectOrEmpty(side['coin']);
  return {
    coin: textOrNull(coin['name']),
    name: textOrNull(coin['fullName']),
    network: textOrNull(coin['network']),
    amount: decimalOrNull(coin['value']),
    address: textOrNull(side['address']),
    memo: textOrNull(side['memo']),
  };
}

/** Reads the answer of update-refund-address; every field may be missing. */
export function decodeRefundUpdate(value: JsonValue) {
  const body = asObject(value, 'refund update');
  return {
    message: textOrNull(body['message']),
    order: textOrNull(body['orderNumber']),
    refundAddress: textOrNull(body['newRefundAddress']),
  };
}

export function decodeCoinNetworks(value: JsonValue): { deposit: string[]; receive: string[] } {
  const body = asObject(value, 'list of networks');
  return { deposit: networkNames(body['deposit']), receive: networkNames(body['withdraws']) };
}

function networkNames(value: JsonValue | undefined): string[] {
  if (!Array.isArray(value)) throw badResponse('a list of networks is missing');
  return value.map((item) => textOrNull(objectOrEmpty(item)['subName'])).filter((name) => name !== null);
}

function asObject(value: JsonValue, what: string): JsonObject {
  if (!isJsonObject(value)) throw badResponse(`the ${what} is not a JSON object`);
  return value;
}

function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOrNull(value: JsonValue | undefined): string | null {
  if (isJsonNumber(value)) return value.value;
  return typeof value === 'string' && value !== '' ? value : null;
}

function decimalOrNull(value: JsonValue | undefined): Decimal | null {
  if (isJsonNumber(value)) return plainDecimal(value.value) ?? null;
  return typeof value === 'string' ? (plainDecimal(value) ?? null) : null;
}

function integerOrNull(value: JsonValue | undefined): number | null {
  const text = decimalOrNull(value);
  return text !== null && /^-?[0-9]{1,9}(\.0+)?$/.test(text) ? Number.parseInt(text, 10) : null;
}

function rateTypeOf(value: JsonValue | undefined): RateType | null {
  const code = integerOrNull(value);
  return (['fixed', 'float'] as const).find((type) => TYPE_SWAP[type] === code) ?? null;
}
