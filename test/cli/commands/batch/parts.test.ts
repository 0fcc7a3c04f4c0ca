import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { progressText } from '../../../../src/cli/commands/batch/progress.ts';
import type { SwapRequest } from '../../../../src/core/swap/swap.ts';
import { inOrder } from '../../../../src/core/swaps/batch/create.ts';
import { RowKeys } from '../../../../src/core/swaps/batch/keys.ts';
import type { SwapInput } from '../../../../src/core/swaps/check.ts';
import { ASKED, CREATE } from '../../../core/swap/requests.ts';

const TO_TRON = { to: { coin: 'USDT', network: 'TRX' }, address: 'T1' };
const INPUT: SwapInput = { ...ASKED, ...TO_TRON };
const SENT: SwapRequest = { ...CREATE, receive: TO_TRON.to, address: TO_TRON.address };

describe('the idempotency key of a row', () => {
  const keyOf = (asked: Partial<SwapInput>, sent: Partial<SwapRequest> = {}) =>
    new RowKeys().keyOf(1, { ...INPUT, ...asked }, { ...SENT, ...sent }, null).key;

  // Once released it must never change: a file that was sent in part would be sent again.
  it('never changes between versions', () => {
    expect(keyOf({})).toBe('batch-4586f636886932737f138db6900b8207-1');
  });

  it.each<[string, Partial<SwapInput>, Partial<SwapRequest>]>([
    ['case of codes', { from: { coin: 'btc', network: null }, to: { coin: 'usdt', network: 'trx' } }, {}],
    ['name of a network', { to: { coin: 'USDT', network: 'TRC20' } }, {}],
    ['explicit name of the only network', { from: { coin: 'BTC', network: 'BTC' } }, {}],
    ['zeros after an amount', { amount: '0.100' }, { amount: '0.100' }],
    ['spelling of the address', { address: 't1' }, {}],
    ['location of the memo', { address: 'T1-with-memo' }, {}],
    ['rate type', { type: 'fixed' }, { type: 'fixed' }],
    ['minimum payout and tolerance', { minReceive: '5', tolerance: '3' }, {}],
    ['refund address', { refundAddress: 'bc1' }, { refundAddress: 'bc1' }],
    ["service's code of a network", {}, { receive: { coin: 'USDT', network: 'TRC20' } }],
  ])('does not depend on the %s', (_, asked, sent) => {
    expect(keyOf(asked, sent)).toBe(keyOf({}));
  });

  it.each<[string, Partial<SwapRequest>]>([
    ['coin', { deposit: { coin: 'LTC', network: 'LTC' } }],
    ['network', { receive: { coin: 'USDT', network: 'ETH' } }],
    ['amount', { amount: '1' }],
    ['side', { lastSource: 'receive' }],
    ['address', { address: 'T2' }],
    ['memo', { memo: '7' }],
  ])('depends on the %s', (_, sent) => {
    expect(keyOf({}, sent)).not.toBe(keyOf({}));
  });

  it('is computed from the row as written if the service no longer accepts the row', () => {
    const asked = { ...INPUT, from: { coin: 'BTC', network: 'BTC' } };
    expect(new RowKeys().keyOf(1, asked, null, null).key).toBe(keyOf({}));
  });

  it('numbers equal rows, and rejects a key column value that occurs twice', () => {
    const keys = new RowKeys();
    const first = keys.keyOf(1, INPUT, SENT, null);
    expect(keys.keyOf(2, INPUT, SENT, 'mine')).toEqual({ key: 'mine', isOwn: true });
    const alias: SwapInput = { ...INPUT, to: { coin: 'USDT', network: 'TRC20' } };
    expect(keys.keyOf(3, alias, SENT, null).key).toBe(first.key.replace(/1$/, '2'));
    expect(() => keys.keyOf(4, INPUT, SENT, 'mine')).toThrow('Same key as row 2.');
  });
});

it('inOrder runs a few tasks at a time and yields results in source order', async () => {
  let [running, most] = [0, 0];
  const source = (async function* () {
    for (let item = 0; item < 20; item += 1) yield item;
  })();
  const found: number[] = [];
  for await (const item of inOrder(source, 4, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await pause(item % 3);
    running -= 1;
    return item;
  }))
    found.push(item);
  expect(found).toEqual(Array.from({ length: 20 }, (_, item) => item));
  expect(most).toBe(4);
});

describe('the progress text', () => {
  it.each([
    [0, 100, null, 'Creating 0 of 100'],
    [25, 100, 30_000, 'Creating 25 of 100, about 30 seconds left'],
    [100, 100, 50_000, 'Creating 100 of 100'],
    [1, 10_000, 9_999_000, 'Creating 1 of 10000, about 2 hours left'],
  ])('after %i of %i rows, with %j ms left, is %j', (done, total, leftMs, text) => {
    expect(progressText({ verb: 'Creating', done, total, leftMs }, 0)).toBe(text);
  });

  it('has a bar that fits the remaining width of the line', () => {
    const text = (room: number) =>
      progressText({ verb: 'Creating', done: 150, total: 300, leftMs: 10_000 }, room);
    expect([80, 52, 48, 40].map(text)).toEqual([
      'Creating  ████████████░░░░░░░░░░░░  150 of 300, about 10 seconds left',
      'Creating  ███░░░░  150 of 300, about 10 seconds left',
      ...Array.from({ length: 2 }, () => 'Creating 150 of 300, about 10 seconds left'),
    ]);
  });
});
