import { describe, expect, it } from 'vitest';
import { HABIT_NAMES, HABITS, type HabitName } from '../../src/core/partner-api/habits.ts';
import { compareDecimals, significantPlaces } from '../../src/core/swap/amount.ts';
import { readHabits } from '../../src/sandbox/built-in.ts';
import { temporaryFolder } from '../helpers/home.ts';
import {
  call,
  ETH_ADDRESS,
  NEW_SWAP,
  newOrder,
  QUOTE,
  sandboxForTest,
  type TestAnswer,
  type TestSandbox,
} from './sandbox.ts';
import { startHere } from './start-here.ts';

const OF_USDT = { ...QUOTE, networkFrom: 'BTC', coinTo: 'USDT', networkTo: 'TRX' };
const TO_XRP = {
  ...NEW_SWAP,
  receiveCoin: 'XRP',
  receiveNetwork: 'XRP',
  receiveAddress: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
};

async function rough(...names: HabitName[]): Promise<TestSandbox> {
  return sandboxForTest({ habits: new Set(names) });
}

const quote = (place: TestSandbox, changes: Record<string, unknown> = {}) =>
  call(place, 'exchange-coin', { ...OF_USDT, ...changes });
const create = (place: TestSandbox, changes: Record<string, unknown> = {}) =>
  call(place, 'create-transaction', { ...NEW_SWAP, ...changes });
const statusAndMessage = ({ status, json }: TestAnswer) => [status, json.message];
const UNPROCESSABLE = [422, 'Such exchange pair is not available'];

describe('a habit', () => {
  it('text-amounts writes amounts as text and other numbers as numbers', async () => {
    const place = await rough('text-amounts');
    const priced = (await quote(place)).json;
    for (const name of ['amount', 'exchangeRate', 'receive', 'minAmount', 'maxAmount'])
      expect(priced[name], name).toMatch(/^[0-9]+(\.[0-9]+)?$/);
    const order = (await create(place)).json;
    expect(order.pairs.deposit.coin.value).toBe('0.1');
    expect(order.pairs.receive.coin.value).toMatch(/^[0-9.]+$/);
    expect([order.status, order.type.typeSwap, typeof order.fees.feeNodeDeposit]).toEqual([9, 2, 'string']);
    await place.operator.orders.deposit(order.orderNumber);
    await place.operator.orders.move(order.orderNumber, 'succeed');
    const read = (await call(place, 'get-transaction', { id: order.orderNumber })).json;
    expect(read.receiveTransaction.amount).toBe(order.pairs.receive.coin.value);
    expect(read.receiveTransaction.confirmation).toBeTypeOf('number');
  });

  it('doubles makes amounts have more decimals than their coins, and pays them out unrounded', async () => {
    const place = await rough('doubles');
    const there = await quote(place);
    const receive = /"receive":([0-9.]+)/.exec(there.text)?.[1] ?? '';
    expect(significantPlaces(receive)).toBeGreaterThan(6);
    expect(receive.replace('.', '').length).toBeLessThanOrEqual(17);
    const back = await quote(place, { amount: receive, lastSource: 'receive' });
    const amount = /"amount":([0-9.]+)/.exec(back.text)?.[1] ?? '';
    expect(back.json.receive).toBe(Number.parseFloat(receive));
    expect(Math.abs(Number.parseFloat(amount) - 0.1)).toBeLessThan(1e-9);
    const odd = await quote(place, { amount: '2866.5801', lastSource: 'receive' });
    expect(significantPlaces(/"amount":([0-9.]+)/.exec(odd.text)?.[1] ?? '')).toBeGreaterThan(8);
    const order = await create(place, { depositAmount: 0.123456789 });
    expect(order.json.pairs.deposit.coin.value).toBe(0.12345679);
    await place.operator.orders.deposit(order.json.orderNumber);
    await place.operator.orders.move(order.json.orderNumber, 'succeed');
    const read = (await call(place, 'get-transaction', { id: order.json.orderNumber })).json;
    expect(read.receiveTransaction.amount).toBe(order.json.pairs.receive.coin.value);
  });

  it('networks-required rejects a quote without both networks', async () => {
    const place = await rough('networks-required');
    expect((await quote(place)).status).toBe(200);
    const { networkFrom, ...without } = OF_USDT;
    expect(statusAndMessage(await call(place, 'exchange-coin', without))).toEqual(UNPROCESSABLE);
    expect(statusAndMessage(await quote(place, { networkTo: '' }))).toEqual(UNPROCESSABLE);
    expect((await create(place)).status).toBe(201);
  });

  it('exact-case rejects a create, but not a quote, whose codes are not spelled as listed', async () => {
    const place = await rough('exact-case');
    expect((await create(place)).status).toBe(201);
    for (const change of [{ depositCoin: 'btc' }, { receiveNetwork: 'eth' }])
      expect(statusAndMessage(await create(place, change))).toEqual(UNPROCESSABLE);
    expect((await quote(place, { coinFrom: 'btc' })).status).toBe(200);
  });

  it('no-maximum reports the maximum 0 and rejects only amounts below the minimum', async () => {
    const place = await rough('no-maximum');
    expect((await quote(place)).json.maxAmount).toBe(0);
    expect((await quote(place, { amount: '100000000' })).status).toBe(200);
    expect((await create(place, { depositAmount: 100000000 })).status).toBe(201);
    expect((await quote(place, { amount: '0.00000001' })).status).toBe(400);
  });

  it('expired-at adds the end of the deposit window to an order', async () => {
    const place = await rough('expired-at');
    const { json } = await create(place);
    expect(json.expiredAt).toBe('2026-01-01T00:30:00.000Z');
    const read = await call(place, 'get-transaction', { id: json.orderNumber });
    expect(read.json.expiredAt).toBe(json.expiredAt);
  });

  it('no-rate-headers limits requests without rate limit headers', async () => {
    const place = await sandboxForTest({
      habits: new Set(['no-rate-headers']),
      rateLimit: { count: 1, windowSeconds: 60 },
    });
    const answers = [await quote(place), await quote(place)];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    for (const { headers } of answers)
      expect([...headers.keys()].filter((name) => /limit|retry/i.test(name))).toEqual([]);
  });

  it('unprocessable responds with 422 to an unknown pair and with 400 to an amount outside the limits', async () => {
    const place = await rough('unprocessable');
    expect(statusAndMessage(await quote(place, { coinFrom: 'NOPE' }))).toEqual(UNPROCESSABLE);
    expect(statusAndMessage(await quote(place, { networkTo: 'NOPE' }))).toEqual(UNPROCESSABLE);
    expect(statusAndMessage(await quote(place, { amount: '0.1234567891' }))).toEqual(UNPROCESSABLE);
    expect(statusAndMessage(await create(place, { receiveCoin: 'NOPE' }))).toEqual(UNPROCESSABLE);
    expect((await quote(place, { amount: '0.00000001' })).status).toBe(400);
  });

  it('memo-required rejects a create without a memo on a network that needs one', async () => {
    const place = await rough('memo-required');
    expect(statusAndMessage(await create(place, TO_XRP))).toEqual([400, ['memo should not be empty']]);
    expect((await create(place, { ...TO_XRP, memo: '1' })).status).toBe(201);
    expect((await create(place)).status).toBe(201);
    await newOrder(await sandboxForTest(), TO_XRP);
  });

  it('receive-amount treats depositAmount as the amount to receive if lastSource is receive', async () => {
    const place = await rough('receive-amount');
    const wanted = { depositAmount: 2.5, receiveAddress: ETH_ADDRESS };
    const { pairs } = (await create(place, { ...wanted, lastSource: 'receive' })).json;
    expect(pairs.receive.coin.value).toBe(2.5);
    expect(pairs.deposit.coin.value).toBeLessThan(0.5);
    expect((await create(place, wanted)).json.pairs.deposit.coin.value).toBe(2.5);
    const plain = await sandboxForTest();
    const read = (await call(plain, 'create-transaction', { ...NEW_SWAP, ...wanted, lastSource: 'receive' }))
      .json;
    expect(read.pairs.deposit.coin.value).toBe(2.5);
  });
});

