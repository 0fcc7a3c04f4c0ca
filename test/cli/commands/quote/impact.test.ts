import { expect, onTestFinished, test } from 'vitest';
import { sendJson } from '../../../helpers/raw-server.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import { startSwapService } from '../../../helpers/swap-service.ts';

/** A quote of 10 BTC from a service whose rate is 25 at its minimum of 0.001, and 24.5 for more. */
async function quoted(args: string, minimum: 'priced' | 'refused' = 'priced') {
  const amounts: string[] = [];
  const service = await startSwapService({
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
  onTestFinished(() => service.close());
  const run = await runHere(['quote', 'BTC', 'ETH', '10', '--json', ...args.split(' ').filter(Boolean)], {
    env: profileAt(service.url),
    sleep: async () => undefined,
  });
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
