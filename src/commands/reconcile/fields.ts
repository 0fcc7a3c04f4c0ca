import { statusMeaning } from '../../partner-api/statuses.ts';
import { sameAddress, sameCode } from '../../swap/agreement/spelling.ts';
import { plainDecimal, sameAmount } from '../../swap/amount.ts';
import type { Swap } from '../../swap/swap.ts';

/** How two texts of a field are compared. */
type Kind = 'text' | 'code' | 'amount' | 'status' | 'address' | 'time';

/** Something of a swap that a statement may have a column for. */
export interface Field {
  readonly name: string;
  readonly kind: Kind;
  /** What the ledger has; null for nothing. */
  readonly here: (swap: Swap) => string | null;
  /** Headers by which its column is found, in letters and digits alone; the first that is there is taken. */
  readonly headers: readonly string[];
}

/** The column that names the order. */
export const ORDER = 'order';
export const ORDER_HEADERS: readonly string[] = [
  'order',
  'ordernumber',
  'orderid',
  'orderno',
  'id',
  'swapid',
];

/** Fields under short names, then all others by their path in the JSON of a swap. */
export const FIELDS: readonly Field[] = [
  field('status', 'status', ({ status }) => status, 'status', 'state'),
  field(
    'from',
    'code',
    ({ deposit }) => deposit.coin,
    'from',
    'coinfrom',
    'fromcoin',
    'fromcurrency',
    'depositcoin',
  ),
  field(
    'amount',
    'amount',
    ({ deposit }) => deposit.amount,
    'amount',
    'amountfrom',
    'fromamount',
    'depositamount',
  ),
  field('to', 'code', ({ receive }) => receive.coin, 'to', 'cointo', 'tocoin', 'tocurrency', 'receivecoin'),
  field(
    ...(['receive', 'amount', ({ receive }: Swap) => receive.paidAmount ?? receive.amount] as const),
    ...['receive', 'amountto', 'toamount', 'receiveamount', 'receivedamount', 'payout', 'payoutamount'],
  ),
  field('address', 'address', ({ receive }) => receive.address, 'address', 'payoutaddress', 'toaddress'),
  field('memo', 'text', ({ receive }) => receive.memo, 'memo', 'tag'),
  field('type', 'code', ({ type }) => type, 'ratetype'),
  ...(['createdAt', 'startedAt', 'endedAt'] as const).map((name) =>
    field(name, 'time', (swap) => swap[name]),
  ),
  ...(['deposit', 'receive'] as const).flatMap((side) => [
    field(`${side}.coin`, 'code', (swap) => swap[side].coin),
    field(`${side}.network`, 'code', (swap) => swap[side].network),
    field(`${side}.amount`, 'amount', (swap) => swap[side].amount),
    field(`${side}.address`, 'address', (swap) => swap[side].address),
    field(`${side}.memo`, 'text', (swap) => swap[side].memo),
    field(`${side}.txId`, 'text', (swap) => swap[side].txId),
    field(`${side}.fee`, 'amount', (swap) => swap[side].fee),
  ]),
  field('receive.paidAmount', 'amount', ({ receive }) => receive.paidAmount, 'paidamount'),
];

function field(name: string, kind: Kind, here: Field['here'], ...headers: readonly string[]): Field {
  return { name, kind, here, headers };
}

/**
 * Whether the ledger knows what a field of a swap is. The time of creation, for example, comes with the first poll only.
 * A swap without a memo is known to have none.
 */
export function isKnown(field: Field, swap: Swap): boolean {
  return field.here(swap) !== null || field.name.endsWith('memo');
}

/**
 * Whether both say the same of a swap: amounts by their value, so that `1.0` is `1`; statuses by word or code; codes in
 * any case; addresses by the rules of their network; times to the second. An empty cell says that there is nothing.
 */
export async function isSame(field: Field, swap: Swap, there: string | null): Promise<boolean> {
  const here = field.here(swap);
  // A payout that was promised and not made yet is nothing to a statement.
  if (field.name === 'receive' && there === null) return swap.receive.paidAmount === null;
  if (here === null || there === null) return here === there;
  if (here === there) return true;
  const { kind } = field;
  if (kind === 'code') return sameCode(here, there);
  if (kind === 'status') return statusOf(there) === here;
  if (kind === 'amount') return isSameAmount(here, there);
  if (kind === 'time') return secondOf(here) !== null && secondOf(here) === secondOf(there);
  if (kind === 'text') return false;
  const side = field.name.startsWith('deposit') ? swap.deposit : swap.receive;
  return sameAddress(side.network ?? '', here, there);
}

function isSameAmount(here: string, there: string): boolean {
  const amount = plainDecimal(there.replace(/^\+/, '').replace(/^(-?)0+(?=[0-9])/, '$1'));
  return amount !== undefined && sameAmount(here, amount);
}

/** A statement's status as swapctl says it; codes and the usual words of others are understood. */
function statusOf(there: string): string {
  const word = there.toLowerCase();
  if (/^[0-9]{1,3}$/.test(word)) return statusMeaning(Number.parseInt(word, 10)).status;
  return SYNONYMS[word] ?? word;
}

const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ completed: 'success', complete: 'success', finished: 'success', done: 'success', paid: 'success' },
  ...{ expired: 'overdue', failed: 'error', refunded: 'refund', waiting: 'new', paused: 'pause' },
};

function secondOf(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
}
