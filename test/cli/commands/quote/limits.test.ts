import { describe, expect, it, onTestFinished } from 'vitest';
import { sendJson } from '../../../helpers/raw-server.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import type { Answer } from '../../../helpers/swap-service.ts';
import { startSwapService } from '../../../helpers/swap-service.ts';

const BELOW = 'Amount to swap is below the possible min amount to swap';
const ABOVE = 'Amount to swap is higher the possible max amount to swap';

/** A service that prices deposits from 0.00011 to 2.6, and sends every other amount to `refuse`. */
async function priced(args: string, refuse: Answer) {
  const service = await startSwapService({
    'exchange-coin': (seen, response, raw) => {
      const amount = seen.query.get('amount') ?? '';
      if (Number(amount) < 0.00011 || Number(amount) > 2.6) return refuse(seen, response, raw);
      const figures = { exchangeRate: 1, receive: amount, minAmount: '0.00011', maxAmount: '2.6' };
      sendJson(response, 200, { pair: 'BTC_ETH', amount, ...figures });
    },
  });
  onTestFinished(() => service.close());
  const run = await runHere(['quote', ...args.split(' ')], {
    env: profileAt(service.url),
    sleep: async () => undefined,
  });
  return run.error;
}

const refusal =
  (message: string): Answer =>
  (_, response) =>
    sendJson(response, 400, { statusCode: 400, message });

describe('a quote error for an amount outside the limits', () => {
  it.each([
    [
      'BTC ETH 0.00001',
      BELOW,
      '0.00001 BTC is below the minimum. The limits of BTC → ETH are 0.00011 to 2.6 BTC.',
    ],
    ['BTC ETH 50', ABOVE, '50 BTC is above the maximum. The limits of BTC → ETH are 0.00011 to 2.6 BTC.'],
    [
      'BTC ETH 0.00001 --receive',
      BELOW,
      'The deposit for 0.00001 ETH is below the minimum. The limits of BTC → ETH are 0.00011 to 2.6 BTC.',
    ],
  ])('names the coin and both limits: %s', async (args, message, words) => {
    const error = await priced(args, refusal(message));
    expect(error?.message).toBe(words);
    expect(error?.details).toMatchObject({ coin: 'BTC', minimum: '0.00011', maximum: '2.6' });
  });
});
