import { type Kysely, type SqlBool, sql } from 'kysely';
import { decide, type Verdict } from '../../swap/policy/decide.ts';
import type { Policy } from '../../swap/policy/policy.ts';
import { type CreateIntent, type Owner, readIntent, readLabels } from '../entry.ts';
import type { LedgerSchema } from '../schema.ts';
import { mayBeFunded, OVERDUE, PAID, REFUNDED, UNFUNDED_COUNTS_MS } from './counting.ts';
import { Past } from './past.ts';
import { policyRequest } from './request.ts';

/** A create of the ledger, as a replay judges it. */
export interface ReplayedSwap {
  readonly order: string | null;
  /** When it was counted, in milliseconds since 1970. */
  readonly at: number;
  readonly intent: CreateIntent;
  readonly verdict: Verdict;
}

/**
 * Replays the creates of an account in time order under a policy: each is judged by what was counted, open and paid at
 * its time. Creates that were given back are left out, and refused ones count toward no limit. `since` limits what is judged; earlier swaps still count.
 */
export async function* replay(
  kysely: Kysely<LedgerSchema>,
  { account }: Owner,
  policy: Policy,
  since: number,
): AsyncGenerator<ReplayedSwap> {
  const past = new Past();
  const finalAt = await firstTimes(kysely, policy, FINAL);
  const paidAt = await firstTimes(kysely, policy, PAID);
  for await (const row of rowsOf(kysely, account)) {
    const intent = readIntent(row.request);
    if (intent === null || intent === undefined) continue;
    const at = row.counted_at ?? row.requested_at;
    const labels = readLabels(row.labels) ?? {};
    const request = policyRequest(intent, labels, row.idempotency_key !== null);
    past.advance(at);
    const verdict = at >= since ? decide(policy, request, past.counters(), at) : null;
    if (verdict !== null) yield { order: row.order_number, at, intent, verdict };
    past.add(policy, {
      at,
      request,
      amount: intent.amount,
      closesAt: closesAt(row, at, finalAt),
      heldUntil: heldUntil(row, at),
      paidAt: PAID.includes(row.status_code ?? 0) ? (paidAt.get(row.id) ?? row.changed_at ?? at) : null,
      givesBackAt: givesBackAt(row, at),
      refundTo: row.status_code === REFUNDED ? row.refund_address : null,
      counts: verdict?.decision !== 'refuse',
    });
  }
}

const FINAL: readonly number[] = [...PAID, OVERDUE, 6, REFUNDED];
/** Number of rows read at a time. */
const PAGE = 2000;

interface Row {
  readonly id: string;
  readonly request: string;
  readonly labels: string | null;
  readonly idempotency_key: string | null;
  readonly order_number: string | null;
  readonly outcome: string;
  readonly status_code: number | null;
  readonly troubled: number;
  readonly final: number;
  readonly refund_address: string | null;
  readonly requested_at: number;
  readonly counted_at: number | null;
  readonly changed_at: number | null;
}

/** The creates of an account that exist, or may exist, in the order in which they were counted. */
async function* rowsOf(kysely: Kysely<LedgerSchema>, account: string): AsyncGenerator<Row> {
  let last: { readonly at: number; readonly id: string } | null = null;
  for (;;) {
    const { at, id }: { readonly at: number; readonly id: string } = last ?? { at: -1, id: '' };
    const rows: readonly Row[] = await kysely
      .selectFrom('intents')
      .select([
        'id',
        'request',
        'labels',
        'idempotency_key',
        'order_number',
        'outcome',
        'status_code',
        'troubled',
      ])
      .select(['final', 'refund_address', 'requested_at', 'counted_at', 'changed_at'])
      .where('account', '=', account)
      .where('outcome', 'in', ['created', 'unknown', 'dismissed'])
      .where('given_back', '=', 0)
      // Compared as a row: with `or`, SQLite would begin each page at the first swap.
      .where(sql<SqlBool>`(counted_at, id) > (${at}, ${id})`)
      .orderBy('counted_at')
      .orderBy('id')
      .limit(PAGE)
      .execute();
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE) return;
    last = { at: end.counted_at ?? 0, id: end.id };
  }
}

/** When entries first had one of these status codes; read only for a policy that asks for it. */
async function firstTimes(
  kysely: Kysely<LedgerSchema>,
  { rules }: Policy,
  codes: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const asks = rules.some((rule) =>
    codes === PAID ? rule.kind === 'payout' && rule.seen !== null : rule.kind === 'open',
  );
  if (!asks) return new Map();
  const rows = await kysely
    .selectFrom('changes')
    .select((is) => ['intent_id', is.fn.min('at').as('first')])
    .where('status_code', 'in', [...codes])
    .groupBy('intent_id')
    .execute();
  return new Map(rows.map(({ intent_id: id, first }) => [id, first]));
}

function closesAt(row: Row, at: number, finalAt: ReadonlyMap<string, number>): number | null {
  if (row.final === 1) return finalAt.get(row.id) ?? row.changed_at ?? at;
  return row.outcome === 'dismissed' && row.order_number === null ? at + UNFUNDED_COUNTS_MS : null;
}

/** Until when a create counts beyond its window: until the order that it may have made is known to have ended. */
function heldUntil(row: Row, at: number): number | null {
  if (row.outcome === 'created' || row.order_number === null) return null;
  return mayBeFunded(row) ? Number.POSITIVE_INFINITY : (row.changed_at ?? at);
}

function givesBackAt({ status_code: code, troubled, changed_at: changed }: Row, at: number): number | null {
  if (code !== OVERDUE || troubled !== 0) return null;
  return Math.max(at + UNFUNDED_COUNTS_MS, changed ?? at);
}
