import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { openShop } from '../commands/listen/shop.ts';

it('swapctl without arguments suggests commands and creates no file', async () => {
  const home = await temporaryFolder();
  const { stdout, stderr, error } = await runHere([], { home, terminals: AT_TERMINAL });
  expect([error, stderr]).toEqual([null, '']);
  expect(stdout).toContain('Profile         sandbox (the built-in service)');
  expect(stdout).toContain('Open swaps      0');
  expect(stdout).toMatch(/swapctl quote BTC ETH 0\.1 .*\n.*swapctl create .*\n.*swapctl auth login /);
  expect(stdout.split('\n').length).toBeLessThan(14);
  expect(readdirSync(home)).toEqual([]);
});

it('swapctl without arguments counts open and unknown swaps and those needing attention, without a request', async () => {
  const shop = await openShop();
  for (const order of ['OPEN', 'PAUSED', null]) await shop.create(order);
  shop.statuses.set('PAUSED', 10);
  await shop.run(['status', 'PAUSED']);
  const asked = shop.service.requests.length;
  const { stdout, error } = await shop.run(['--json']);
  expect(error).toBeNull();
  expect(JSON.parse(stdout)).toMatchObject({
    profile: 'env',
    baseUrl: shop.service.url,
    open: 2,
    needAttention: 1,
    unknown: 1,
    next: [
      { command: ['swapctl', 'status', '--attention'] },
      { command: ['swapctl', 'status', '--watch'] },
      { command: ['swapctl', 'quote', 'BTC', 'ETH', '0.1'] },
    ],
  });
  const sandbox = await shop.run(['--sandbox', '--json'], { env: {} });
  expect(JSON.parse(sandbox.stdout)).toMatchObject({ profile: 'sandbox', open: 0, unknown: 0 });
  const all = await shop.run([], { env: {} });
  expect(all.stdout).toMatch(/^open\t2$/m);
  expect(all.stdout).toMatch(/^next\tswapctl status --attention$/m);
  expect((await shop.run(['history', 'note', 'PAUSED', 'asked', '--until', '2h'])).error).toBeNull();
  const noted = await shop.run(['--json']);
  expect(JSON.parse(noted.stdout)).toMatchObject({ open: 2, needAttention: 0, unknown: 1 });
  expect(shop.service.requests.length).toBe(asked);
});
