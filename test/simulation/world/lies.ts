import type { ApiRequest } from '../../../src/core/client/transport.ts';
import type { Random } from '../random.ts';
import { OTHER_ADDRESSES } from './coins.ts';

/** Replaces the nth match of a pattern in a text. */
function replaced(text: string, pattern: RegExp, nth: number, to: (match: string) => string): string {
  let seen = 0;
  return text.replace(pattern, (match) => {
    seen += 1;
    return seen === nth + 1 ? to(match) : match;
  });
}

/** A number with another digit in it, as a text. */
function otherNumber(match: string): string {
  return match.replace(/[1-9]/, (digit) => (digit === '9' ? '8' : String(Number.parseInt(digit, 10) + 1)));
}

/** The coin that a lie puts in the place of the true one. */
export const OTHER_COIN = 'DOGE';

const SIDES = { deposit: 0, receive: 1 } as const;

/**
 * An answer about a swap that says something else. The deposit address is left alone where the ledger has none yet, as at a
 * create, or when an unknown outcome is resolved: nothing says what it should be, so no client can tell.
 */
export function tamperedAnswer(
  text: string,
  { isCreate, isFirst }: { readonly isCreate: boolean; readonly isFirst: boolean },
  random: Random,
): string {
  const address = (side: 0 | 1) =>
    replaced(text, /"address":"[^"]+"/g, side, () => `"address":"${random.pick(OTHER_ADDRESSES)}"`);
  const value = (side: 0 | 1) => replaced(text, /"value":[0-9.]+/g, side, otherNumber);
  const coin = (side: 0 | 1) => replaced(text, /"name":"[A-Z]+"/g, side, () => `"name":"${OTHER_COIN}"`);
  const network = (side: 0 | 1) => replaced(text, /"network":"[A-Z]+"/g, side, () => '"network":"SOL"');
  const memo = (side: 0 | 1) => replaced(text, /"memo":"[^"]*"/g, side, () => '"memo":"77777"');
  const changes = [
    () => address(SIDES.receive),
    () => value(SIDES.deposit),
    () => coin(SIDES.deposit),
    () => coin(SIDES.receive),
    () => network(SIDES.deposit),
    () => network(SIDES.receive),
    () => memo(SIDES.receive),
    () => text.replace(/"typeSwap":[12]/, (match) => (match.endsWith('1') ? '"typeSwap":2' : '"typeSwap":1')),
    ...(isCreate
      ? [() => text.replace(/"status":9/, '"status":1')]
      : [
          // The worst lies come more often.
          ...(isFirst
            ? []
            : [1, 2, 3].flatMap(() => [() => address(SIDES.deposit), () => memo(SIDES.deposit)])),
          () => text.replace(/"orderNumber":"[A-Z]+"/, '"orderNumber":"QQQQQQ"'),
        ]),
  ];
  return random.pick(changes)();
}

/** The answer to a refund address that says something else. */
export function tamperedRefund(text: string, random: Random): string {
  const address = '"newRefundAddress":"[^"]*"';
  const changes = [
    () => text.replace(new RegExp(address), `"newRefundAddress":"${random.pick(OTHER_ADDRESSES)}"`),
    () => text.replace(new RegExp(`,${address}`), ''),
    () => text.replace(/"orderNumber":"[A-Z]+"/, '"orderNumber":"QQQQQQ"'),
  ];
  return random.pick(changes)();
}

/** A create or a refund address that was changed on the way to the service, which has no way to notice. */
export function otherRequest(request: ApiRequest, random: Random): ApiRequest {
  const body = request.body ?? '';
  const isRefund = request.endpoint === 'update-refund-address';
  const changes = isRefund
    ? [() => body.replace(/"refundAddress":"[^"]+"/, `"refundAddress":"${random.pick(OTHER_ADDRESSES)}"`)]
    : [
        () => body.replace(/"receiveAddress":"[^"]+"/, `"receiveAddress":"${random.pick(OTHER_ADDRESSES)}"`),
        () => body.replace(/"depositAmount":[0-9.]+/, otherNumber),
        () =>
          body.replace(/"typeSwap":[12]/, (match) => (match.endsWith('1') ? '"typeSwap":2' : '"typeSwap":1')),
      ];
  return { ...request, body: random.pick(changes)() };
}
