import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sparkline } from '../../../../src/cli/commands/quote/sparkline.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { listing } from '../../../helpers/swap-service.ts';
import { words } from '../../../helpers/words.ts';
import { deskWith } from '../batch/desk.ts';

/** A quote of 10 BTC from a service whose rate is 25 at its minimum of 0.001, and 24.5 for more. */
async function quoted(flags: string, minimum: 'priced' | 'refused' = 'priced') {
  const amounts: string[] = [];
  const desk = await deskWith({
    'exchange-coin': ({ query }, response) => {
      const amount = query.get('amount') ?? '';
      amounts.push(amount);
      const isLeast = amount === '0.001';
      if (isLeast && minimum === 'refused')
        return sendJson(response, 400, { statusCode: 400, message: 'Not now' });
      const [exchangeRate, receive] = isLeast ? [25, '0.025'] : [24.5, '245'];
      const limits = { minAmount: '0.001', maxAmount: 0, networkFee: '0.002' };
      sendJson(response, 200, { pair: 'BTC_ETH', amount, exchangeRate, receive, ...limits });
    },
  });
  const run = await desk.run(words(`quote BTC ETH 10 --json ${flags}`), { sleep: async () => undefined });
  return { ...run, quote: JSON.parse(run.stdout || 'null'), amounts };
}

test('quote --impact compares the rate with the rate at the minimum, using one more request', async () => {
  const { quote, amounts } = await quoted('--impact');
  expect(quote).toMatchObject({ rate: '24.5', fee: '0.002', impact: '-2.0' });
  expect(amounts).toEqual(['10', '0.001']);
});

test('quote without --impact sends one request and has impact null', async () => {
  const { quote, amounts } = await quoted('');
  expect(quote).toMatchObject({ impact: null });
  expect(amounts).toEqual(['10']);
});

test('quote --impact has impact null if the service has no rate at the minimum', async () => {
  const { quote, stderr } = await quoted('--impact', 'refused');
  expect(quote).toMatchObject({ rate: '24.5', impact: null });
  expect(stderr).toContain('The service gave no rate at the minimum, so the price impact is unknown.');
});

describe.each([{ stored: false }, { stored: true }])('a quote, coin list stored: $stored', ({ stored }) => {
  test.each([
    ['wBTC', ['wBTC'], 'wBTC'],
    ['WBTC', ['WBTC'], 'WBTC'],
    ['wbtc', ['WBTC'], 'WBTC'],
    ['Wbtc', ['WBTC'], 'WBTC'],
    ['usdt', ['USDT', 'USDt'], 'USDt'],
    ['USDt', ['USDt'], 'USDt'],
  ])('sends the coin %s as %j', async (typed, sent, shown) => {
    // Two codes that differ in nothing but case, and one that is not spelled in capitals.
    const codes = ['BTC', 'WBTC', 'wBTC', 'USDt'];
    const asked: string[] = [];
    const desk = await deskWith({
      'get-all-coins': listing(Object.fromEntries(codes.map((code) => [code, ['ETH']]))),
      // Knows its codes in one spelling only.
      'exchange-coin': ({ query }, response) => {
        const [from = '', to = ''] = [query.get('coinFrom') ?? '', query.get('coinTo') ?? ''];
        asked.push(from);
        if (![from, to].every((code) => codes.includes(code)))
          return sendJson(response, 404, { statusCode: 404, message: 'There is no such pair' });
        const figures = { amount: query.get('amount'), receive: '2', exchangeRate: '2', minAmount: '0.1' };
        sendJson(response, 200, { pair: `${from}_${to}`.toUpperCase(), ...figures });
      },
    });
    if (stored) expect((await desk.run(['coins'])).error).toBeNull();
    const { error, stdout } = await desk.run(['quote', typed, 'BTC', '1', '--json']);
    expect([error, asked, JSON.parse(stdout).from.coin]).toEqual([null, sent, shown]);
  });
});

describe('a sparkline', () => {
  test.each([
    [[], ''],
    [['1.5'], '▄'],
    [['2', '2.0', '2.00'], '▄▄▄'],
    [['1', '2'], '▁█'],
    [['0', '1', '2', '3', '4', '5', '6', '7'], '▁▂▃▄▅▆▇█'],
    [['28.65275036835800705', '28.65275036835800704'], '█▁'],
    [['0', '0.49', '0.51', '1'], '▁▄▅█'],
  ])('of %j is %s', (numbers, bars) => {
    expect(sparkline(numbers)).toBe(bars);
  });

  test('has one bar per number, including the lowest and the highest bar', () => {
    const number = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String);
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 60 }), (list) => {
        const bars = [...sparkline(list)];
        expect(bars).toHaveLength(list.length);
        if (new Set(list).size > 1) expect([bars.includes('▁'), bars.includes('█')]).toEqual([true, true]);
      }),
    );
  });
});
