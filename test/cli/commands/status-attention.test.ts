import { beforeEach, describe, expect, it } from 'vitest';
import type { AttentionResult } from '../../../src/cli/views/attention.ts';
import { AT_TERMINAL, type RunHere } from '../../helpers/run-here.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';
import { openShop, type Shop, type Shown } from './listen/shop.ts';

const NOW = Date.parse('2026-01-31T12:10:00.000Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

let shop: Shop;

beforeEach(async () => {
  shop = await openShop(undefined, { now: () => NOW, sleep: async () => undefined });
});

const run: Shop['run'] = (args, more) => shop.run(args, more);

async function create(order: string, state: Shown, ...flags: readonly string[]): Promise<void> {
  await shop.create(order, ...flags);
  shop.statuses.set(order, state);
}

const listed = (stdout: string) => JSON.parse(stdout) as readonly AttentionResult[];
const REFUND = ['--refund-address', ADDRESSES.btcRefund];

describe('status --attention', () => {
  it('lists only swaps that need attention', async () => {
    await create('PAUSED', { status: 10, txId: 'd0' });
    await create('FROZEN', { status: 11, txId: 'd0' });
    await create('FAILED', { status: 6, txId: 'd0' }, ...REFUND);
    await create('LATEST', { status: 5, txId: 'd0' });
    await create('REFUND', { status: 13, txId: 'd0' });
    await create('BAREST', { status: 4, txId: '' });
    await create('CLOSES', { status: 9, expiresAt: at(5) });
    await create('RUNOUT', { status: 5 });
    await create('TRYAGN', { status: 6 });
    await create('REPAID', { status: 13, txId: 'd0' }, ...REFUND);
    await create('PAIDUP', { status: 12 });
    await create('MOVING', { status: 3, txId: 'd0' });
    await create('WAITED', { status: 9, expiresAt: at(6) });
    await create('NOTIME', { status: 9, expiresAt: at(-1) });
    await shop.create(null);

    const first = await run(['status', '--attention', '--max-age', '0s', '--json']);
    expect(first.error).toMatchObject({ code: 'attention', exitCode: 8, outcome: 'done' });
    expect(first.error?.message).toBe('8 swaps need attention.');
    const words = new Map(listed(first.stdout).map(({ order, attention }) => [order, attention]));
    expect([...words.keys()].map(String).toSorted().join(' ')).toBe(
      'BAREST CLOSES FAILED FROZEN LATEST PAUSED REFUND null',
    );
    const order = listed(first.stdout).map(({ status }) => status);
    expect(order.slice(0, 2).toSorted()).toEqual(['frozen', 'pause']);
    expect([...words.keys()].at(-1)).toBe('CLOSES');
    expect(words.get('CLOSES')).toBe('Its window ends in 5 minutes: pay now, or not at all.');
    expect(words.get('BAREST')).toMatch(/^Mismatch \(success_without_deposit\)/);
    const unknown = listed(first.stdout).find(({ order }) => order === null);
    expect(unknown?.attention).toContain(`swapctl history resolve ${unknown?.id}`);

    // What has ended is found again in the ledger.
    const second = await run(['status', '--attention', '--max-age', '0s', '--json']);
    expect(new Set(listed(second.stdout).map(({ order }) => order))).toEqual(new Set(words.keys()));
    const asked = shop.service.requests.slice(-6).map(({ query }) => query.get('id'));
    expect(asked).not.toContain('BAREST');

    const piped = (await run(['status', '--attention', '--max-age', '0s'])).stdout.trimEnd().split('\n');
    expect(piped.map((line) => line.split('\t')[0]).toSorted()).toEqual(
      ['', ...words.keys()].filter((order) => order !== null).toSorted(),
    );
    const screen = await run(['status', '--attention', '--max-age', '0s'], {
      terminals: AT_TERMINAL,
      columns: 160,
    });
    expect(screen.stdout).toMatch(/ORDER +STATUS +DEPOSIT +RECEIVE +ACTION/);
    expect(screen.stdout).toContain('Frozen: ask the service about this order.');
  });

  it('measures payment windows by the clock of the built-in service, even without a poll', async () => {
    const own = (args: readonly string[], more: Partial<RunHere> = {}) => run(args, { env: {}, ...more });
    await own(['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes']);
    const [{ order }] = JSON.parse((await own(['history', '--json'])).stdout) as [{ order: string }];
    await own(['sandbox', 'clock', 'advance', '24m']);
    expect((await own(['status', '--attention'])).error).toBeNull();
    await own(['sandbox', 'clock', 'advance', '2m']);
    const { stdout, error } = await own(['status', '--attention', '--json']);
    expect(error?.exitCode).toBe(8);
    expect(listed(stdout)).toMatchObject([
      { attention: 'Its window ends in 4 minutes: pay now, or not at all.' },
    ]);
    const sheet = await own(['status', order], { terminals: AT_TERMINAL });
    expect(sheet.stdout).toContain('4 minutes left, until ');
  });

  it('prints an empty list and exits with 0 if nothing needs attention', async () => {
    for (const args of [[], ['-p', 'env']]) {
      const { stdout, stderr, error } = await run(['status', '--attention', ...args]);
      expect([stdout, stderr, error]).toEqual(['', 'Nothing needs attention.\n', null]);
    }
    const json = await run(['status', '--attention', '--max-age', '0s', '--json']);
    expect([json.stdout, json.error]).toEqual(['[]\n', null]);
  });

  it('is limited to the named orders, or to the selected environment', async () => {
    await create('PAUSED', { status: 10, txId: 'd0' });
    await create('FROZEN', { status: 11, txId: 'd0' });
    await create('MOVING', { status: 3, txId: 'd0' });
    const named = await run(['status', 'PAUSED', 'MOVING', '--attention', '--json']);
    expect(listed(named.stdout).map(({ order }) => order)).toEqual(['PAUSED']);
    expect(named.error?.message).toBe('1 swap needs attention.');
    const fine = await run(['status', 'MOVING', '--attention', '--json']);
    expect([fine.stdout, fine.error]).toEqual(['[]\n', null]);
    const other = await run(['status', '--attention', '--json', '--sandbox']);
    expect([other.stdout, other.error]).toEqual(['[]\n', null]);
  });
});
