import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InMemory } from '../../../../src/core/database/database.ts';
import { startSandbox } from '../../../../src/sandbox/server.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { listeningUrl, startProgram } from '../../../helpers/program.ts';
import { newOrder, readAnswer, statusOf } from '../../../sandbox/sandbox.ts';

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
