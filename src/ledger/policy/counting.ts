import { sql } from 'kysely';
import { addressKey, networkKey } from '../../swap/policy/codes.ts';
import { type CountedSwap, countersOf } from '../../swap/policy/counters.ts';
import type { Counters, PolicyRequest, Recipient } from '../../swap/policy/decide.ts';
import type { Policy } from '../../swap/policy/policy.ts';
import { type Owner, readIntent, readLabels } from '../entry.ts';
import { IS_UNKNOWN, isOpenOf, type Transaction } from '../schema.ts';
import { contains } from '../search.ts';

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
  const open = policy.rules.some(({ kind }) => kind === 'open') ? await openSwaps(tx, owner) : 0;
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
  const rows = await tx
    .selectFrom('intents')
    .select(['counted_at', 'outcome', 'status_code', 'troubled', 'deposit_asset', 'deposit_amount'])
    .$if(needsLabels, (query) => query.select('labels'))
    .where('account', '=', account)
    .where('counted_at', '>', now - window)
    .where('outcome', 'in', ['created', 'unknown'])
    .execute();
  return rows.flatMap((row) => {
    const at = row.counted_at ?? now;
    const isUnfunded = row.outcome === 'created' && row.status_code === OVERDUE && row.troubled === 0;
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

async function openSwaps(tx: Transaction, { account }: Owner): Promise<number> {
  const { count } = await tx
    .selectFrom('intents')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where(isOpenOf(account))
    .executeTakeFirstOrThrow();
  // Filtered here: SQLite would use an index on all swaps of the account.
  const unknown = await tx.selectFrom('intents').select('account').where(IS_UNKNOWN).execute();
  return count + unknown.filter((row) => row.account === account).length;
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

/** Swaps that paid a recipient on its network, in the requested coin. */
async function paidTo(
  tx: Transaction,
  { account, environment }: Owner,
  recipient: Recipient,
  request: PolicyRequest,
  most: number,
): Promise<number> {
  const asset = recipient.what === 'payout' ? request.receive : request.deposit;
  if (asset === null) return 0;
  const rows = await tx
    .selectFrom('intents')
    .select('request')
    .where('receive_asset', '=', `${asset.coin}:${asset.network}`)
    .where('environment', '=', environment)
    .where('account', '=', account)
    .where('outcome', '=', 'created')
    .where('status_code', 'in', [...PAID])
    // Only a first filter: the exact selection is below.
    .where(contains(sql`lower(request)`, recipient.address.toLowerCase()))
    .execute();
  const paid = rows.filter(({ request: text }) => isPaidTo(text, recipient)).length;
  if (paid >= most || recipient.what === 'payout') return paid;
  const refunds = await tx
    .selectFrom('intents')
    .select('refund_address')
    .where('deposit_asset', '=', `${asset.coin}:${asset.network}`)
    .where('environment', '=', environment)
    .where('account', '=', account)
    .where('status_code', '=', REFUNDED)
    .execute();
  return paid + refunds.filter((row) => sameKey(row.refund_address, recipient.address)).length;
}

function isPaidTo(text: string, { network, address, memo }: Recipient): boolean {
  const intent = readIntent(text);
  return (
    intent !== null &&
    intent !== undefined &&
    networkKey(intent.receive.network) === networkKey(network) &&
    sameKey(intent.address, address) &&
    intent.memo === memo
  );
}

function sameKey(a: string | null, b: string): boolean {
  return a !== null && addressKey(a) === addressKey(b);
}
