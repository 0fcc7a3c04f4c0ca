import { expect, it } from 'vitest';
import { tamper } from '../../../helpers/ledger-damage.ts';
import { IN_LONG_RUN } from '../../../helpers/random-runs.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { policyOf } from '../../swap/policy/samples.ts';
import { claimed, INTENT, OWNER, observed } from '../entries.ts';
import { ledgerAt } from '../events/ledgers.ts';
import { rowOf } from '../fill.ts';
import { openTables } from '../tables.ts';

const HOUR = 3_600_000;
const RULES = [
  { cap: { coin: 'BTC', amount: '1', per: '6h' } },
  { cap: { coin: 'BTC', amount: '0.6', per: '4h', by: 'label:team' } },
  { count: { most: 4, per: '3h' } },
  { open: { most: 5 } },
];

/** A ledger without a policy, and what one rule decides of what is created in it. */
async function emptyLedger(location: string) {
  const ledger = await ledgerAt(location);
  const create = async (at: number) =>
    (await claimed(ledger, OWNER, { ...INTENT, amount: '0.5' }, null, at)).id;
  const decisions = async (rule: unknown) => {
    const found: string[] = [];
    for await (const { verdict } of ledger.replay(OWNER, policyOf([rule]), 0)) found.push(verdict.decision);
    return found;
  };
  return { ledger, create, decisions };
}

it('a policy replay does not count a swap as open that ended before a late payout', async () => {
  const { ledger, create, decisions } = await emptyLedger(await BOTH_DATABASES[0].fresh());
  await ledger.created(await create(0), observed('A', 9, 1), null);
  await ledger.seen(OWNER, observed('A', 5, 2));
  await create(HOUR);
  await ledger.seen(OWNER, observed('A', 4, 2 * HOUR));
  expect(await decisions({ open: { most: 1 } })).toEqual(['allow', 'allow']);
});

it('a cap without a label counts all labels together, in claims and in replays', async () => {
  const { ledger, decisions } = await emptyLedger(await BOTH_DATABASES[0].fresh());
  const create = (label: string) =>
    ledger.claim(OWNER, { ...INTENT, amount: '0.5', labels: { null: label } }, null, 1);
  const rule = { cap: { coin: 'BTC', amount: '0.5', per: '1h' } };
  await create('a');
  await create('b');
  expect(await decisions(rule)).toEqual(['allow', 'refuse']);
  await ledger.guards.set(OWNER, { policy: policyOf([rule]), before: null, signer: null }, 1);
  await expect(create('c')).rejects.toMatchObject({ details: { rules: [{ spent: '1' }] } });
});

it.each(['null', 'no JSON'])('a policy replay skips a swap whose stored request is %s', async (request) => {
  const [sqlite] = BOTH_DATABASES;
  const location = await sqlite.fresh();
  const { create, decisions } = await emptyLedger(location);
  await create(1);
  tamper(location, `update intents set request = '${request}'`);
  await create(2);
  expect(await decisions({ count: { most: 1, per: '1h' } })).toEqual(['allow']);
});

it.runIf(IN_LONG_RUN)('a policy replay covers every swap of a large ledger once', async () => {
  const [sqlite] = BOTH_DATABASES;
  const location = await sqlite.fresh();
  const database = await openTables(location);
  await database.transaction(async (tx) => {
    const none = { snapshot: null, first_snapshot: null };
    for (let first = 0; first < 5000; first += 500) {
      const numbers = Array.from({ length: 500 }, (_, at) => first + at);
      const rows = numbers.map((n) => ({ ...rowOf(n, false), ...none, counted_at: n * 60_000 }));
      await tx.insertInto('intents').values(rows).execute();
    }
  });
  await database.close();
  const ledger = await ledgerAt(location);
  const rules = [...RULES, { payout: { seen: 2 } }, { cap: { coin: 'BTC', amount: '1000', per: '30d' } }];
  let swaps = 0;
  for await (const _ of ledger.replay(OWNER, policyOf(rules), 0)) swaps += 1;
  expect(swaps).toBe(5000);
});
