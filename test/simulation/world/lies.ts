import type { ApiRequest } from '../../../src/core/client/transport.ts';
import type { Random } from '../random.ts';
import { movedTo, OTHER_ADDRESSES, PAYEES } from './coins.ts';

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

/** Parts of an answer about a swap that a lie can change; those that other lies hide least come first. */
export const PARTS = [
  'order',
  'payout memo',
  'deposit coin',
  'payout coin',
  'type',
  'payout network',
  'deposit network',
  'deposit amount',
  'payout address',
  'status',
  'payout amount',
  'deposit address',
  'deposit memo',
] as const;

/** What a service may change, which only worlds of their own meet: the network of deposits, a low payout, the price. */
const CHANGES = ['moved deposit', 'low payout', 'price'] as const;

export type Part = (typeof PARTS)[number] | (typeof CHANGES)[number];

/** What a lie makes of an answer, by the part that it changes. */
const LIES: Readonly<Record<Part, (text: string, random: Random) => string>> = {
  'deposit address': address(0),
  'payout address': address(1),
  'deposit memo': memo(0),
  'payout memo': memo(1),
  'deposit coin': coin(0),
  'payout coin': coin(1),
  'deposit network': network(0),
  'payout network': network(1),
  'deposit amount': (text) => replaced(text, /"value":[0-9.]+/g, 0, otherNumber),
  // A little, as a service rounds.
  'payout amount': (text) => replaced(text, /"value":[0-9.]+/g, 1, (match) => `${match}1`),
  type: (text) => text.replace(/"typeSwap":[12]/, otherType),
  status: (text) => text.replace(/"status":9/, '"status":1'),
  order: (text) => text.replace(/"orderNumber":"[A-Z]+"/, '"orderNumber":"QQQQQQ"'),
  'moved deposit': (text) =>
    replaced(text, /"network":"[A-Z]+"/g, 0, (match) => `"network":"${movedTo(match.slice(11, -1))}"`),
  'low payout': (text) =>
    replaced(text, /"value":[0-9.]+/g, 1, (match) => `"value":${Number(match.slice(8)) / 2}`),
  price: (text) =>
    text.replace(/"amount":([0-9.]+)/, (_, amount) => `"amount":${(Number(amount) * 1.05).toFixed(6)}`),
};

/** Mostly an address of the same coin, which nothing else gives away. */
function address(side: 0 | 1) {
  return (text: string, random: Random) => {
    const name = [...text.matchAll(/"name":"([A-Z]+)"/g)][side]?.[1] ?? '';
    const own = Object.entries(PAYEES).flatMap(([code, list]) => (code === name ? list : []));
    const from = own.length > 0 && random.chance(0.7) ? own : OTHER_ADDRESSES;
    return replaced(text, /"address":"[^"]+"/g, side, (match) => {
      const other = random.pick(from.filter((each) => !match.includes(each)));
      return `"address":"${other}"`;
    });
  };
}

function memo(side: 0 | 1) {
  return (text: string) => replaced(text, /"memo":"[^"]*"/g, side, () => '"memo":"77777"');
}

function coin(side: 0 | 1) {
  return (text: string) => replaced(text, /"name":"[A-Z]+"/g, side, () => `"name":"${OTHER_COIN}"`);
}

function network(side: 0 | 1) {
  return (text: string) => replaced(text, /"network":"[A-Z]+"/g, side, () => '"network":"SOL"');
}

function otherType(match: string): string {
  return match.endsWith('1') ? '"typeSwap":2' : '"typeSwap":1';
}

/** Parts in which any answer may lie, in the order in which they are drawn. */
const OF_ANY: readonly Part[] = [
  'payout address',
  'deposit amount',
  'deposit coin',
  'payout coin',
  'deposit network',
  'payout network',
  'payout memo',
  'type',
];

/** The worst lies come more often. */
const WORST: readonly Part[] = [1, 2, 3].flatMap(() => ['deposit address', 'deposit memo'] as const);

/**
 * An answer about a swap that says something else, perhaps in one part alone. The deposit address is left alone where the ledger has none yet, as at a
 * create, or when an unknown outcome is resolved: nothing says what it should be, so no client can tell.
 */
export function tamperedAnswer(
  text: string,
  {
    isCreate,
    isFirst,
    about,
  }: { readonly isCreate: boolean; readonly isFirst: boolean; readonly about?: Part | undefined },
  random: Random,
): string {
  const later: readonly Part[] = isFirst ? ['order'] : [...WORST, 'order'];
  const parts = [...OF_ANY, ...(isCreate ? (['status'] as const) : later)];
  const part = about === undefined ? random.pick(parts) : about;
  const isAllowed = part === 'payout amount' || parts.includes(part) || CHANGES.some((each) => each === part);
  return isAllowed ? LIES[part](text, random) : text;
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
        () => body.replace(/"typeSwap":[12]/, otherType),
      ];
  return { ...request, body: random.pick(changes)() };
}
