import { describe, expect, it, onTestFinished } from 'vitest';
import { SwapctlError } from '../../src/base/errors.ts';
import { createSwapClient } from '../../src/library/swap-client.ts';
import { type Fault, type Sandbox, type SandboxOptions, startSandbox } from '../../src/library/testing.ts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const SWAP = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' }, amount: '0.1' } as const;

async function withSandbox<T>(options: SandboxOptions, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return await use(sandbox);
}

const create = (sandbox: Sandbox) => createSwapClient(sandbox).create({ ...SWAP, address: ADDRESS });

describe('a sandbox of swapctl/testing', () => {
  it('has its own orders and keys and runs until it is closed', async () => {
    const [one, two] = await Promise.all([startSandbox(), startSandbox()]);
    const { order } = await create(one);
    expect(new Set([one.baseUrl, two.baseUrl]).size).toBe(2);
    expect(one.secret).not.toBe(two.secret);
    await expect(createSwapClient(two).status(order)).rejects.toMatchObject({ code: 'not_found' });
    await Promise.all([one.close(), two.close()]);
    await one.close();
    await expect(createSwapClient(one).quote(SWAP)).rejects.toMatchObject({ code: 'network_error' });
  });

  it('can receive deposits, move orders, advance its clock and be reset', () =>
    withSandbox({}, async (sandbox) => {
      const client = createSwapClient(sandbox);
      const { order } = await create(sandbox);
      expect(await sandbox.deposit(order, '0.05')).toMatchObject({ order, deposit: { amount: '0.05' } });
      expect(await sandbox.move(order, 'freeze')).toMatchObject({ status: 11 });
      expect(await client.status(order)).toMatchObject({ status: 'frozen' });
      const started = await sandbox.advance(1);
      expect((await sandbox.advance('2h')) - started).toBeGreaterThanOrEqual(7_200_000);
      await sandbox.reset();
      await expect(client.status(order)).rejects.toMatchObject({ code: 'not_found' });
    }));

  it('ends orders by its scenario', () =>
    withSandbox({ scenario: 'refund', timeScale: 10 }, async (sandbox) => {
      const { order } = await create(sandbox);
      await sandbox.advance('1m');
      expect(await createSwapClient(sandbox).status(order)).toMatchObject({ status: 'refund' });
    }));

  it('injects faults until it is reset', () =>
    withSandbox({}, async (sandbox) => {
      const client = createSwapClient(sandbox);
      const fault = await sandbox.fault({ endpoint: 'exchange-coin', status: 418, delay: '1s', times: 5 });
      expect(fault.rule).toEqual({ endpoint: 'exchange-coin', status: 418, delay: 1000, times: 5 });
      await sandbox.reset();
      await sandbox.fault({ endpoint: 'all', status: 418 });
      await expect(client.quote(SWAP)).rejects.toMatchObject({ code: 'rejected', httpStatus: 418 });
      await sandbox.reset();
      expect(await client.quote(SWAP)).toMatchObject({ amount: '0.1' });
    }));

  it('has the habits in the option rough', () =>
    withSandbox({ rough: ['networks-required', 'text-amounts'] }, async (sandbox) => {
      expect(await createSwapClient(sandbox).quote(SWAP)).toMatchObject({
        from: { coin: 'BTC', network: 'BTC' },
      });
    }));

  it('has the coins of the option overlay', () => {
    const asset = { network: 'ZZZ', decimals: 8 };
    const overlay = { coins: [{ code: 'ZZZ', name: 'Zed', usd: '1', assets: [asset] }] };
    return withSandbox({ overlay }, async (sandbox) => {
      expect((await createSwapClient(sandbox).coins()).map(({ code }) => code)).toEqual(['ZZZ']);
    });
  });

  it.each<[string, object]>([
    ['a seed with a fraction', { seed: 1.5 }],
    ['a time scale of 0', { timeScale: 0 }],
    ['an unknown habit', { rough: ['polite'] }],
    ['an empty catalogue', { overlay: { coins: [] } }],
  ])('cannot be started with %s', async (_, options) => {
    await expect(startSandbox(options)).rejects.toMatchObject({ code: 'usage' });
  });

  it.each<[string, (sandbox: Sandbox) => Promise<unknown>]>([
    ['a duration without a unit', (sandbox) => sandbox.advance('10')],
    ['a negative duration', (sandbox) => sandbox.advance(-1)],
    ['an empty fault', (sandbox) => sandbox.fault({})],
    ['an unknown fault setting', (sandbox) => sandbox.fault({ explode: true } as Fault)],
  ])('rejects %s', (_, use) =>
    withSandbox({}, (sandbox) => expect(use(sandbox)).rejects.toThrow(SwapctlError)),
  );
});
