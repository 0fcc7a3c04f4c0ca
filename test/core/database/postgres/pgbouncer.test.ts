import { chmodSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, DEFAULT_SCHEMA_NAME } from '../../../../src/core/database/database.ts';
import { BusyError } from '../../../../src/core/database/failures.ts';
import { inspectDatabase, openDatabase } from '../../../../src/core/database/open.ts';
import { startSandbox } from '../../../../src/sandbox/server.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { runProgram } from '../../../helpers/program.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { makeBadCertificate, makeCertificate } from '../../../helpers/tls-front.ts';
import { call, NEW_SWAP } from '../../../sandbox/sandbox.ts';
import { NOTES, type NotesSchema } from '../notes.ts';
import { freshPostgres } from './fresh.ts';
import { HAS_PGBOUNCER, type PgBouncer, startPgBouncer } from './pgbouncer.ts';

const note = (id: string) => ({ id, body: '', seen_at: 1 });

const SETTINGS = 'statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options';

/** How operators set it up: as it comes, which refuses our settings, and with settings that are ignored. */
const WAYS = [
  ['that refuses settings', []],
  ['that ignores settings', [`ignore_startup_parameters = ${SETTINGS}, extra_float_digits`]],
] as const;

describe.runIf(HAS_PGBOUNCER).each(WAYS)('PgBouncer in transaction mode %s', (_name, lines) => {
  let bouncer: PgBouncer;
  let direct: string;
  beforeAll(async () => {
    direct = await freshPostgres();
    bouncer = await startPgBouncer(direct, lines);
  });
  afterAll(() => bouncer.stop());

  const open = (options = {}) => openDatabase<NotesSchema>(bouncer.url, NOTES, options);
  const settingOf = async (db: Kysely<NotesSchema>, name: string) =>
    (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]?.value;
  const settingIn = (database: Database<NotesSchema>, name: string) =>
    database.transaction((tx) => settingOf(tx, name));

  it('applies the time limits within each transaction only', async () => {
    const database = await open({ busyTimeout: 4500, statementTimeout: 4600 });
    expect(await settingIn(database, 'statement_timeout')).toBe('4600ms');
    expect(await settingIn(database, 'lock_timeout')).toBe('4500ms');
    expect(await settingIn(database, 'idle_in_transaction_session_timeout')).toBe('3s');
    const { kysely } = await openDatabase<NotesSchema>(direct, NOTES);
    expect(await settingOf(kysely, 'statement_timeout')).toBe('15s');
    await database.close();
  });

  it('throws BusyError for a single statement that waits too long for a lock', async () => {
    const [holder, waiter] = [await open(), await open({ busyTimeout: 50 })];
    await holder.transaction(async (tx) => {
      await tx.insertInto('notes').values(note('a')).execute();
      const waiting = waiter.kysely.insertInto('notes').values(note('a')).execute();
      await expect(waiting).rejects.toBeInstanceOf(BusyError);
    });
    expect(await waiter.kysely.selectFrom('notes').select('id').execute()).toEqual([{ id: 'a' }]);
    await Promise.all([holder.close(), waiter.close()]);
  });

  it('lets two processes migrate the same new database', async () => {
    const fresh = new URL(bouncer.url);
    fresh.pathname = new URL(await freshPostgres()).pathname;
    const both = await Promise.all([1, 2].map(() => openDatabase<NotesSchema>(fresh.href, NOTES)));
    const { version } = await inspectDatabase(fresh.href, NOTES, DEFAULT_SCHEMA_NAME);
    expect(version).toBe(NOTES.at(-1)?.version);
    await Promise.all(both.map((database) => database.close()));
  });

  it('can serve a ledger and a sandbox', async () => {
    const home = await temporaryFolder();
    const run = (...args: readonly string[]) => runHere(args, { home, env: { SWAPCTL_LEDGER: bouncer.url } });
    const made = await run(
      ...['create', 'BTC', 'ETH', '0.1', '-a', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
      ...['--yes', '--json', '--idempotency-key', 'once'],
    );
    expect(made.error).toBeNull();
    const { order } = JSON.parse(made.stdout);
    const [entry] = JSON.parse((await run('history', '--json')).stdout);
    expect(entry).toMatchObject({ order, outcome: 'created', idempotencyKey: 'once' });
    const options = { database: bouncer.url, rateLimit: { count: 50, windowSeconds: 60 } };
    const servers = await Promise.all([startSandbox(options), startSandbox(options)]);
    const all = Array<typeof servers>(15).fill(servers).flat();
    const creates = all.map((server) => call(server, 'create-transaction', NEW_SWAP));
    const orders = (await Promise.all(creates)).map(({ status, json }) => [status, json.orderNumber]);
    expect(new Set(orders.map(([status]) => status))).toEqual(new Set([201]));
    expect(new Set(orders.map(([, id]) => id)).size).toBe(30);
    await Promise.all(servers.map((server) => server.close()));
    const info = await run('sandbox', 'info', '--database', bouncer.url, '--json');
    expect(JSON.parse(info.stdout)).toMatchObject({ kind: 'postgres', orders: 30 });
    expect((await run('doctor', '--json')).stdout).toContain('PostgreSQL at 127.0.0.1');
  });
});

describe.runIf(HAS_PGBOUNCER)('the TLS certificate of a PostgreSQL server', () => {
  const withTls = async (
    make: (folder: string) => { readonly certFile: string; readonly keyFile: string },
    use: (url: URL, certFile: string) => Promise<void>,
  ) => {
    const folder = await temporaryFolder();
    const { certFile, keyFile } = make(folder);
    // PgBouncer reads them as another user than root.
    chmodSync(folder, 0o755);
    for (const file of [certFile, keyFile]) chmodSync(file, 0o644);
    const bouncer = await startPgBouncer(await freshPostgres(), [
      'client_tls_sslmode = require',
      `client_tls_cert_file = ${certFile}`,
      `client_tls_key_file = ${keyFile}`,
    ]);
    onTestFinished(() => bouncer.stop());
    await use(new URL(bouncer.url), certFile);
  };
  const info = async (url: URL) =>
    runProgram(['sandbox', 'info', '--database', url.href, '--json'], { home: await temporaryFolder() });
  const infoHere = async (url: URL) =>
    runHere(['sandbox', 'info', '--database', url.href], { home: await temporaryFolder() });

  it('is rejected if it is self-signed, with a hint that makes it trusted', () =>
    withTls(makeCertificate, async (url, certFile) => {
      url.searchParams.set('sslmode', 'require');
      const refused = await info(url);
      const words = /^The certificate of the database \S+ is not trusted: self-signed certificate\.$/;
      expect(refused.error()).toMatchObject({
        exitCode: 11,
        message: expect.stringMatching(words),
        hint: 'To trust the authority that signed it, add sslmode=verify-full&sslrootcert=/path/to/ca.pem to the URL.',
      });
      expect(refused.stderr.trim().split('\n')).toHaveLength(1);
      url.searchParams.set('sslrootcert', certFile);
      const taken = await info(url);
      expect([taken.code, taken.stderr]).toEqual([0, '']);
      url.searchParams.set('sslrootcert', `${certFile}.gone`);
      expect((await infoHere(url)).error).toMatchObject({
        message: expect.stringContaining('a certificate file of its URL could not be read (ENOENT).'),
        hint: 'Check the paths of sslrootcert, sslcert and sslkey.',
      });
    }));

  it('for another host is rejected without a hint about authorities', () =>
    withTls(
      (folder) => makeBadCertificate(folder, 'other host'),
      async (url, certFile) => {
        url.searchParams.set('sslmode', 'verify-full');
        url.searchParams.set('sslrootcert', certFile);
        const { error } = await infoHere(url);
        expect(error?.message).toContain('is not trusted');
        expect(error?.hint).toContain('for the host in the URL');
      },
    ));
});
