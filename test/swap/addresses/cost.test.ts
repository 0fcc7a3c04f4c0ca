import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAddress } from '../../../src/swap/addresses/check.ts';
import { CHECKSUMMED } from './samples.ts';

/** How many accepted addresses of its kind a refused one may cost, though a hundred networks are asked whose it is: it is two to three. */
const MAX_RATIO = 3.5;
const ADDRESSES = 15;
const MIN_TRIES = 30;
const MAX_TRIES = 400;

type Question = readonly [network: string, text: string];

/** Milliseconds to answer all of them. */
async function duration(questions: readonly Question[]): Promise<number> {
  const start = performance.now();
  for (const [network, text] of questions) await checkAddress(network, text);
  return performance.now() - start;
}

/**
 * How many times as long the refused take as the accepted, by the shortest time of each: the first times load and
 * compile, any may wait for other programs. Both are asked by turns, on a busy machine more often.
 */
async function ratio(accepted: readonly Question[], refused: readonly Question[]): Promise<number> {
  let fastest = { accepted: Number.POSITIVE_INFINITY, refused: Number.POSITIVE_INFINITY };
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    fastest = {
      accepted: Math.min(fastest.accepted, await duration(accepted)),
      refused: Math.min(fastest.refused, await duration(refused)),
    };
    if (tries >= MIN_TRIES && fastest.refused < MAX_RATIO * fastest.accepted) break;
  }
  return fastest.refused / fastest.accepted;
}

/** One character in the middle is another one, which the alphabets of all these kinds have. */
function damage(address: string): string {
  const middle = Math.floor(address.length / 2);
  return `${address.slice(0, middle)}${address[middle] === 'x' ? 'y' : 'x'}${address.slice(middle + 1)}`;
}

async function answers(questions: readonly Question[]): Promise<readonly boolean[]> {
  const verdicts = await Promise.all(questions.map(([network, text]) => checkAddress(network, text)));
  return [...new Set(verdicts.map(({ ok }) => ok))];
}

test.each([
  ['ATOM', 'account', 'BTC'],
  ['BTC', 'segwit version 0', 'LTC'],
  ['BTC', 'p2pkh', 'LTC'],
  ['TRX', 'account', 'ETH'],
  ['XRP', 'classic', 'XLM'],
  ['TON', 'user-friendly', 'SOL'],
])(
  'an address of %s (%s) costs as little where it is refused, damaged or on %s',
  async (code, form, other) => {
    const { sample } = CHECKSUMMED.find((one) => one.network === code && one.form === form) ?? {
      sample: fc.constant(''),
    };
    const addresses = fc.sample(sample, { numRuns: ADDRESSES, seed: 20261122 });
    const accepted = addresses.map((address) => [code, address] as const);
    const damaged = addresses.map((address) => [code, damage(address)] as const);
    const misplaced = addresses.map((address) => [other, address] as const);
    expect(await answers(accepted)).toEqual([true]);
    expect(await answers([...damaged, ...misplaced])).toEqual([false]);
    expect(await ratio(accepted, damaged), 'damaged').toBeLessThan(MAX_RATIO);
    expect(await ratio(accepted, misplaced), `on ${other}`).toBeLessThan(MAX_RATIO);
  },
);
