import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { shellQuote } from '../../../../src/base/files.ts';
import { InMemory } from '../../../../src/core/database/database.ts';
import { writeJson } from '../../../../src/core/partner-api/json.ts';
import { openApiDocument } from '../../../../src/sandbox/http/openapi/openapi.ts';
import { startSandbox } from '../../../../src/sandbox/server.ts';
import { freshPostgres } from '../../../core/database/postgres/fresh.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { listeningUrl, startProgram } from '../../../helpers/program.ts';
import { AT_TERMINAL, pausedClock, runHere } from '../../../helpers/run-here.ts';
import { newOrder, readAnswer, statusOf } from '../../../sandbox/sandbox.ts';
import { startHere } from '../../../sandbox/start-here.ts';

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

const sandbox = (line: string) => runHere(['sandbox', ...line.split(' ')], { home });

test.each([
  ['fault clear 99', 'Fault 99 does not exist.', 'sandbox fault list'],
  ['partner remove nobody', 'The sandbox has no partner nobody.', 'sandbox partner list'],
  ['deposit NOSUCH', 'The sandbox has no order NOSUCH.', 'sandbox orders'],
  ['move NOSUCH pause', 'The sandbox has no order NOSUCH.', 'sandbox orders'],
])('sandbox %s is not_found, and names the command that lists what there is', async (line, message, list) => {
  const { stdout, error } = await sandbox(line);
  expect(stdout).toBe('');
  expect(error).toMatchObject({ code: 'not_found', exitCode: 3, message });
  expect(error?.hint).toBe(`List them with \`swapctl ${list}\`.`);
  expect(error?.actions?.map(({ command }) => command.join(' '))).toEqual([`swapctl ${list}`]);
});

test('sandbox orders --limit reports how many more orders there are', async () => {
  for (const scenario of ['success', 'overdue', 'frozen']) await sandbox(`trigger ${scenario}`);
  const all = JSON.parse((await sandbox('orders --json')).stdout);
  expect(all).toHaveLength(3);
  const two = await sandbox('orders -L 2 --json');
  expect(JSON.parse(two.stdout)).toEqual(all.slice(0, 2));
  expect(two.stderr).toBe('1 more; show them with --limit 3.\n');
  expect((await sandbox('orders -L 3')).stderr).toBe('');
  expect((await sandbox('orders -L 3 --watch')).error).toMatchObject({ code: 'usage' });
  // The scenarios moved the clock ahead; ages are by that clock.
  const screen = await runHere(['sandbox', 'orders'], { home, terminals: AT_TERMINAL });
  expect(screen.stdout).not.toContain('in ');
});

test.each(['orders --watch', 'logs --follow'])('sandbox %s ends with --timeout', async (line) => {
  const clock = pausedClock();
  const run = await runHere(['sandbox', ...line.split(' '), '--timeout', '1m'], { home, ...clock });
  expect(run.error).toBeNull();
  expect(clock.monotonic()).toBeGreaterThanOrEqual(60_000);
});

test('sandbox openapi keeps line breaks in texts', async () => {
  const { stdout } = await sandbox('openapi');
  expect(JSON.parse(stdout)).toEqual(JSON.parse(writeJson(openApiDocument())));
});

test('sandbox start prints a `partner list` command with the database but without a password', async () => {
  const database = join(home, 'own file.db');
  const { stderr } = await (await startHere(home, '--database', database)).stop();
  const [, location] =
    /to see its secret: swapctl sandbox partner list --json --database '([^']+)'\n/.exec(stderr) ?? [];
  expect(location).toBe(database);
  const own = await (await startHere(home)).stop();
  expect(own.stderr).toMatch(/to see its secret: swapctl sandbox partner list --json\n/);
  const url = new URL(await freshPostgres());
  url.password ||= 'any';
  const { stderr: ofServer } = await (await startHere(home, '--database', url.href)).stop();
  url.password = '';
  expect(ofServer).toContain(`partner list --json --database ${shellQuote(url.href)}\n`);
});

test('sandbox fault clear removes a numbered fault once, and all faults if no number is given', async () => {
  await sandbox('fault add all --status 500');
  await sandbox('fault add all --status 502');
  expect((await sandbox('fault clear 1 --json')).stdout).toBe('{"cleared":1}\n');
  expect((await sandbox('fault clear 1')).error).toMatchObject({ code: 'not_found' });
  expect((await sandbox('fault clear --json')).stdout).toBe('{"cleared":1}\n');
  expect((await sandbox('fault clear --json')).stdout).toBe('{"cleared":0}\n');
});

test.each([
  [['start', '--port', '0', '--overlay']],
  [['start', '--port', '0', '--catalog']],
  [['start', '--port', '0', '--tls-key', 'key.pem', '--tls-cert']],
  [['fault', 'add', 'all', '--body']],
  [['run']],
])('%j rejects a missing file as a usage error', async (words) => {
  const file = join(home, 'none.json');
  expect(await runHere(['sandbox', ...words, file], { home })).toMatchObject({
    stdout: '',
    error: { code: 'usage', exitCode: 2, message: `File ${file} does not exist.` },
  });
});

const START = ['sandbox', 'start', '--ephemeral', '--port', '0'];

const coin = (code: string, usd: string) => ({
  code,
  name: code,
  usd,
  assets: [{ network: code, decimals: 8 }],
});
const CATALOG = { coins: [coin('BTC', '50000'), coin('ETH', '2000')] };

async function seededKeys(seed: number): Promise<object> {
  const sandbox = await startSandbox({ database: new InMemory(), seed });
  await sandbox.close();
  return sandbox.credentials;
}

test('sandbox start --ephemeral prints its keys and leaves no files when killed', async () => {
  const home = await temporaryFolder();
  const temporary = join(home, 'tmp');
  await mkdir(temporary);
  await writeFile(join(home, 'coins.json'), JSON.stringify(CATALOG));
  const flags = ['--admin-port', '0', '--rough', 'expired-at', '--seed', '5', '--catalog', 'coins.json'];
  const started = startProgram([...START, ...flags], { home, env: { TMPDIR: temporary } });
  const url = await listeningUrl(started);
  const credentials = JSON.parse(started.stdout().split('\n')[1] ?? '');
  expect(Object.keys(credentials)).toEqual(['publicKey', 'secret']);
  expect(credentials).toEqual(await seededKeys(5));
  const place = { url, credentials, habits: new Set(['expired-at'] as const) };
  const order = await newOrder(place);
  while (!started.stderr().includes('Bearer')) await once(started.child.stderr ?? started.child, 'data');
  const [, admin, token] = /operator API at (\S+), .* Bearer (\S+)/.exec(started.stderr()) ?? [];
  const headers = { authorization: `Bearer ${token}` };
  const deposited = await fetch(`${admin}/orders/${order}/deposit`, { method: 'POST', headers });
  expect((await readAnswer(deposited)).json).toMatchObject({ order, status: 'confirmation' });
  expect(await statusOf(place, order)).toBe(1);
  expect((await readAnswer(await fetch(`${admin}/info`, { headers }))).json).toMatchObject({
    database: 'memory',
    orders: 1,
    coins: 2,
    seed: 5,
  });
  started.child.kill('SIGKILL');
  const { stdout, stderr } = await started.ended;
  expect(stdout.split('\n')[2]).toMatch(/ default POST create-transaction 201 \d+ms$/);
  expect(stderr).toContain('everything is kept in memory and is lost when this process ends');
  expect([readdirSync(home), readdirSync(temporary)]).toEqual([['coins.json', 'tmp'], []]);
});
