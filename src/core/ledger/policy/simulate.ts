import { type Kysely, type SqlBool, sql } from 'kysely';
import { rfc3339 } from '../../../base/time.ts';
import { countsOf, Tally, Window, windowOf } from '../../swap/policy/counters.ts';
import { decide } from '../../swap/policy/decide.ts';
import { type Policy, ruleJson, ruleWords } from '../../swap/policy/policy.ts';
import type { Recipient } from '../../swap/policy/rule.ts';
import { coinLabel } from '../../swap/swap.ts';
import { paged } from '../books.ts';
import { firstTimes } from '../changes.ts';
import { type Owner, readIntent, readLabels } from '../entry.ts';
import type { IntentRow, LedgerSchema } from '../schema.ts';
import { OVERDUE, PAID, PAYMENT, paidKey, payoutKey, REFUNDED, SPAN, seenKeys, spanOf } from './counting.ts';
import { policyRequest } from './request.ts';

const ENDED: readonly number[] = [...PAID, OVERDUE, 6, REFUNDED];
const PAGE = 2000;

/**
 * Replays the creates of an account in time order under a policy: each is decided by what was counted, open and paid at
 * its time. Creates that were given back are left out, and refused ones count toward no limit, but what was paid to their
 * addresses is known afterwards. `since`, in milliseconds, limits what is decided; earlier swaps still count.
 */
export async function* replay(
  kysely: Kysely<LedgerSchema>,
  { account, environment }: Owner,
  policy: Policy,
  since: number,
) {
  const [tally, open, paid] = [new Tally(policy, 0), new Window(), new Map<string, Window>()];
  const wanted = countsOf(policy);
  const endedAt = wanted.open ? await firstTimes(kysely, ENDED) : new Map<string, number>();
  const paidAt = wanted.seen > 0 ? await firstTimes(kysely, PAID) : new Map<string, number>();
  for await (const rows of paged<Row>(PAGE, (last) => nextRows(kysely, account, last)))
    for (const row of rows) {
      const [intent, labels] = [readIntent(row.request), readLabels(row.labels) ?? {}];
      if (intent === null || intent === undefined) continue;
      const at = row.counted_at ?? 0;
      const request = policyRequest(intent, labels, row.idempotency_key !== null);
      tally.advance(at);
      // The digest of the recipient is in the row: computing it anew took a tenth of the time.
      const keysOf = (each: Recipient) =>
        each.what === 'payout' ? [payoutKey(row)] : seenKeys(request, each);
      const seen = (each: Recipient) =>
        keysOf(each).reduce((sum, key) => sum + windowOf(paid, key).at(at).passed, 0);
      const counters = tally.counters({ open: open.at(at).count, seen });
      const verdict = at >= since ? decide(policy, request, counters, at) : null;
      if (verdict !== null) yield { order: row.order_number, at, intent, verdict };
      const key = wanted.seen > 0 && row.environment === environment ? paidKey(row) : null;
      if (key !== null) windowOf(paid, key).add(paidAt.get(row.id) ?? row.changed_at ?? at);
      if (verdict?.decision === 'refuse') continue;
      const { closesAt, ...held } = spanOf(row, at, endedAt.get(row.id));
      if (wanted.open) open.add(closesAt);
      tally.add({ deposit: intent.deposit, amount: intent.amount, labels, at, ...held });
    }
}

const COLUMNS = [
  'id',
  'request',
  'labels',
  'idempotency_key',
  'environment',
  'counted_at',
  ...SPAN,
  ...PAYMENT,
] as const;
type Row = Pick<IntentRow, (typeof COLUMNS)[number]>;

/** The creates that exist, or may exist, in the order in which they were counted, after a row. */
function nextRows(kysely: Kysely<LedgerSchema>, account: string, last: Row | undefined) {
  const exist = kysely
    .selectFrom('intents')
    .select(COLUMNS)
    .where('account', '=', account)
    .where('outcome', 'in', ['created', 'unknown', 'dismissed'])
    .where('given_back', '=', 0);
  // Compared as a row: with `or`, SQLite would begin each page at the first swap.
  const after = sql<SqlBool>`(counted_at, id) > (${last?.counted_at ?? -1}, ${last?.id ?? ''})`;
  return exist.where(after).orderBy('counted_at').orderBy('id').limit(PAGE).execute();
}

const MAX_LISTED = 50;

/** How many swaps a policy would have let through, by rule, and the first refusals. */
export type Simulation = Awaited<ReturnType<typeof simulate>>;

/** Sums up a replay under a policy. */
export async function simulate(policy: Policy, replayed: ReturnType<typeof replay>, signal: AbortSignal) {
  const counts = new Map<string, number>();
  const count = (key: string) => counts.get(key) ?? 0;
  const refused = [];
  for await (const { order, at, intent, verdict } of replayed) {
    signal.throwIfAborted();
    const { decision, rules } = verdict;
    for (const key of [decision, ...rules.map((rule) => `${decision} ${rule.index} ${rule.kind}`)])
      counts.set(key, count(key) + 1);
    if (decision !== 'refuse' || refused.length >= MAX_LISTED) continue;
    const pair = `${coinLabel(intent.deposit)} to ${coinLabel(intent.receive)}`;
    const reasons = rules.map(({ message }) => message);
    refused.push({ order, at: rfc3339(at), pair, amount: intent.amount, reasons });
  }
  const [allowed, approvals, refuses] = [count('allow'), count('approve'), count('refuse')];
  const rules = policy.rules.map((rule, index) => ({
    index,
    kind: rule.kind,
    rule: ruleJson(rule),
    words: ruleWords(rule),
    refuses: count(`refuse ${index} ${rule.kind}`),
    approvals: count(`approve ${index} ${rule.kind}`),
  }));
  const swaps = allowed + approvals + refuses;
  // Several allow rules refuse together.
  return { swaps, allowed, approvals, refuses, notAllowed: count('refuse null allow'), rules, refused };
}