describe('habits', () => {
  it('are chosen by names or all, and an unknown name is rejected with the list of habits', async () => {
    expect([...readHabits('all')]).toEqual(HABIT_NAMES);
    expect([...readHabits('doubles, exact-case')]).toEqual(['doubles', 'exact-case']);
    expect(() => readHabits('doubels')).toThrow('Unknown habit doubels.');
    expect(() => readHabits('doubles,')).toThrow('Empty name in the list of habits.');
    const list = HABIT_NAMES.map((name) => `${name} (${HABITS[name]})`).join('; ');
    const hint = `Choose from these, separated by commas, or pass --rough alone for all: ${list}.`;
    for (const text of ['doubels', 'doubles,'])
      expect(() => readHabits(text)).toThrow(expect.objectContaining({ hint }));
  });

  it('apply to one server only, not to another one on the same database', async () => {
    const home = await temporaryFolder();
    const database = `${home}/shared.db`;
    const first = await startHere(home, '--database', database, '--rough', 'no-maximum');
    const second = await startHere(home, '--database', database);
    const text = async (url: string) => (await fetch(`${url}/openapi.json`)).text();
    expect(await text(first.url)).not.toBe(await text(second.url));
    expect((await first.stop()).stderr).toContain('habits of this server: no-maximum\n');
    expect((await second.stop()).stderr).not.toContain('rough');
  });

  it('keep the exact value of an amount sent by the client', async () => {
    const place = await rough('text-amounts', 'doubles');
    const { json } = await create(place, { depositAmount: 0.12345678 });
    expect(compareDecimals(json.pairs.deposit.coin.value, '0.12345678')).toBe(0);
  });
});
