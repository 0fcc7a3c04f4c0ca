import { expect, it } from 'vitest';
import { runHere } from '../../helpers/run-here.ts';
import { SECRET } from '../../helpers/scene.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';
import { deskWith } from './batch/desk.ts';

const ORDER = 'ORDER1';

it('an order whose key pair now has another profile name is found, polled, refunded, repeated and counted', async () => {
  const { home, service, run } = await deskWith();
  const stored = (args: readonly string[], input = '') => runHere(args, { home, input });
  const made = await run(['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes', '--json']);
  expect(made.error).toBeNull();
  const pair = ['--base-url', service.url, '--public-key', 'pk-of-the-tests', '--with-secret'];
  expect((await stored(['auth', 'login', '-p', 'production', ...pair], SECRET)).error).toBeNull();
  const answered = async (...args: readonly string[]) => {
    const run = await stored([...args, '--json']);
    expect([args, run.error]).toEqual([args, null]);
    return JSON.parse(run.stdout) as unknown;
  };
  for (const name of [[], ['-p', 'production']]) {
    const isOurs = { order: ORDER, profile: 'production', asked: { deposit: '0.1' } };
    expect(await answered('status', ORDER, '--max-age', '0s', ...name)).toMatchObject(isOurs);
    expect(await answered('status', '--max-age', '0s', ...name)).toMatchObject([{ order: ORDER }]);
    expect(await answered('history', 'show', ORDER, ...name)).toMatchObject({ order: ORDER });
  }
  await answered('refund', ORDER, ADDRESSES.btcRefund, '--yes', '-p', 'production');
  expect(await answered('status', ORDER, '-p', 'production')).toMatchObject({
    refundAddress: ADDRESSES.btcRefund,
  });
  expect(await answered('create', '--like', ORDER, '--dry-run')).toMatchObject({ dryRun: true });
  const [event] = (await stored(['listen', '--once', '--json'])).stdout.split('\n');
  expect(JSON.parse(event ?? '')).toMatchObject({ type: 'swap.snapshot', order: ORDER });
  expect(await answered('history')).toHaveLength(1);
});
