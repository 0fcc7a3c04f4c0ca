import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../helpers/run.ts';
import { runMain } from '../../helpers/run-main.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';

const SWAP = ['create', 'BTC', 'ETH', '0.1', '--address', ADDRESSES.eth, '--yes', '--idempotency-key', 'k-1'];

type Json = Record<string, unknown>;

/** The homes of all runs lie here: tests that run side by side must not clear each other's away. */
const folder = await mkdtemp(join(tmpdir(), 'swapctl-rough-'));

const newHome = () => mkdtemp(join(folder, 'home-'));

/** Runs a command line with --json; its built-in service has every rough habit. */
const swapctl = (home: string, ...args: readonly string[]): Promise<Run> =>
  runMain([...args, '--json'], { home, env: { SWAPCTL_SANDBOX_ROUGH: 'all' } });

/** The orders in the books of the service. */
async function orders(home: string): Promise<readonly Json[]> {
  return (await swapctl(home, 'sandbox', 'orders')).json<Json[]>();
}

describe('swapctl with a sandbox that has every --rough setting', () => {
  let home: string;
  let order: string;
  beforeAll(async () => {
    home = await newHome();
    const made = await swapctl(home, ...SWAP);
    expect(made.code, made.stderr).toBe(0);
    expect(made.json()).toMatchObject({ fundable: true, doubts: [], deposit: { amount: '0.1' } });
    order = String(made.json()['order']);
  });

  it('creates one order per idempotency key', async () => {
    const again = await swapctl(home, ...SWAP);
    expect(again.json()).toMatchObject({ order, replayed: true });
    expect((await orders(home)).map((made) => made['order'])).toEqual([order]);
  });

  it('watches a swap until it is final', async () => {
    expect((await swapctl(home, 'sandbox', 'deposit', order)).code).toBe(0);
    expect((await swapctl(home, 'sandbox', 'clock', 'advance', '2h')).code).toBe(0);
    const watched = await swapctl(home, 'status', order, '--watch', '--interval', '0.1', '--exit-status');
    expect(watched.code, watched.stderr).toBe(0);
    const events = watched.stdout.trimEnd().split('\n');
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ type: 'end', status: 'success' });
  });
});

describe.concurrent('swapctl with a sandbox that has every --rough setting', () => {
  it('fills in the networks the service requires and shows no maximum', async () => {
    const quote = await swapctl(await newHome(), 'quote', 'BTC', 'ETH', '0.1');
    expect(quote.code, quote.stderr).toBe(0);
    expect(quote.json()).toMatchObject({
      ...{ from: { coin: 'BTC', network: 'BTC' }, to: { coin: 'ETH', network: 'ETH' } },
      ...{ amount: '0.1', max: null },
    });
  });

  it.for([
    ['quote', 'amount_below_min', 5, ['quote', 'BTC', 'ETH', '0.00001']],
    ['create', 'amount_below_min', 5, ['create', 'BTC', 'ETH', '0.00001', '-a', ADDRESSES.eth, '--yes']],
    ['quote', 'network_required', 2, ['quote', 'BTC', 'USDT', '0.1']],
    ['create', 'network_required', 2, ['create', 'BTC', 'USDT', '0.1', '-a', ADDRESSES.eth, '--yes']],
    [
      'create',
      'validation_failed',
      5,
      ['create', 'BTC', 'XRP', '0.1', '-a', ADDRESSES.xrp, '--no-memo', '--yes'],
    ],
  ] as const)('%s fails with %s and creates nothing', async ([, code, exit, args]) => {
    const home = await newHome();
    const run = await swapctl(home, ...args);
    expect([run.code, run.stdout, run.error().code]).toEqual([exit, '', code]);
    expect(await orders(home)).toEqual([]);
  });

  it('exits with 7 if the service treats the deposit amount as the amount to receive', async () => {
    const home = await newHome();
    const args = ['create', 'BTC', 'ETH', '2.5', '--receive', '-a', ADDRESSES.eth, '--yes'];
    const run = await swapctl(home, ...args);
    expect([run.code, run.stdout, run.error().code]).toEqual([7, '', 'outcome_unknown']);
    expect(run.error().hint).toMatch(/^Do not fund it/);
    expect(await orders(home)).toHaveLength(1);
  });
});
