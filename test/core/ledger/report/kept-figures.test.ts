import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../../src/core/database/database.ts';
import { openDatabase } from '../../../../src/core/database/open.ts';
import { EVERY_ENTRY } from '../../../../src/core/ledger/filter.ts';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { LEDGER_MIGRATIONS } from '../../../../src/core/ledger/migrations.ts';
import { addUp } from '../../../../src/core/ledger/report/report.ts';
import type { ReportGroup } from '../../../../src/core/ledger/report/tally.ts';
import type { LedgerSchema } from '../../../../src/core/ledger/schema.ts';
import { tamper } from '../../../helpers/ledger-damage.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { claimed, INTENT, OWNER, observed } from '../entries.ts';
import { createdSwap, ledgerAt } from '../events/ledgers.ts';

type Rows = Database<LedgerSchema>['kysely'];

/** Works on the ledger's rows as a program that is not this version of swapctl would. */
async function withRows<T>(location: string, work: (rows: Rows) => Promise<T>): Promise<T> {
  const database = await openDatabase<LedgerSchema>(location, LEDGER_MIGRATIONS, { name: 'ledger' });
  onTestFinished(() => database.close());
  return await work(database.kysely);
}

function keptFigures(location: string): Promise<readonly (string | null)[]> {
  return withRows(location, async (rows) => {
    const found = await rows.selectFrom('intents').select('figures').orderBy('requested_at').execute();
    return found.map(({ figures }) => figures);
  });
}

async function totalOf(ledger: Ledger): Promise<ReportGroup> {
  return (await addUp(ledger.figures.pages(EVERY_ENTRY), { by: 'pair', days: 'utc', share: null })).total;
}

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
    expect(await totalOf(ledger)).toMatchObject({ count: 1, created: 1, paid: 1 });
  });

  it('are left empty if labels make them too long for a PostgreSQL index, and reports still count the swap', async () => {
    const location = await fresh();
    const ledger = await ledgerAt(location);
    const labels = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`label-${index}`, '字'.repeat(256)]),
    );
    const entry = await claimed(ledger, OWNER, { ...INTENT, labels }, null, 1);
    await ledger.created(entry.id, SUCCESS, null);
    for (const label of ['label-0', 'label-19'] as const) {
      const by = `label:${label}` as const;
      const { groups } = await addUp(ledger.figures.pages(EVERY_ENTRY), { by, days: 'utc', share: null });
      expect(groups).toMatchObject([{ key: '字'.repeat(256), paid: 1 }]);
    }
    expect(await keptFigures(location)).toEqual(['']);
  });
});

describe('a report on a ledger file', () => {
  const [{ fresh }] = BOTH_DATABASES;

  it('skips a row with a damaged time and reports it', async () => {
    const location = await fresh();
    const reported: string[] = [];
    const ledger = await ledgerAt(location, ({ message }) => reported.push(message));
    await createdSwap(ledger, 'AAAAAA');
    await createdSwap(ledger, 'BBBBBB');
    tamper(location, `update intents set requested_at = 'yesterday' where order_number = 'AAAAAA'`);
    const { groups } = await addUp(ledger.figures.pages(EVERY_ENTRY), {
      by: 'day',
      days: 'utc',
      share: null,
    });
    expect(groups).toMatchObject([{ key: '1970-01-01', count: 1 }]);
    expect(reported).toEqual([expect.stringContaining('order AAAAAA')]);
  });
});
