import { afterEach, expect, it } from 'vitest';
import { auditReads, auditWriter } from '../../../../src/core/ledger/policy/audit.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { OTHER, OWNER } from '../entries.ts';
import { openTables } from '../tables.ts';
import { AT, closeLedgers, open } from './gates.ts';

afterEach(closeLedgers);

it('an audit chain longer than one page is verified to its end', async () => {
  const [sqlite] = BOTH_DATABASES;
  const database = await openTables(await sqlite.fresh());
  const { verify, head } = auditReads(database.kysely);
  const before = await head();
  for (const saved of [null, before]) expect(await verify(saved)).toMatchObject({ links: 0, problems: [] });
  const write = auditWriter(database, 'tester');
  const most = 1003;
  await database.transaction(async (tx) => {
    for (let n = 1; n <= most; n += 1) await write(tx, OWNER, { type: 'create', data: {}, at: n });
  });
  for (const saved of [null, before])
    expect(await verify(saved)).toEqual({ links: most, head: await head(), problems: [] });
  await database.kysely.updateTable('audit').set({ body: '{}' }).where('n', '=', most).execute();
  expect((await verify(null)).problems.map(({ n }) => n)).toContain(most);
  await database.close();
});

it('the newest audit entries are listed for all accounts or for one', async () => {
  const ledger = await open(await BOTH_DATABASES[0].fresh());
  for (const owner of [OWNER, OTHER, OWNER]) await ledger.guards.stop(owner, 'looking', AT);
  const newest = async (limit: number | null, account: string | null) =>
    (await ledger.audit.newest(limit, account)).map(({ n }) => n);
  expect(await newest(null, null)).toEqual([3, 2, 1]);
  expect(await newest(2, null)).toEqual([3, 2]);
  expect([await newest(null, OWNER.account), await newest(1, OTHER.account)]).toEqual([[3, 1], [2]]);
});
