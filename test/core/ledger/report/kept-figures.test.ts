import { describe, expect, it } from 'vitest';
import { EVERY_ENTRY } from '../../../../src/core/ledger/filter.ts';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { addUp, type Grouping } from '../../../../src/core/ledger/report/report.ts';
import { tamper } from '../../../helpers/ledger-damage.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { claimed, INTENT, OWNER, observed } from '../entries.ts';
import { createdSwap, ledgerAt } from '../events/ledgers.ts';
import { openTables } from '../tables.ts';

async function keptFigures(location: string): Promise<readonly (string | null)[]> {
  const database = await openTables(location);
  const rows = await database.kysely
    .selectFrom('intents')
    .select('figures')
    .orderBy('requested_at')
    .execute();
  await database.close();
  return rows.map(({ figures }) => figures);
}

const groupsOf = async (ledger: Ledger, by: Grouping) =>
  (await addUp(ledger.figures.pages(EVERY_ENTRY), { by, days: 'utc', share: null })).groups;

const SUCCESS = observed('AAAAAA', 4, 5);

describe.each(BOTH_DATABASES)('the stored figures of a ledger on $kind', ({ fresh }) => {
  it('are updated with each step of a create and each poll', async () => {
    const location = await fresh();
    const ledger = await ledgerAt(location);
    const entry = await claimed(ledger, OWNER, INTENT, 'k', 1);
    const seen = async () => JSON.parse((await keptFigures(location))[0] ?? '""') as unknown[];
    expect(await seen()).toEqual(expect.arrayContaining([null, 'BTC', 'XRP', {}]));
    await ledger.settle(entry.id, { outcome: 'refused', reason: 'no', at: 1 });
    await ledger.claim(OWNER, { ...INTENT, labels: { team: 'ops' } }, 'k', 1);
    expect(await seen()).toEqual(expect.arrayContaining([null, 'BTC', 'XRP', { team: 'ops' }]));
    await ledger.created(entry.id, observed('AAAAAA', 9, 2), null);
    expect(await seen()).toEqual(expect.arrayContaining(['new', '250.000001', { team: 'ops' }]));
    await ledger.seen(OWNER, SUCCESS);
    expect(await seen()).toEqual(expect.arrayContaining(['success', '250.000001', { team: 'ops' }]));
    expect(await groupsOf(ledger, 'pair')).toMatchObject([{ count: 1, created: 1, paid: 1 }]);
  });

  it('are left empty if labels make them too long for a PostgreSQL index, and reports still count the swap', async () => {
    const location = await fresh();
    const ledger = await ledgerAt(location);
    const names = Array.from({ length: 20 }, (_, index) => `label-${index}`);
    const labels = Object.fromEntries(names.map((name) => [name, '字'.repeat(256)]));
    const entry = await claimed(ledger, OWNER, { ...INTENT, labels }, null, 1);
    await ledger.created(entry.id, SUCCESS, null);
    for (const by of ['label:label-0', 'label:label-19'] as const)
      expect(await groupsOf(ledger, by)).toMatchObject([{ key: '字'.repeat(256), paid: 1 }]);
    expect(await keptFigures(location)).toEqual(['']);
  });
});

it('a report on a ledger file skips a row with a damaged time and reports it', async () => {
  const location = await BOTH_DATABASES[0].fresh();
  const reported: string[] = [];
  const ledger = await ledgerAt(location, ({ message }) => reported.push(message));
  await createdSwap(ledger, 'AAAAAA');
  await createdSwap(ledger, 'BBBBBB');
  tamper(location, `update intents set requested_at = 'yesterday' where order_number = 'AAAAAA'`);
  expect(await groupsOf(ledger, 'day')).toMatchObject([{ key: '1970-01-01', count: 1 }]);
  expect(reported).toEqual([expect.stringContaining('order AAAAAA')]);
});
