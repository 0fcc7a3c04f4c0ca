import { sql } from 'kysely';
import { addressKey } from '../../swap/policy/codes.ts';
import { type CountedSwap, countsOf, Tally } from '../../swap/policy/counters.ts';
import type { Policy } from '../../swap/policy/policy.ts';
import type { Counters, PolicyRequest, Recipient } from '../../swap/policy/rule.ts';
import { coinLabel } from '../../swap/swap.ts';
import { type Owner, readLabels } from '../entry.ts';
import { payeeOf } from '../new-entry.ts';
import { type IntentRow, IS_PAID, IS_REFUNDED, IS_UNCERTAIN, isOpenOf, type Transaction } from '../schema.ts';

/** Time for which an order that expired without a deposit counts: the service may accept a late deposit until then. */
const EXPIRED_COUNTED_MS = 24 * 3_600_000;

/** Status codes of docs/partner-api.md: the deposit was not seen in time; paid out; sent back. */
export const OVERDUE = 5;
export const PAID: readonly number[] = [4, 12];
export const REFUNDED = 13;

/** The time by which an account's creates are counted: the clock's, unless it was set back. */
export async function countingTime(tx: Transaction, account: string, now: number): Promise<number> {
  const { latest } = await tx
    .selectFrom('intents')
    .select((is) => is.fn.max('counted_at').as('latest'))
    .where('account', '=', account)
    .executeTakeFirstOrThrow();
  return Math.max(now, latest ?? now);
}

/** Counts swaps that exist or may exist. `now` is a {@link countingTime}; without a request, no recipient is counted. */
export async function readCounters(
  tx: Transaction,
  owner: Owner,
  policy: Policy,
  { request, now }: { readonly request: PolicyRequest | null; readonly now: number },
): Promise<Counters> {
  const wanted = countsOf(policy);
  const tally = new Tally(policy, now);
  for (const swap of await countedSwaps(tx, owner, wanted, now)) tally.add(swap);
  const open = wanted.open ? await openSwaps(tx, owner, now) : 0;
  const seen = await seenCounts(tx, owner, wanted.seen, request);
  return tally.counters({ open, seen: (recipient) => seen.get(recipient) ?? 0 });
}

async function countedSwaps(
  tx: Transaction,
  { account }: Owner,
  { within, labels }: ReturnType<typeof countsOf>,
  now: number,
): Promise<readonly CountedSwap[]> {
  if (within === 0) return [];
  const columns = tx
    .selectFrom('intents')
    .select(['counted_at', 'deposit_asset', 'deposit_amount', ...SPAN])
    .$if(labels, (query) => query.select('labels'))
    .where('account', '=', account);
  const created = columns.where('counted_at', '>', now - within).where('outcome', '=', 'created');
  // One statement sees one moment: a create that is settled between two of them would be in neither.
  const rows = await created.unionAll(columns.where(IS_UNCERTAIN)).execute();
  return rows.map((row) => {
    const at = row.counted_at ?? now;
    const [coin = '', ...network] = (row.deposit_asset ?? '').split(':');
    return {
      ...spanOf(row, at),
      at,
      deposit: { coin, network: network.join(':') },
      amount: row.deposit_amount ?? '0',
      labels: readLabels(row.labels ?? null) ?? {},
    };
  });
}

/** The columns that {@link spanOf} needs in its row. */
export const SPAN = ['outcome', 'order_number', 'status_code', 'troubled', 'final', 'changed_at'] as const;

/**
 * How long a create of time `at` counts. `closesAt`: from then it is not open; infinity if not known to have ended.
 * `heldUntil`: it counts until then even after its period; null if only in it. `givesBackAt`: from then it does not count
 * even in it; null for never. `endedAt`: when its order ended, by default its last change.
 */
export function spanOf(row: Pick<IntentRow, (typeof SPAN)[number]>, at: number, endedAt?: number) {
  const changedAt = row.changed_at ?? at;
  const hasOrder = row.order_number !== null;
  const isOver = row.outcome === 'dismissed' && !hasOrder;
  const isExpired = row.status_code === OVERDUE && row.troubled === 0;
  const heldUntil = row.final === 1 ? changedAt : Number.POSITIVE_INFINITY;
  return {
    closesAt:
      row.final === 1 ? (endedAt ?? changedAt) : isOver ? at + EXPIRED_COUNTED_MS : Number.POSITIVE_INFINITY,
    heldUntil: row.outcome !== 'created' && hasOrder ? heldUntil : null,
    givesBackAt: isExpired ? Math.max(at + EXPIRED_COUNTED_MS, changedAt) : null,
  };
}

