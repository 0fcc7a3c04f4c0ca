import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/database/open.ts';
import { LEDGER_MIGRATIONS } from '../../../src/ledger/migrations.ts';
import { auditReads, auditWriter } from '../../../src/ledger/policy/audit.ts';
import type { LedgerSchema } from '../../../src/ledger/schema.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { OWNER } from '../entries.ts';

it('a chain of more links than are read at once is checked to its end', async () => {
  const [sqlite] = BOTH_DATABASES;
  const database = await openDatabase<LedgerSchema>(await sqlite.fresh(), LEDGER_MIGRATIONS, {
    name: 'ledger',
  });
  const { verify, head } = auditReads(database.kysely);
  expect(await verify(null)).toMatchObject({ links: 0, problems: [] });
  const write = auditWriter(database, 'tester');
  const most = 1003;
  await database.transaction(async (tx) => {
    for (let n = 1; n <= most; n += 1) await write(tx, OWNER, { type: 'create', data: {}, at: n });
  });
  expect(await verify(null)).toEqual({ links: most, head: await head(), problems: [] });
  await database.kysely.updateTable('audit').set({ body: '{}' }).where('n', '=', most).execute();
  expect((await verify(null)).problems.map(({ n }) => n)).toContain(most);
  await database.close();
});
