import { describe, expect, it } from 'vitest';
import type { UsageError } from '../../../src/base/errors.ts';
import { applyOverlay, readOverlay } from '../../../src/sandbox/overlay/overlay.ts';

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

const AMOUNT = 'must be a decimal of at most 60 characters, not below zero';
const bounds = (limits: object) => ({ bounds: [{ from: 'BTC', to: 'ETH', ...limits }] });

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

  it.each<[unknown, string, string?]>([
    [{ decision: {} }, 'the file has no part "decision"', 'Did you mean decisions?'],
    [[], 'the file must be an object with any of the keys coins, habits, bounds, decisions'],
    [
      { habits: ['doubles', 'text-amount'] },
      'habits[1] has no habit "text-amount"',
      'Did you mean text-amounts?',
    ],
    [{ habits: [1] }, 'habits[0] must be the name of a habit'],
    [{ decisions: { maxLimits: 200 } }, 'decisions has no decision "maxLimits"', 'Did you mean maxLimit?'],
    [bounds({ min: '1' }), `bounds[0].max ${AMOUNT}, or null`],
    [bounds({ min: '2', max: '1' }), 'bounds[0].max must not be below min'],
    [bounds({ min: '1e99', max: null }), `bounds[0].min ${AMOUNT}`],
    [
      { coins: [{ code: 'BTC', name: 'Bitcoin', usd: '1', assets: [{ network: 'BTC' }] }] },
      'coins[0].assets[0].decimals must be a whole number from 0 to 36',
    ],
  ])('is rejected with the path of the mistake: %j', (overlay, message, hint) =>
    expect(refused(() => read(overlay))).toEqual([`Overlay: ${message} (line 1).`, hint ?? null]),
  );

  it.each<[object, string, string?]>([
    [{ depositWindow: { fix: '5m' } }, 'depositWindow has no rate type "fix"', 'Did you mean fixed?'],
    [{ exchangeTime: 5000 }, 'exchangeTime must be a duration such as "30s", "20m" or "2h"'],
    [{ houseRules: ['late'] }, 'houseRules[0] must be one of house-minimum, aml-commission, late-by-support'],
    [{ defaultLimit: 50, maxLimit: 20 }, 'defaultLimit must not be above maxLimit'],
    [{ fees: { fixed: '0.00001' } }, 'fees.fixed must be a percentage of at most 50, with up to 4 decimals'],
    [{ rateLimit: '120' }, 'rateLimit must be requests and a time, such as "120/60s"'],
  ])('is rejected with the path of the decision: %j', (decisions, message, hint) =>
    expect(refused(() => decide(decisions))).toEqual([
      `Overlay: decisions.${message} (line 1).`,
      hint ?? null,
    ]),
  );

  it('is rejected if it is not JSON', () => {
    expect(refused(() => readOverlay('{'))[0]).toMatch(/^Overlay: the file is not JSON, line 1: /);
  });

  it('is rejected with the list of habits if no habit is similar', () => {
    expect(refused(() => read({ habits: ['x'] }))[1]).toMatch(/^Choose from: text-amounts \(/);
  });

  it('may set limits only for coins of the catalogue, on a side that they have', () => {
    const bounds = (from: string, to: string) => read({ bounds: [{ from, to, min: '1', max: null }] });
    expect(refused(() => applyOverlay(bounds('BTCC', 'ETH'), {}))).toEqual([
      'Overlay: bounds[0].from has no coin to deposit "BTCC".',
      'Did you mean BTC?',
    ]);
    expect(refused(() => applyOverlay(bounds('BTC:BTC', 'ETH:BTC'), {}))[0]).toBe(
      'Overlay: bounds[0].to has no coin to receive "ETH:BTC".',
    );
    expect(applyOverlay(bounds('BTC', 'ETH:ETH'), {}).choices.bounds).toHaveLength(1);
  });
});
