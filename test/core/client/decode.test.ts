import { describe, expect, it } from 'vitest';
import { decodeQuote, decodeSwap } from '../../../src/core/client/decode.ts';
import { parseJson } from '../../../src/core/partner-api/json.ts';

const read = (body: object) => parseJson(JSON.stringify(body));

const FIGURES = { amount: 0.1, receive: '2.5', exchangeRate: 25, minAmount: '0.001' };
const quote = (more: object) => decodeQuote(read({ ...FIGURES, ...more }));
const swap = (more: object) => decodeSwap(read({ orderNumber: 'A', status: 9, ...more }));

describe('a quote', () => {
  it('may omit its pair, maximum and fee', () => {
    const figures = { amount: '0.1', receive: '2.5', rate: '25', min: '0.001' };
    expect(quote({})).toEqual({ ...figures, pair: '', max: null, fee: null });
  });

  it.each<[unknown, string | null]>([
    [null, null],
    ['', null],
    [0, null],
    ['0.00', null],
    [10, '10'],
  ])('with maxAmount %j has the maximum %j', (maxAmount, max) => expect(quote({ maxAmount }).max).toBe(max));

  it.each<[object, string | null]>([
    [{ networkFee: '0.002', fee: '0.1' }, '0.002'],
    [{ fee: 0.1 }, '0.1'],
    [{ fee: '-0.1' }, null],
    [{ fee: true }, null],
  ])('with %j has the fee %j', (more, fee) => expect(quote(more).fee).toBe(fee));

  it.each([{ maxAmount: 'many' }, { amount: true }, { receive: {} }, { minAmount: null }])(
    'with %j throws a retryable bad_response',
    (more) => {
      expect(() => quote(more)).toThrow(expect.objectContaining({ code: 'bad_response', retryable: true }));
    },
  );
});

describe('a swap', () => {
  it('lists its unreadable fields, if it has any', () => {
    expect(swap({})).not.toHaveProperty('unreadable');
    for (const txId of [null, '', []]) expect(swap({ txId })).not.toHaveProperty('unreadable');
    expect(swap({ txId: ['x'] })).toMatchObject({ unreadable: ['deposit.txId'] });
    const { unreadable } = swap({ txId: false, type: { typeSwap: 3 } });
    expect(unreadable).toEqual(['type', 'deposit.txId']);
    expect(swap({ type: { typeSwap: 1 } }).type).not.toBeNull();
  });

  it.each([
    { expiresAt: '2026-01-31' },
    { expiredAt: '2026-01-31' },
    { swapTime: { expiresAt: '2026-01-31' } },
    { expiresAt: null, swapTime: { expiredAt: '2026-01-31' } },
  ])('takes expiresAt from any of four fields: %j', (more) => {
    expect(swap(more).expiresAt).toBe('2026-01-31');
    expect(swap({}).expiresAt).toBeNull();
  });
});
