import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { profileAt, SECRET } from '../../helpers/scene.ts';
import { ADDRESSES, ORDER, startSwapService } from '../../helpers/swap-service.ts';

describe('an order whose key pair is now stored under another profile name', () => {
  it('is found, polled, refunded, repeated and counted as open under the new name', async () => {
    const [home, service] = [await temporaryFolder(), await startSwapService()];
    const stored = (args: readonly string[], input?: string) =>
      runHere(args, { home, ...(input === undefined ? {} : { input }) });
    onTestFinished(() => service.close());
    const made = await runHere(['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes', '--json'], {
      home,
      env: profileAt(service.url),
    });
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
});
