import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { Quoting } from '../../../src/core/swaps/limits.ts';
import { changeWords, hasWorsened, priceImpact } from '../../../src/core/swaps/price.ts';

const ASKED = {
  from: { coin: 'BTC', network: 'BTC' },
  to: { coin: 'ETH', network: 'ETH' },
  type: 'float',
} as const;

it('a price change is described for each side that changed, and is worse beyond the tolerance', () => {
  const priced = (amount: string, receive: string) => ({
    tolerance: '1',
    quote: { receive },
    request: { deposit: ASKED.from, receive: ASKED.to, amount },
  });
  const before = priced('1', '10');
  expect(changeWords(before, priced('1.0', '10.00'))).toBeNull();
  expect(changeWords(before, priced('1.0', '9'))).toBe('reviewed 10 ETH, now 9 ETH (−10.0 %)');
  expect(changeWords(before, priced('2', '11'))).toBe(
    'reviewed 1 BTC to send, now 2 BTC (+100.0 %); reviewed 10 ETH, now 11 ETH (+10.0 %)',
  );
  const worse = [priced('1', '9.9'), priced('1', '9.89'), priced('1.01', '10'), priced('1.011', '10')];
  expect(worse.map((now) => hasWorsened(before, now))).toEqual([false, true, false, true]);
});

it.each([
  ['0.1', '12.5', '-20.0'],
  ['0.1', null, null],
  ['0', '12.5', null],
])('with a minimum of %s at rate %s, the rate 10 has the impact %s', async (min, least, impact) => {
  const quote: Quoting['client']['quote'] = async (wanted) => {
    if (least === null) throw new SwapctlError('network_error', 'No answer.');
    expect(wanted.amount).toBe(min);
    return { ...wanted, pair: '', receive: '1', rate: least, min, max: null, fee: null };
  };
  const of = { ...ASKED, amount: '1', lastSource: 'deposit' as const };
  const priced = { ...of, pair: '', receive: '10', rate: '10', min, max: null, fee: null };
  expect(await priceImpact({ client: { quote } }, priced)).toBe(impact);
});
