import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { expect, it } from 'vitest';
import { freshPostgres } from '../../../core/database/postgres/fresh.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { checksIn } from './checks.ts';

/** What a doctor in this home says of a ledger. */
async function ledgerCheck(home: string, ledger: string) {
  const run = await runHere(['doctor', '--json', '--sandbox'], { home, env: { SWAPCTL_LEDGER: ledger } });
  return checksIn(run).of('ledger');
}

it('swapctl doctor shows the schema version of a PostgreSQL ledger without creating it', async () => {
  const home = await temporaryFolder();
  const ledger = await freshPostgres();
  for (let look = 0; look < 2; look += 1)
    expect(await ledgerCheck(home, ledger)).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^PostgreSQL at .*: none yet;/),
    });
  await runHere(['history'], { home, env: { SWAPCTL_LEDGER: ledger } });
  expect((await ledgerCheck(home, ledger))?.detail).toMatch(
    /^PostgreSQL at .*: version (\d+), this swapctl uses \1$/,
  );
});

it('swapctl doctor fails if PostgreSQL does not let it create or write the ledger tables', async () => {
  const home = await temporaryFolder();
  const owner = await freshPostgres();
  const database = new URL(owner).pathname.slice(1);
  const role = `guest_${database}`;
  const guest = new URL(owner);
  [guest.username, guest.password] = [role, 'guest'];
  const asOwner = async (sql: string) => {
    const client = new pg.Client({ connectionString: owner });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await asOwner(`create role ${role} login password 'guest'`);
  const env = { SWAPCTL_LEDGER: guest.href };
  const found = (location: string) => ledgerCheck(home, location);
  const failed = (why: string) => ({ state: 'fail', detail: expect.stringContaining(why) });
  const cannotMake = `${role} may not create tables in the schema public, so no swap can be created`;
  expect(await found(guest.href)).toMatchObject(failed(cannotMake));
  expect((await runHere(['history', '--json'], { home, env })).error).toMatchObject({
    message: expect.stringContaining('permission denied for schema public'),
    hint: expect.stringContaining('grant the role of the URL what it lacks'),
  });
  const nowhere = new URL(owner);
  nowhere.searchParams.set('options', '-csearch_path=nowhere');
  expect((await found(nowhere.href))?.detail).toContain('the search_path has no schema that exists');
  nowhere.searchParams.set('options', '-cdefault_transaction_read_only=on');
  expect((await found(nowhere.href))?.detail).toContain(
    'it is read-only, perhaps a standby, so no swap can be created',
  );
  expect((await runHere(['history'], { home, env: { SWAPCTL_LEDGER: nowhere.href } })).error?.hint).toBe(
    'Use the URL of the primary server; this one may be a standby.',
  );

  await runHere(['history'], { home, env: { SWAPCTL_LEDGER: owner } });
  await asOwner(`grant select on all tables in schema public to ${role}`);
  expect(await found(guest.href)).toMatchObject(failed(`the role ${role} may not write to the tables`));
  await asOwner(`grant insert, update, delete on all tables in schema public to ${role}`);
  expect(await found(guest.href)).toMatchObject({ state: 'ok' });
  await asOwner(`drop owned by ${role}; drop role ${role}`);
});

it.each([
  ['?sslmode=banana', 'The database URL has an unknown sslmode: banana.', 'Use one of disable,'],
  ['?host=/nowhere', 'could not be used: connect ENOENT /nowhere/.s.PGSQL.', 'Check the host'],
])('a PostgreSQL ledger URL with %s is rejected with its cause and a hint', async (query, words, hint) => {
  const env = { SWAPCTL_LEDGER: `postgres://me@/swaps${query}` };
  const { error } = await runHere(['history', '--json'], { env });
  expect(error).toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining(words),
    hint: expect.stringContaining(hint),
  });
});

it('a failed PostgreSQL login closes its connection', async () => {
  // Asks for a login with SCRAM-SHA-256, and goes on with it.
  const steps = ['R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'R\0\0\0\x0b\0\0\0\x0br=x'];
  const server = createServer((socket) =>
    socket.on('data', () => socket.write(Buffer.from(steps.shift() ?? '', 'latin1'))),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'));
  const env = { SWAPCTL_LEDGER: `postgres://me@127.0.0.1:${port}/swaps` };
  const { error } = await runHere(['history', '--json'], { env });
  expect(error?.message).toBe(`The database 127.0.0.1:${port}/swaps asks for a password.`);
  await closed;
  server.close();
});
