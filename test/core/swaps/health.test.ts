import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { Client } from '../../../src/core/client/client.ts';
import type { HealthSwap } from '../../../src/core/ledger/health.ts';
import {
  endpointHealth,
  type HealthGrouping,
  healthGroups,
  probePairs,
} from '../../../src/core/swaps/health.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';

const HOUR = 3_600_000;
const [SINCE, NOW] = [1_000 * HOUR, 1_010 * HOUR];
const SWAP: HealthSwap = {
  deposit: 'BTC:BTC',
  receive: 'USDT:TRX',
  amount: '1',
  requestedAt: SINCE,
  status: 'confirmation',
  funded: true,
  doubtful: false,
  durationMs: null,
};

async function* all(swaps: readonly Partial<HealthSwap>[]) {
  for (const swap of swaps) yield { ...SWAP, ...swap };
}

function groups(swaps: readonly Partial<HealthSwap>[], by: HealthGrouping = 'pair') {
  return healthGroups(all(swaps), by, { since: SINCE, now: NOW });
}

it('health counts the outcomes of swaps in a period, the largest group first', async () => {
  const other = { deposit: 'ETH:ETH' };
  const swaps = [
    { status: 'success', durationMs: 60_000 },
    { status: 'success', durationMs: null },
    { status: 'refund', doubtful: true },
    { status: 'overdue' },
    { status: 'error' },
    { ...other, status: 'new', funded: false },
    { ...other, deposit: null },
    { ...other, receive: null },
  ];
  const counts = { paid: 0, stuck: 0, refunded: 0, failed: 0, doubtful: 0 };
  const none = { ...counts, medianSeconds: null, usualSeconds: null };
  const largest = { paid: 2, refunded: 1, failed: 2, doubtful: 1, medianSeconds: 60 };
  expect(await groups(swaps)).toEqual([
    { ...none, key: 'BTC:BTC USDT:TRX', count: 5, ...largest },
    { ...none, key: 'other', count: 2, stuck: 2 },
    { ...none, key: 'ETH:ETH USDT:TRX', count: 1 },
  ]);
});

it('health by network counts a swap once per network, and sorts equal groups by name', async () => {
  const others = ['ETH:ETH', 'BTC:BTC', 'LTC:LTC'].map((deposit) => ({ deposit }));
  const found = await groups([{ deposit: 'USDT:TRX', receive: 'TRX:TRX' }, ...others], 'network');
  expect(found.map(({ key, count }) => `${key} ${count}`)).toEqual(['TRX 4', 'BTC 1', 'ETH 1', 'LTC 1']);
});

it('health takes the usual duration from swaps paid before the period', async () => {
  const before = { requestedAt: SINCE - 1, status: 'success', durationMs: 120_000 };
  const usual = [before, { ...before, status: 'refund', durationMs: 1 }, { ...before, durationMs: null }];
  const found = await groups([...usual, {}, { ...before, deposit: 'ETH:ETH' }]);
  expect(found).toMatchObject([{ count: 1, usualSeconds: 120 }]);
});

it.each([
  ['no stuck swap after an hour without history', { requestedAt: NOW - HOUR }, 0, 0],
  ['a stuck swap after over an hour without history', { requestedAt: NOW - HOUR - 1 }, 0, 1],
  ['no stuck swap after 3 times the usual time', { requestedAt: NOW - 6 * HOUR }, 2 * HOUR, 0],
  ['a stuck swap after over 3 times the usual time', { requestedAt: NOW - 6 * HOUR - 1 }, 2 * HOUR, 1],
  ['no stuck swap without a deposit', { requestedAt: SINCE, funded: false }, 0, 0],
  ['no stuck swap that has ended', { requestedAt: SINCE, status: 'refund' }, 0, 0],
])('health counts %s', async (_, swap, usual, stuck) => {
  const before = { requestedAt: SINCE - 1, status: 'success', durationMs: usual };
  expect(await groups(usual === 0 ? [swap] : [before, swap])).toMatchObject([{ stuck }]);
});

it('health adds up the responses of each endpoint', () => {
  const of = (endpoint: 'rate' | 'coins', answer: string, count: number) => ({ endpoint, answer, count });
  const answers = [of('rate', 'answered', 5), of('rate', 'refused', 1), of('rate', 'limited', 2)];
  const more = [of('coins', 'failed', 3), of('coins', 'unanswered', 4)];
  expect(endpointHealth([...answers, ...more] as Parameters<typeof endpointHealth>[0])).toEqual([
    { endpoint: 'coins', requests: 7, refused: 0, limited: 0, failed: 3, unanswered: 4 },
    { endpoint: 'rate', requests: 8, refused: 1, limited: 2, failed: 0, unanswered: 0 },
  ]);
});

it('health quotes each pair at the amount of its newest swap, and reports time or error', async () => {
  let now = 100.4;
  const asked: unknown[] = [];
  const quote = async ({ from, to, amount }: Parameters<Client['quote']>[0]) => {
    asked.push([from, to, amount]);
    now += 20;
    if (from.coin === 'ETH') throw new SwapctlError('not_found', 'No such pair.');
    return { rate: '25', from, to, amount, pair: '', receive: '1', min: '0', max: null, fee: null };
  };
  const ports = { monotonic: () => now, service: async () => ({ client: { quote } }) } as unknown as Ports;
  const eth = { deposit: 'ETH:ETH', receive: 'BTC:BTC' };
  const others = [{ deposit: null }, { receive: 'no code' }, { ...eth, amount: null }];
  expect(await probePairs(ports, all([{ amount: '3' }, { amount: '9' }, ...others, eth]))).toEqual([
    { pair: 'BTC:BTC USDT:TRX', milliseconds: 20, rate: '25', error: null },
    { pair: 'ETH:ETH BTC:BTC', milliseconds: 20, rate: null, error: 'not_found' },
  ]);
  expect(asked).toEqual([
    [{ coin: 'BTC', network: 'BTC' }, { coin: 'USDT', network: 'TRX' }, '3'],
    [{ coin: 'ETH', network: 'ETH' }, { coin: 'BTC', network: 'BTC' }, '1'],
  ]);
});

it('health requests at most twenty quotes', async () => {
  const coins = Array.from({ length: 25 }, (_, at) => ({ deposit: `COIN${at}:ETH` }));
  const quote = async () => ({ rate: '25' });
  const ports = { monotonic: () => 1, service: async () => ({ client: { quote } }) } as unknown as Ports;
  expect(await probePairs(ports, all(coins))).toHaveLength(20);
});
