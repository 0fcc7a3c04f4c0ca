import { describe, expect, it } from 'vitest';
import {
  amountArgument,
  chosenRateType,
  coinArgument,
  countArgument,
  durationArgument,
  secondsArgument,
} from '../../../../src/cli/commands/shared/arguments.ts';

const outcomeOf = (read: (text: string) => unknown, text: string): unknown => {
  try {
    return read(text);
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a duration argument', () => {
  it.each([
    ['30s', 30_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['999999d', 999_999 * 86_400_000],
  ])('%s is %i milliseconds', (text, expected) => {
    expect(durationArgument(text)).toBe(expected);
  });

  it.each(['', '0s', '5', 's', '1.5h', '-1s', '+1s', '1 s', '1S', '500ms', '1w', '1h30m', '1234567s', '１s'])(
    'rejects %j',
    (text) => {
      expect(outcomeOf(durationArgument, text)).toBe(
        'Use a whole number from 1 to 999999 and a unit, such as 30s, 10m, 2h or 1d.',
      );
    },
  );
});

describe('an interval argument in seconds', () => {
  it.each([
    ['1', 1000],
    ['0.1', 100],
    ['2.5', 2500],
    ['999999.9', 999_999_900],
  ])('%s is %i milliseconds', (text, expected) => {
    expect(secondsArgument(text)).toBe(expected);
  });

  it.each(['', '0', '0.0', '-1', '1e3', '1,5', '10s', '0.05', '0.15', '1234567'])('rejects %j', (text) => {
    expect(outcomeOf(secondsArgument, text)).toBe(
      'Use a number of seconds from 0.1 to 999999.9, such as 2 or 0.5.',
    );
  });
});

it('a count argument accepts whole numbers from 1 to 9999999', () => {
  expect(['1', '50', '9999999'].map(countArgument)).toEqual([1, 50, 9_999_999]);
  for (const text of ['', '0', '-1', '1.0', '01', '1e3', '10000000', 'ten'])
    expect(outcomeOf(countArgument, text)).toBe('Use a whole number from 1 to 9999999.');
});

it('the rate type is null without --float or --fixed', () => {
  expect([{}, { float: true }, { fixed: true }].map(chosenRateType)).toEqual([null, 'float', 'fixed']);
});

describe('a coin or amount argument', () => {
  it.each([
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
    'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617',
    `0x${'ab'.repeat(32)}`,
  ])('redacts a private key or seed phrase in its error: %s', (secret) => {
    expect(outcomeOf(coinArgument, secret)).toBe(
      'Invalid coin <redacted>: use a code such as BTC or USDT:TRX.',
    );
    expect(outcomeOf(amountArgument, secret)).toMatch(/^Invalid amount <redacted>: /);
  });

  it('repeats an address in its error', () => {
    const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    expect(outcomeOf(coinArgument, address)).toBe(
      `Invalid coin ${address}: use a code such as BTC or USDT:TRX.`,
    );
  });
});
