import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { checkBounds, type Quoting, withBounds } from '../../../src/core/swaps/limits.ts';

const PAIR = { from: { coin: 'BTC', network: 'BTC' }, to: { coin: 'ETH', network: 'ETH' } };

it.each([
  ['0.0999999999', 'amount_below_min'],
  ['0.1', null],
  ['0.10', null],
  ['2.50', null],
  ['2.5', null],
  ['2.50000001', 'amount_above_max'],
])('a deposit of %s BTC with limits of 0.1 to 2.5 BTC has the error %s', (amount, code) => {
  const check = () => checkBounds({ min: '0.1', max: '2.5' }, amount, PAIR);
  if (code === null) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code }));
});

it('a service without a maximum accepts any amount', () => {
  expect(() => checkBounds({ min: '0.1', max: null }, '1000000', PAIR)).not.toThrow();
});

it.each([
  ['0.1', '2.5', '0.1 to 2.5 BTC'],
  ['0', '2.5', 'up to 2.5 BTC'],
  ['0.1', null, '0.1 BTC or more'],
])('the error for the limits %s and %s calls them %s', (min, max, words) => {
  const amount = max === null ? '0.01' : '3';
  const check = () => checkBounds({ min, max }, amount, PAIR);
  expect(check).toThrow(`The limits of BTC → ETH are ${words}.`);
});

const REQUEST = { ...PAIR, amount: '0.005', lastSource: 'deposit', type: 'float' } as const;

it.each([
  ['amount_below_min', '0.1 BTC', '0.005 BTC is below the minimum of 0.1 BTC', { minimum: '0.1' }],
  ['amount_above_max', '0.001', '0.005 BTC is above the maximum of 0.001 BTC', { maximum: '0.001' }],
  ['amount_above_max', 'Maximum (0.5 BTC).', '0.005 BTC is above the maximum of 0.5 BTC', { maximum: '0.5' }],
  ['amount_above_max', 'The maximum is 0.5 ETH', '0.005 BTC is above the maximum', { maximum: null }],
  ['amount_above_max', 'Too much.', '0.005 BTC is above the maximum', { maximum: null }],
] as const)('without a quote, %s is explained by the service: %s', async (code, printed, problem, bound) => {
  let asked = 0;
  const quote = async () => {
    asked += 1;
    throw new SwapctlError('network_error', 'No answer.');
  };
  const error = await withBounds(new SwapctlError(code, printed), { client: { quote } }, REQUEST);
  expect(error.message).toBe(`${problem} for BTC → ETH.`);
  expect([error.details, asked]).toEqual([{ amount: '0.005', ...bound }, 1]);
});

it('after amount_below_min, larger amounts are quoted until one is accepted', async () => {
  const asked: string[] = [];
  const quote: Quoting['client']['quote'] = async (wanted) => {
    asked.push(wanted.amount);
    if (wanted.amount !== '100') throw new SwapctlError('amount_below_min', 'Too little.');
    return { ...wanted, pair: '', receive: '1', rate: '1', min: '50', max: null, fee: null };
  };
  const error = await withBounds(new SwapctlError('amount_below_min', 'No.'), { client: { quote } }, REQUEST);
  expect(asked).toEqual(['0.01', '1', '100']);
  expect(error.message).toBe('0.005 BTC is below the minimum. The limits of BTC → ETH are 50 BTC or more.');
});

it('limits that contradict a refusal are not used to explain it, and are requested once, within five seconds', async () => {
  const tries: unknown[] = [];
  const busy = new SwapctlError('service_error', 'Busy.', { retryable: true });
  const quote: Quoting['client']['quote'] = async (wanted, turns) => {
    tries.push(turns?.timeLeft(), turns?.repeats?.(busy, true));
    return { ...wanted, pair: '', receive: '1', rate: '1', min: '0.001', max: null, fee: null };
  };
  const error = await withBounds(new SwapctlError('amount_below_min', 'No.'), { client: { quote } }, REQUEST);
  expect(error.message).toBe('0.005 BTC is below the minimum for BTC → ETH.');
  expect(tries).toEqual([5000, false]);
});
