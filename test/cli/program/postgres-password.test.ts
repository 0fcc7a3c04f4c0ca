import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshPostgres } from '../../core/database/postgres/fresh.ts';
import { ownsPostgres } from '../../core/database/postgres/server.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runProgram } from '../../helpers/program.ts';

describe.runIf(ownsPostgres())('the PostgreSQL password', () => {
  let named: URL;
  let bare: URL;

  beforeAll(async () => {
    named = new URL(await freshPostgres());
    bare = new URL(named);
    bare.password = '';
  });

  const info = async (location: URL, env: Record<string, string> = {}) =>
    runProgram(['sandbox', 'info', '--database', location.href, '--json', '--debug'], {
      home: await temporaryFolder(),
      env,
    });

  it('is read from PGPASSWORD or a password file', async () => {
    const fromEnvironment = await info(bare, { PGPASSWORD: named.password });
    expect([fromEnvironment.code, fromEnvironment.stderr]).toEqual([0, '']);

    const file = join(await temporaryFolder(), 'pgpass');
    const line = [bare.hostname, bare.port, bare.pathname.slice(1), bare.username, named.password].join(':');
    await writeFile(file, `${line}\n`, { mode: 0o600 });
    const fromFile = await info(bare, { PGPASSFILE: file });
    expect([fromFile.code, fromFile.stderr]).toEqual([0, '']);
    expect(fromFile.json()).toMatchObject({ kind: 'postgres', orders: 0 });
  });

  it('is not read from a file that others can read, with a one-line error', async () => {
    const file = join(await temporaryFolder(), 'pg pass');
    await writeFile(file, '*:*:*:*:x\n', { mode: 0o644 });
    const run = await info(bare, { PGPASSFILE: file });
    expect(run.error()).toMatchObject({
      exitCode: 11,
      message: `The database ${bare.host}${bare.pathname} asks for a password, and the password file ${file} is ignored: others can read it.`,
      hint: `If it is your password file, run: chmod 600 '${file}'`,
    });
    expect(run.stderr).not.toContain('WARNING');
  });

  it('is reported if missing and never printed if wrong', async () => {
    const place = `${bare.host}${bare.pathname}`;
    const none = await info(bare);
    expect([none.code, none.error().message, none.error().hint]).toEqual([
      11,
      `The database ${place} asks for a password.`,
      'Set PGPASSWORD or use ~/.pgpass; a password in the URL is visible in process lists.',
    ]);
    const wrong = new URL(named);
    wrong.password = 'hunter2-is-wrong';
    for (const run of [await info(wrong), await info(bare, { PGPASSWORD: 'hunter2-is-wrong' })]) {
      expect([run.code, run.error().message]).toEqual([
        11,
        `The database ${place} could not be used: password authentication failed for user "postgres".`,
      ]);
      expect(`${run.stdout}${run.stderr}`).not.toContain('hunter2');
    }
  });
});
