import { sql } from 'kysely';
import { coinLabel } from '../../swap/coin-ref.ts';
import { addressKey } from '../../swap/policy/codes.ts';
import { type CountedSwap, countersOf } from '../../swap/policy/counters.ts';
import type { Counters, PolicyRequest, Recipient } from '../../swap/policy/decide.ts';
import type { Policy } from '../../swap/policy/policy.ts';
import { type Owner, readLabels } from '../entry.ts';
import { payeeOf } from '../new-entry.ts';
import { IS_PAID, IS_REFUNDED, IS_UNCERTAIN, isOpenOf, type Transaction } from '../schema.ts';

/** Time for which an order that expired without a deposit counts: the service may accept a late deposit until then. */
export const UNFUNDED_COUNTS_MS = 24 * 3_600_000;

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

/** The longest window of a policy in milliseconds; 0 where it has none. */
function longestWindow({ rules }: Policy): number {
  const windows = rules.flatMap((rule) => {
    if (rule.kind === 'count') return rule.per;
    return rule.kind === 'cap' && rule.per !== 'order' ? rule.per : [];
  });
  return Math.max(0, ...windows);
}

/** Reads what a policy counts. Swaps that exist, or may exist, count; the clock is that of {@link countingTime}. */
export async function readCounters(
  tx: Transaction,
  owner: Owner,
  policy: Policy,
  request: PolicyRequest | null,
  now: number,
): Promise<{ readonly counters: Counters; readonly swaps: readonly CountedSwap[] }> {
  const swaps = await countedSwaps(tx, owner, policy, now);
  const open = policy.rules.some(({ kind }) => kind === 'open') ? await openSwaps(tx, owner, now) : 0;
  const seen = await seenCounts(tx, owner, policy, request);
  return { swaps, counters: countersOf(swaps, now, { open, seen: (recipient) => seen.get(recipient) ?? 0 }) };
}

async function countedSwaps(
  tx: Transaction,
  { account }: Owner,
  policy: Policy,
  now: number,
): Promise<readonly CountedSwap[]> {
  const window = longestWindow(policy);
  if (window === 0) return [];
  const needsLabels = policy.rules.some((rule) => rule.kind === 'cap' && rule.by !== null);
  const columns = tx
    .selectFrom('intents')
    .select(['counted_at', 'status_code', 'troubled', 'deposit_asset', 'deposit_amount'])
    .$if(needsLabels, (query) => query.select('labels'))
    .where('account', '=', account);
  const created = await columns
    .where('counted_at', '>', now - window)
    .where('outcome', '=', 'created')
    .execute();
  const uncertain = await columns.select(['order_number', 'final']).where(IS_UNCERTAIN).execute();
  // One whose order may still be funded counts in every window.
  const held = uncertain.map((row) => (mayBeFunded(row) ? { ...row, counted_at: now } : row));
  return [...created, ...held].flatMap((row) => {
    const at = row.counted_at ?? now;
    const isUnfunded = row.status_code === OVERDUE && row.troubled === 0;
    if (isUnfunded && now - at >= UNFUNDED_COUNTS_MS) return [];
    const [coin = '', ...network] = (row.deposit_asset ?? '').split(':');
    return {
      at,
      deposit: { coin, network: network.join(':') },
      amount: row.deposit_amount ?? '0',
      labels: readLabels(row.labels ?? null) ?? {},
    };
  });
}

/** Whether a create that is not followed has an order that is not known to have ended. */
export function mayBeFunded(row: { readonly order_number: string | null; readonly final: number }): boolean {
  return row.order_number !== null && row.final === 0;
}

async function openSwaps(tx: Transaction, { account }: Owner, now: number): Promise<number> {
  const { count } = await tx
    .selectFrom('intents')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where(isOpenOf(account))
    .executeTakeFirstOrThrow();
  const uncertain = await tx
    .selectFrom('intents')
    .select(['outcome', 'order_number', 'final', 'counted_at'])
    .where('account', '=', account)
    .where(IS_UNCERTAIN)
    .execute();
  return count + uncertain.filter((row) => isOpen(row, now)).length;
}

/** A dismissed create without an order counts as open for as long as an order that expired may be funded. */
function isOpen(
  row: Parameters<typeof mayBeFunded>[0] & { readonly outcome: string; readonly counted_at: number | null },
  now: number,
): boolean {
  if (row.order_number !== null) return mayBeFunded(row);
  return row.outcome === 'unknown' || now - (row.counted_at ?? now) < UNFUNDED_COUNTS_MS;
}

/** How often each recipient of a request was paid, counted no further than the highest number that a rule needs. */
async function seenCounts(
  tx: Transaction,
  owner: Owner,
  policy: Policy,
  request: PolicyRequest | null,
): Promise<ReadonlyMap<Recipient, number>> {
  const most = Math.max(0, ...policy.rules.map((rule) => (rule.kind === 'payout' ? (rule.seen ?? 0) : 0)));
  const counts = new Map<Recipient, number>();
  if (request === null || most === 0) return counts;
  for (const recipient of request.recipients) {
    const paid = await paidTo(tx, owner, recipient, request, most);
    counts.set(recipient, paid);
  }
  return counts;
}

/** Swaps that paid a recipient on its network, in the requested coin: from an index, because the account is locked. */
async function paidTo(
  tx: Transaction,
  { account, environment }: Owner,
  recipient: Recipient,
  request: PolicyRequest,
  most: number,
): Promise<number> {
  const asset = recipient.what === 'payout' ? request.receive : request.deposit;
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
