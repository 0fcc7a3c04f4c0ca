import { wireTime } from '../../base/time.ts';
import type { Entry } from '../ledger/entry.ts';
import { statusMeaning } from '../partner-api/statuses.ts';
import { sameAddress, sameCode } from '../swap/agreement/spelling.ts';
import { plainDecimal, sameAmount } from '../swap/amount.ts';
import type { Swap } from '../swap/swap.ts';

/** A field in which ledger and statement differ; null if one of them has no value. */
export interface FieldDifference {
  readonly order: string;
  readonly field: string;
  readonly here: string | null;
  readonly there: string | null;
}

/** The ledger compared with a statement of the service. */
export interface Reconciliation {
  /** Number of orders that are the same in both. */
  readonly matched: number;
  /** Orders of the ledger that the statement does not have. */
  readonly onlyHere: readonly string[];
  /** Orders of the statement that the ledger does not have. */
  readonly onlyThere: readonly string[];
  readonly differs: readonly FieldDifference[];
  /** Orders that the statement has more than once; the first of its rows is compared. */
  readonly duplicates: readonly string[];
}

/** The parts of a service's statement that are compared with the ledger. */
export interface StatementRows {
  /** The cells of the compared fields of each order, in the order of `compared`. */
  readonly rows: ReadonlyMap<string, readonly (string | null)[]>;
  readonly columns: { readonly compared: readonly { readonly field: Field }[] };
  readonly duplicates: readonly string[];
}

/** Compares swaps with a statement; only those requested within the period (milliseconds since 1970) must be in it. */
export async function reconcile(
  entries: AsyncIterable<Pick<Entry, 'order' | 'requestedAt' | 'swap' | 'sent'>>,
  { since, until }: { readonly since: number | null; readonly until: number | null },
  { rows, columns, duplicates }: StatementRows,
) {
  const seen = new Set<string>();
  const onlyHere: string[] = [];
  const differs: FieldDifference[] = [];
  /** Fields that the statement has of a swap, and the ledger does not know yet. */
  const unknown = new Set<string>();
  let [matched, open] = [0, 0];
  for await (const { order, requestedAt, swap: lastObservedSwap, sent } of entries) {
    if (order === null) continue;
    const swap = withSent(lastObservedSwap, sent);
    const cells = rows.get(order);
    if (cells !== undefined) seen.add(order);
    // An order of the statement that was created outside the period is still known.
    if ((since !== null && requestedAt < since) || (until !== null && requestedAt >= until)) continue;
    if (swap !== null && !swap.final) open += 1;
    if (cells === undefined) {
      onlyHere.push(order);
      continue;
    }
    const before = differs.length;
    for (const [index, { field }] of columns.compared.entries()) {
      const there = cells[index] ?? null;
      if (swap === null ? there === null : await isSame(field, swap, there)) continue;
      if (swap !== null && isKnown(field, swap))
        differs.push({ order, field: field.name, here: field.here(swap), there });
      else unknown.add(field.name);
    }
    if (differs.length === before) matched += 1;
  }
  const onlyThere = [...rows.keys()].filter((order) => !seen.has(order));
  return { result: { matched, onlyHere, onlyThere, differs, duplicates }, open, unknown };
}

/** A swap with the reported deposit transaction, if the service has named none. */
function withSent(swap: Swap | null, sent: Entry['sent']): Swap | null {
  if (swap === null || sent === null || swap.deposit.txId !== null) return swap;
  return { ...swap, deposit: { ...swap.deposit, txId: sent.txId } };
}

/** How two texts of a field are compared. */
type Kind = 'text' | 'code' | 'amount' | 'status' | 'address' | 'time';

/** A field of a swap that a statement may have a column for. */
export interface Field {
  readonly name: string;
  readonly kind: Kind;
  /** The ledger's value; null for none. */
  readonly here: (swap: Swap) => string | null;
  /** Headers by which its column is found, only letters and digits; the first one present is used. */
  readonly headers: readonly string[];
}

/** Name of the field with the order number, and the headers by which a statement's column of it is found. */
export const ORDER = 'order';
export const ORDER_HEADERS: readonly string[] = 'order ordernumber orderid orderno id swapid'.split(' ');

const RECEIVE_HEADERS = 'receive amountto toamount receiveamount receivedamount payout payoutamount';

/** Fields under short names, then all others by their path in the JSON of a swap. */
export const FIELDS: readonly Field[] = [
  field('status', 'status', ({ status }) => status, 'status state'),
  field('from', 'code', ({ deposit }) => deposit.coin, 'from coinfrom fromcoin fromcurrency depositcoin'),
  field('amount', 'amount', ({ deposit }) => deposit.amount, 'amount amountfrom fromamount depositamount'),
  field('to', 'code', ({ receive }) => receive.coin, 'to cointo tocoin tocurrency receivecoin'),
  field('receive', 'amount', ({ receive }) => receive.paidAmount ?? receive.amount, RECEIVE_HEADERS),
  field('address', 'address', ({ receive }) => receive.address, 'address payoutaddress toaddress'),
  field('memo', 'text', ({ receive }) => receive.memo, 'memo tag'),
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

function field(name: string, kind: Kind, here: Field['here'], headers = ''): Field {
  return { name, kind, here, headers: headers === '' ? [] : headers.split(' ') };
}

/** Whether the ledger knows a field: some only from the first poll. A swap without a memo is known to have none. */
function isKnown(field: Field, swap: Swap): boolean {
  return field.here(swap) !== null || field.name.endsWith('memo');
}

/** Whether both values mean the same by the rules of their kind; an empty cell means no value. */
async function isSame(field: Field, swap: Swap, there: string | null): Promise<boolean> {
  const here = field.here(swap);
  // A payout that was promised but not sent yet does not belong in a statement.
  if (field.name === 'receive' && there === null) return swap.receive.paidAmount === null;
  if (here === null || there === null) return here === there;
  if (here === there) return true;
  const { kind } = field;
  if (kind === 'code') return sameCode(here, there);
  if (kind === 'status') return statusOf(there) === here;
  if (kind === 'amount') return isSameAmount(here, there);
  if (kind === 'time') return unixSeconds(here) !== null && unixSeconds(here) === unixSeconds(there);
  if (kind === 'text') return false;
  const side = field.name.startsWith('deposit') ? swap.deposit : swap.receive;
  return sameAddress(side.network ?? '', here, there);
}

function isSameAmount(here: string, there: string): boolean {
  const amount = plainDecimal(there.replace(/^\+/, '').replace(/^(-?)0+(?=[0-9])/, '$1'));
  return amount !== undefined && sameAmount(here, amount);
}

/** A statement's status as swapctl names it; codes and the usual words of other services are understood. */
function statusOf(there: string): string {
  const word = there.toLowerCase();
  if (/^[0-9]{1,3}$/.test(word)) return statusMeaning(Number.parseInt(word, 10)).status;
  return SYNONYMS[word] ?? word;
}

const SYNONYMS: Readonly<Record<string, string>> = {
  completed: 'success',
  complete: 'success',
  finished: 'success',
  done: 'success',
  paid: 'success',
  expired: 'overdue',
  failed: 'error',
  refunded: 'refund',
  waiting: 'new',
  paused: 'pause',
};

/** Reads a time of a statement; one without a zone is in UTC. */
function unixSeconds(text: string): number | null {
  const hasZone = /(?:z|utc|gmt|[+-]\d\d:?\d\d)$/i.test(text);
  const time = wireTime(text) ?? Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
}
