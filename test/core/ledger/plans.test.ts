import { CompiledQuery, type KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/core/database/database.ts';
import { books } from '../../../src/core/ledger/books.ts';
import { events } from '../../../src/core/ledger/events/events.ts';
import { EVERY_ENTRY, type LedgerFilter } from '../../../src/core/ledger/filter.ts';
import { readCounters } from '../../../src/core/ledger/policy/counting.ts';
import { polls } from '../../../src/core/ledger/polls.ts';
import { reads } from '../../../src/core/ledger/reads.ts';
import { figures } from '../../../src/core/ledger/report/figures.ts';
import type { LedgerSchema } from '../../../src/core/ledger/schema.ts';
import { rememberedTimes } from '../../../src/core/ledger/status-times.ts';
import { swapWrites } from '../../../src/core/ledger/writes.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { policyOf } from '../swap/policy/samples.ts';
import { INTENT, OWNER, observed } from './entries.ts';
import { fillRows, rowOf } from './fill.ts';
import { openTables } from './tables.ts';

const [{ fresh }] = BOTH_DATABASES;
let database: Database<LedgerSchema>;

beforeEach(async () => {
  const location = await fresh();
  database = await openTables(location);
  await fillRows(location, 5, (index) => ({
    ...rowOf(index, false),
    environment: 'live',
    labels: '{"a":"b"}',
  }));
});
afterEach(() => database.close());

/** How SQLite goes about each query of some reads; what it does does not depend on how long the ledger is. */
async function plansOf(
  work: (tapped: Database<LedgerSchema>) => Promise<unknown>,
): Promise<readonly string[]> {
  const queries: CompiledQuery[] = [];
  const tap: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      queries.push(database.kysely.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const kysely = database.kysely.withPlugin(tap);
  await work({
    ...database,
    kysely,
    relaxed: kysely,
    transaction: (step) => kysely.transaction().execute(step),
  });
  const plans: string[] = [];
  for (const { sql, parameters } of queries) {
    const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await database.kysely.executeQuery<{ detail: string }>(explain);
    plans.push(rows.map(({ detail }) => detail).join('; '));
  }
  return plans;
}

const TOLD = () => undefined;

async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

/** Pages of two rows: the later ones begin behind a row. */
const listed = (filter: Partial<LedgerFilter>) =>
  plansOf(({ kysely }) => all(books(kysely, TOLD).entries({ ...EVERY_ENTRY, ...filter }, { pageSize: 2 })));

const reported = (filter: Partial<LedgerFilter>) =>
  plansOf(({ kysely }) => all(figures(kysely, TOLD).pages({ ...EVERY_ENTRY, ...filter }, 2)));

it('a list reads no row twice, whether its swap has changed or not', async () => {
  for (const table of ['facts', 'intents'] as const) await database.kysely.deleteFrom(table).execute();
  const { imported, seen } = swapWrites(database, rememberedTimes());
  for (const order of ['AAAAAA', 'BBBBBB']) await imported(OWNER, observed(order, 9, 1));
  await seen(OWNER, observed('BBBBBB', 4, 2));
  const plans = await plansOf(({ kysely }) => all(books(kysely, TOLD).listed(EVERY_ENTRY)));
  expect(plans.filter((plan) => plan.includes('(id=?)'))).toEqual([]);
});

describe('the query plan of SQLite', () => {
  it('uses an index for open swaps and those that need attention', async () => {
    expect(
      await plansOf(async ({ kysely }) => {
        const ledger = reads(kysely, TOLD);
        await ledger.open(null);
        await ledger.open(OWNER);
        await ledger.openByStatus(OWNER);
        await ledger.troubled();
        await ledger.byOrder(OWNER, 'ORDER1');
      }),
    ).toEqual([
      'SCAN intents USING INDEX intents_to_poll',
      'SEARCH intents USING INDEX intents_to_poll (account=? AND next_poll_at>?)',
      'SEARCH intents USING INDEX intents_to_poll (account=? AND next_poll_at>?); USE TEMP B-TREE FOR GROUP BY',
      'SCAN intents USING INDEX intents_unknown',
      'SCAN intents USING INDEX intents_troubled',
      'SEARCH intents USING INDEX sqlite_autoindex_intents_3 (account=? AND order_number=?)',
    ]);
  });

  it('uses an index for swaps identified by a fact such as an order number', async () => {
    const plans = await plansOf(({ kysely }) => reads(kysely, TOLD).withFact('ORDER1', ['ORDER1']));
    expect(plans.filter((plan) => /SCAN (intents|facts)/.test(plan))).toEqual([]);
    expect(plans.join()).toContain('SEARCH facts USING INDEX facts_by_fact (fact=?)');
    expect(plans.at(-1)).toBe('SEARCH intents USING INDEX sqlite_autoindex_intents_1 (id=?)');
  });

  it('uses indexes for the counts of swaps by state', async () => {
    const standing = (owner: typeof OWNER | null) =>
      plansOf(async ({ kysely }) => {
        await reads(kysely, TOLD).swapCounts(owner, [10, 11], 0);
      });
    expect(await standing(null)).toEqual([
      'SCAN intents USING COVERING INDEX intents_to_poll',
      'SCAN intents USING INDEX intents_to_poll',
      'SCAN intents USING INDEX intents_troubled',
      'SCAN intents USING COVERING INDEX intents_unknown',
    ]);
    expect(await standing(OWNER)).toEqual([
      'SEARCH intents USING COVERING INDEX intents_to_poll (account=? AND next_poll_at>?)',
      'SEARCH intents USING INDEX intents_to_poll (account=? AND next_poll_at>?)',
      'SCAN intents USING INDEX intents_troubled',
      'SEARCH intents USING COVERING INDEX intents_counted (account=?)',
    ]);
  });

  it('starts each page of a list at the end of the previous one', async () => {
    expect(await listed({})).toEqual([
      'SCAN intents USING INDEX intents_unknown',
      'SCAN intents USING INDEX intents_by_time',
      'SEARCH intents USING INDEX intents_by_time ((requested_at,id)<(?,?))',
      'SEARCH intents USING INDEX intents_by_time ((requested_at,id)<(?,?))',
    ]);
  });

  it('uses an index for settled swaps', async () => {
    const pages = await plansOf(({ kysely }) => all(books(kysely, TOLD).settled(EVERY_ENTRY, 3)));
    expect(pages).toEqual([
      'SCAN intents USING INDEX intents_by_time',
      'SEARCH intents USING INDEX intents_by_time ((requested_at,id)<(?,?))',
    ]);
  });

  it('uses an index for a list filtered by time, profile and environment', async () => {
    expect(await listed({ profile: 'shop', environment: 'live', since: 1, until: 5 })).toEqual([
      'SEARCH intents USING INDEX intents_unknown (requested_at>? AND requested_at<?)',
      'SEARCH intents USING INDEX intents_of_profile (profile=? AND requested_at>? AND requested_at<?)',
      'SEARCH intents USING INDEX intents_of_profile (profile=? AND requested_at>? AND (requested_at,id)<(?,?))',
      'SEARCH intents USING INDEX intents_of_profile (profile=? AND requested_at>? AND (requested_at,id)<(?,?))',
    ]);
  });

  it('uses a covering index for each page of a report', async () => {
    const [next] = await reported({});
    expect(next).toBe('SEARCH intents USING COVERING INDEX intents_of_profile (profile>?)');
    expect(await reported({ profile: 'shop', environment: 'live', since: 1, until: 9 })).toEqual([
      'SEARCH intents USING COVERING INDEX intents_of_profile (profile=? AND requested_at>? AND requested_at<?)',
      'SEARCH intents USING COVERING INDEX intents_of_profile (profile=? AND (requested_at,id)>(?,?) AND requested_at<?)',
      'SEARCH intents USING COVERING INDEX intents_of_profile (profile=? AND (requested_at,id)>(?,?) AND requested_at<?)',
    ]);
  });

  it('uses an index for label keys, and to find any live swap', async () => {
    const plans = await plansOf(async ({ kysely }) => {
      await books(kysely, TOLD).labelKeys(EVERY_ENTRY);
      await books(kysely, TOLD).labelKeys({ ...EVERY_ENTRY, profile: 'shop', since: 1 });
      await books(kysely, TOLD).any(null, true);
      await books(kysely, TOLD).any('shop', true);
      await books(kysely, TOLD).any('shop');
    });
    expect(plans).toEqual([
      'SCAN intents USING INDEX intents_labelled',
      'SEARCH intents USING INDEX intents_labelled (requested_at>?)',
      'SCAN intents USING COVERING INDEX intents_live',
      'SEARCH intents USING COVERING INDEX intents_live (profile=?)',
      'SEARCH intents USING COVERING INDEX intents_of_profile (profile=?)',
    ]);
  });

  it('uses an index for the coins and addresses that a create suggests', async () => {
    const plans = await plansOf(async ({ kysely }) => {
      const offers = books(kysely, TOLD);
      await offers.recentAssets('deposit', 5);
      await offers.pastRequests('deposit', INTENT.deposit, 'live', 5);
      await offers.pastRequests('receive', INTENT.receive, 'live', 5);
    });
    expect(plans).toEqual([
      'SCAN intents USING COVERING INDEX intents_by_time',
      'SEARCH intents USING INDEX intents_by_deposit (deposit_asset=? AND environment=?)',
      'SEARCH intents USING INDEX intents_by_receive (receive_asset=? AND environment=?)',
    ]);
  });

  it('uses an index for the earlier payouts that a policy counts', async () => {
    const { deposit, receive, amount } = INTENT;
    const payout = { what: 'payout', network: receive.network, address: INTENT.address, memo: null } as const;
    const refund = { ...payout, what: 'refund', network: deposit.network } as const;
    const about = { kind: 'create', deposit, amount, receive, type: 'float', labels: {} } as const;
    const request = { ...about, has: new Set<string>(), recipients: [payout, refund] };
    const policy = policyOf([{ payout: { seen: 2 } }]);
    const paid =
      'SEARCH intents USING INDEX intents_paid (account=? AND payee=? AND receive_asset=? AND environment=?)';
    expect(await plansOf(({ kysely }) => readCounters(kysely, OWNER, policy, { request, now: 1 }))).toEqual([
      paid,
      paid,
      'SEARCH intents USING INDEX intents_refunded (account=? AND <expr>=? AND deposit_asset=? AND environment=?)',
    ]);
  });

  it('uses an index for due polls and for swaps seen by other processes', async () => {
    const followed = { owner: OWNER, orders: null, unseenSince: null };
    const plans = await plansOf(async (tapped) => {
      await polls(tapped, TOLD).nextDue(followed, 1);
      await polls(tapped, TOLD).claimDue(followed, 'x', 1);
      await polls(tapped, TOLD).seenSince(OWNER, 1);
    });
    const toPoll = 'SEARCH intents USING INDEX intents_to_poll (account=? AND next_poll_at>?)';
    expect(plans).toEqual([
      toPoll,
      toPoll,
      `SEARCH intents USING INDEX sqlite_autoindex_intents_1 (id=?); SCALAR SUBQUERY 1; ${toPoll}`,
      'SEARCH intents USING INDEX intents_by_seen_at (account=? AND seen_at>?)',
      'SEARCH intents USING INDEX sqlite_autoindex_intents_1 (id=?)',
    ]);
  });

  it('uses an index for events that are due, failed, of one order, or old', async () => {
    const plans = await plansOf(async (tapped) => {
      const { account } = OWNER;
      const outbox = events(tapped);
      await outbox.claim({ account, orders: null }, 'x', 1, 8);
      await outbox.nextDue({ account, orders: null });
      await outbox.undelivered(account);
      await outbox.recordedSince(account, 1);
      await outbox.pruneDelivered(1);
      await outbox.recordLostCreates(account, 1);
      const filter = { profile: null, order: null, undelivered: false, since: null };
      await outbox.list(filter, 5);
      await outbox.list({ ...filter, order: 'ORDER1' }, 5);
      await outbox.list({ ...filter, undelivered: true }, 5);
    });
    expect([...new Set(plans)]).toEqual([
      ...dueBy('next_attempt_at<?'),
      ...dueBy('next_attempt_at>?'),
      'SEARCH events USING COVERING INDEX events_to_deliver (account=?)',
      'SEARCH events USING INDEX events_by_account (account=? AND at>?); USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
      'SEARCH events USING INDEX events_delivered (delivered_at<?)',
      'SEARCH intents USING INDEX intents_unknown (requested_at>? AND requested_at<?)',
      'SCAN events USING INDEX events_by_time',
      'SEARCH events USING INDEX events_by_order (order_number=?); USE TEMP B-TREE FOR ORDER BY',
      'SCAN events USING INDEX events_undelivered',
    ]);
  });
});

/** The plan of choosing an event to deliver, and of the statement that leases it. */
function dueBy(time: string): readonly string[] {
  const search = `SEARCH events USING INDEX events_to_deliver (account=? AND ${time})`;
  return [
    search,
    `SEARCH events USING COVERING INDEX sqlite_autoindex_events_1 (id=?); LIST SUBQUERY 1; ${search}`,
  ];
}
