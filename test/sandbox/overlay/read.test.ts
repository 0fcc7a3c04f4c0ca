import { describe, expect, it } from 'vitest';
import type { UsageError } from '../../../src/base/errors.ts';
import { overlaid, readOverlay } from '../../../src/sandbox/overlay/overlay.ts';

const read = (overlay: unknown) => readOverlay(JSON.stringify(overlay));
const decide = (decisions: object) => read({ decisions });

/** The message and hint of the error about an overlay. */
function refused(work: () => unknown): readonly [string, string | null] {
  try {
    work();
  } catch (error) {
    const { code, message, hint } = error as UsageError;
    expect(code).toBe('usage');
    return [message, hint];
  }
  throw new Error('There was no error.');
}

describe('an overlay', () => {
  it('is read with all digits and with durations in milliseconds', () => {
    const { choices, habits, catalogue } = decide({
      maxLimit: 50,
      depositWindow: { fixed: '5m' },
      exchangeTime: '1s',
      rateLimit: '10/2m',
      fees: { float: '0.2500' },
    });
    expect([habits, catalogue]).toEqual([undefined, undefined]);
    expect(choices).toEqual({
      maxLimit: 50,
      depositWindow: { fixed: 300_000 },
      exchangeTime: 1000,
      rateLimit: { count: 10, windowSeconds: 120 },
      fees: { float: '0.2500' },
    });
  });

  it.each<[string, unknown, string, string | null]>([
    ['an unknown part', { decision: {} }, 'the file has no part "decision"', 'Did you mean decisions?'],
    ['a list', [], 'the file must be an object with any of the keys coins, habits, bounds, decisions', null],
    [
      'an unknown habit',
      { habits: ['doubles', 'text-amount'] },
      'habits[1] has no habit "text-amount"',
      'Did you mean text-amounts?',
    ],
    ['a habit that is not text', { habits: [1] }, 'habits[0] must be the name of a habit', null],
    [
      'an unknown decision',
      { decisions: { maxLimits: 200 } },
      'decisions has no decision "maxLimits"',
      'Did you mean maxLimit?',
    ],
    [
      'an unknown member of one',
      { decisions: { depositWindow: { fix: '5m' } } },
      'decisions.depositWindow has no rate type "fix"',
      'Did you mean fixed?',
    ],
    [
      'a bare number of milliseconds',
      { decisions: { exchangeTime: 5000 } },
      'decisions.exchangeTime must be a duration such as "30s", "20m" or "2h"',
      null,
    ],
    [
      'an unknown house rule',
      { decisions: { houseRules: ['late'] } },
      'decisions.houseRules[0] must be one of house-minimum, aml-commission, late-by-support',
      null,
    ],
    [
      'a maximum limit below the default limit',
      { decisions: { defaultLimit: 50, maxLimit: 20 } },
      'decisions.defaultLimit must not be above maxLimit',
      null,
    ],
    [
      'a fee with too many decimals',
      { decisions: { fees: { fixed: '0.00001' } } },
      'decisions.fees.fixed must be a percentage of at most 50, with up to 4 decimals',
      null,
    ],
    [
      'a rate without a time',
      { decisions: { rateLimit: '120' } },
      'decisions.rateLimit must be requests and a time, such as "120/60s"',
      null,
    ],
    [
      'bounds without max',
      { bounds: [{ from: 'BTC', to: 'ETH', min: '1' }] },
      'bounds[0].max must be a decimal of at most 60 characters, not below zero, or null',
      null,
    ],
    [
      'bounds with max below min',
      { bounds: [{ from: 'BTC', to: 'ETH', min: '2', max: '1' }] },
      'bounds[0].max must not be below min',
      null,
    ],
    [
      'an amount with an exponent too large',
      { bounds: [{ from: 'BTC', to: 'ETH', min: '1e99', max: null }] },
      'bounds[0].min must be a decimal of at most 60 characters, not below zero',
      null,
    ],
    [
      'a coin without decimals',
      { coins: [{ code: 'BTC', name: 'Bitcoin', usd: '1', assets: [{ network: 'BTC' }] }] },
      'coins[0].assets[0].decimals must be a whole number from 0 to 36',
      null,
    ],
  ])('is rejected with the path of %s', (_, overlay, message, hint) => {
    expect(refused(() => read(overlay))).toEqual([`Overlay: ${message} (line 1).`, hint]);
  });

  it('is rejected if it is not JSON', () => {
    expect(refused(() => readOverlay('{'))[0]).toMatch(/^Overlay: the file is not JSON, line 1: /);
  });

  it('is rejected with the list of habits if no habit is similar', () => {
    expect(refused(() => read({ habits: ['x'] }))[1]).toMatch(/^Choose from: text-amounts \(/);
  });

  it('may only limit coins of the catalogue on a side that they have', () => {
    const bounds = (from: string, to: string) => read({ bounds: [{ from, to, min: '1', max: null }] });
    expect(refused(() => overlaid(bounds('BTCC', 'ETH'), {}))).toEqual([
      'Overlay: bounds[0].from has no coin to deposit "BTCC".',
      'Did you mean BTC?',
    ]);
    expect(refused(() => overlaid(bounds('BTC:BTC', 'ETH:BTC'), {}))[0]).toBe(
      'Overlay: bounds[0].to has no coin to receive "ETH:BTC".',
    );
    expect(overlaid(bounds('BTC', 'ETH:ETH'), {}).choices.bounds).toHaveLength(1);
  });
});