async function openSwaps(tx: Transaction, { account }: Owner, now: number): Promise<number> {
  const open = tx
    .selectFrom('intents')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where(isOpenOf(account));
  // One statement, as above: a create that is settled between two of them would be in neither, or in both.
  const uncertain = await tx
    .selectFrom('intents')
    .select(['counted_at', ...SPAN, open.as('open')])
    .where('account', '=', account)
    .where(IS_UNCERTAIN)
    .execute();
  const count = uncertain[0]?.open ?? (await open.executeTakeFirstOrThrow()).count;
  return count + uncertain.filter((row) => spanOf(row, row.counted_at ?? now).closesAt > now).length;
}

/** How often each recipient of a request was paid, counted no further than the highest number that a rule needs. */
async function seenCounts(tx: Transaction, owner: Owner, most: number, request: PolicyRequest | null) {
  const counts = new Map<Recipient, number>();
  if (request === null || most === 0) return counts;
  for (const recipient of request.recipients) {
    const paid = await timesPaid(tx, owner, { ...request, recipient }, most);
    counts.set(recipient, paid);
  }
  return counts;
}

/** Swaps that paid a recipient on its network, in the requested coin: from an index, because the account is locked. */
async function timesPaid(
  tx: Transaction,
  { account, environment }: Owner,
  { recipient, deposit, receive }: PolicyRequest & { readonly recipient: Recipient },
  most: number,
): Promise<number> {
  const asset = recipient.what === 'payout' ? receive : deposit;
  if (asset === null) return 0;
  const paid = await tx
    .selectFrom('intents')
    .select('account')
    .where(IS_PAID)
    .where('account', '=', account)
    .where('payee', '=', payeeOf(recipient))
    .where('receive_asset', '=', coinLabel(asset))
    .where('environment', '=', environment)
    .limit(most)
    .execute();
  if (paid.length >= most || recipient.what === 'payout') return paid.length;
  const refunds = await tx
    .selectFrom('intents')
    .select('refund_address')
    .where(IS_REFUNDED)
    .where('account', '=', account)
    .where(sql`lower(refund_address)`, '=', sql`lower(${recipient.address})`)
    .where('deposit_asset', '=', coinLabel(asset))
    .where('environment', '=', environment)
    .execute();
  const isSame = (address: string | null) =>
    address !== null && addressKey(address) === addressKey(recipient.address);
  return paid.length + refunds.filter((row) => isSame(row.refund_address)).length;
}

/** The columns that {@link paidKey} needs, besides outcome and status code. */
export const PAYMENT = ['payee', 'receive_asset', 'deposit_asset', 'refund_address'] as const;

/** Key of what a swap has paid, its payout or its refund, to find among {@link seenKeys}; null if it paid nothing. */
export function paidKey(row: Pick<IntentRow, 'outcome' | 'status_code' | (typeof PAYMENT)[number]>) {
  const [code, refund] = [row.status_code ?? 0, row.refund_address];
  if (PAID.includes(code) && row.outcome === 'created') return payoutKey(row);
  return code === REFUNDED && refund !== null ? `refund ${row.deposit_asset} ${addressKey(refund)}` : null;
}

/** Key of a swap's payout, one of {@link seenKeys} of any request with the same coin, network and recipient. */
export function payoutKey({ receive_asset, payee }: Pick<IntentRow, 'receive_asset' | 'payee'>): string {
  return `payout ${receive_asset} ${payee}`;
}

/** Keys of the earlier payments that count for a recipient of a request; {@link paidKey} gives those of a swap. */
export function seenKeys({ deposit, receive }: PolicyRequest, recipient: Recipient): readonly string[] {
  const payout = (asset: PolicyRequest['deposit']) => `payout ${coinLabel(asset)} ${payeeOf(recipient)}`;
  if (recipient.what === 'payout') return [payout(receive ?? deposit)];
  return [payout(deposit), `refund ${coinLabel(deposit)} ${addressKey(recipient.address)}`];
}
