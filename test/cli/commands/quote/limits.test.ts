import { describe, expect, it } from 'vitest';
import { SwapctlError } from '../../../../src/base/errors.ts';
import type { Quoting } from '../../../../src/core/swaps/limits.ts';
import { askWithBounds } from '../../../../src/core/swaps/price.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import type { Answer } from '../../../helpers/swap-service.ts';
import { startSwapService } from '../../../helpers/swap-service.ts';

const BELOW = 'Amount to swap is below the possible min amount to swap';
const ABOVE = 'Amount to swap is higher the possible max amount to swap';

/** A service that prices deposits from 0.00011 to 2.6, and sends every other amount to `refuse`. */
async function priced(args: string, refuse: Answer) {
  const amounts: string[] = [];
  const service = await startSwapService({
    'exchange-coin': (seen, response, raw) => {
      const amount = seen.query.get('amount') ?? '';
      amounts.push(amount);
      if (Number(amount) < 0.00011 || Number(amount) > 2.6) return refuse(seen, response, raw);
      const figures = { exchangeRate: 1, receive: amount, minAmount: '0.00011', maxAmount: '2.6' };
      sendJson(response, 200, { pair: 'BTC_ETH', amount, ...figures });
    },
  });
  try {
    const run = await runHere(['quote', ...args.split(' ')], {
      ...{ home: await temporaryFolder(), env: profileAt(service.url), sleep: async () => undefined },
    });
    return { error: run.error, amounts };
  } finally {
    await service.close();
  }
}

const refusal =
  (message: string): Answer =>
  (_, response) =>
    sendJson(response, 400, { statusCode: 400, message });

describe('a refused amount', () => {
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
    const { error } = await priced(args, refusal(message));
    expect(error?.message).toBe(words);
    expect(error?.details).toMatchObject({ coin: 'BTC', minimum: '0.00011', maximum: '2.6' });
  });

  it('is all there is to report where the quote that would explain it fails', async () => {
    let count = 0;
    const { error, amounts } = await priced('BTC ETH 0.00001', (_, response) => {
      count += 1;
      sendJson(response, count === 1 ? 400 : 503, { message: count === 1 ? `${BELOW}: 0.00011` : 'Busy' });
    });
    expect([error?.code, error?.message]).toEqual([
      'amount_below_min',
      '0.00001 BTC is below the minimum of 0.00011 BTC for BTC → ETH.',
    ]);
    expect(amounts).toEqual(['0.00001', '0.0001']);
  });

  it('is not explained by limits that contradict it', async () => {
    const request = { from: { coin: 'BTC', network: null }, to: { coin: 'ETH', network: null }, amount: '1' };
    const asked = { ...request, lastSource: 'deposit', type: 'float' } as const;
    const tries: unknown[] = [];
    const busy = new SwapctlError('service_error', 'Busy.', { retryable: true });
    const client: Quoting['client'] = {
      quote: async (wanted, turns) => {
        if (wanted.amount === '1') throw new SwapctlError('amount_below_min', BELOW);
        tries.push(turns?.timeLeft(), turns?.repeats?.(busy, true));
        return { ...wanted, pair: 'BTC_ETH', receive: '1', rate: '1', min: '0.5', max: null, fee: null };
      },
    };
    await expect(askWithBounds({ client }, asked)).rejects.toMatchObject({
      message: '1 BTC is below the minimum for BTC → ETH.',
    });
    // One try of five seconds.
    expect(tries).toEqual([5000, false]);
  });

  it.each([
    ['is 0.5', ' of 0.5 BTC', '0.5'],
    ['(0.5 BTC).', ' of 0.5 BTC', '0.5'],
    ['is 0.5 ETH', '', null],
    ['is unknown', '', null],
  ])(
    'is reported with the limit of the service if that is one of the deposit: %s',
    async (end, bound, maximum) => {
      const asked: string[] = [];
      const client: Quoting['client'] = {
        quote: async ({ amount }) => {
          asked.push(amount);
          if (amount === '1') throw new SwapctlError('amount_above_max', `The maximum ${end}`);
          throw new SwapctlError('service_error', 'Busy');
        },
      };
      const pair = { from: { coin: 'btc', network: null }, to: { coin: 'ETH', network: null } };
      const wanted = { ...pair, amount: '1', lastSource: 'deposit', type: 'float' } as const;
      const message = `1 btc is above the maximum${bound.replace('BTC', 'btc')} for btc → ETH.`;
      const details = { amount: '1', maximum };
      const hint = 'Choose a smaller amount.';
      await expect(askWithBounds({ client }, wanted)).rejects.toMatchObject({ message, details, hint });
      // The nearest amount that may be within the limits, and not the refused one again.
      expect(asked).toEqual(['1', '0.01']);
    },
  );
  it('is explained by a larger one where it is too small', async () => {
    const asked: string[] = [];
    const client: Quoting['client'] = {
      quote: async (wanted) => {
        asked.push(wanted.amount);
        if (wanted.amount === '1') throw new SwapctlError('amount_below_min', BELOW);
        return { ...wanted, pair: 'BTC_ETH', receive: '1', rate: '1', min: '2', max: null, fee: null };
      },
    };
    const pair = { from: { coin: 'BTC', network: null }, to: { coin: 'ETH', network: null } };
    const wanted = { ...pair, amount: '1', lastSource: 'deposit', type: 'float' } as const;
    await expect(askWithBounds({ client }, wanted)).rejects.toMatchObject({
      message: '1 BTC is below the minimum. The limits of BTC → ETH are 2 BTC or more.',
      hint: 'Choose a larger amount.',
    });
    expect(asked).toEqual(['1', '100']);
  });
});
