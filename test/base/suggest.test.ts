import { describe, expect, it } from 'vitest';
import { nearestWords } from '../../src/base/suggest.ts';

describe('suggested words', () => {
  it.each([
    ['BTX', ['BTC', 'ETH', 'BTT', 'BTC'], ['BTC', 'BTT']],
    ['usdt', ['USDT', 'USDC', 'TUSD'], ['USDT', 'USDC']],
    ['quot', ['quote', 'coins'], ['quote']],
    ['histroy', ['history'], ['history']],
    ['xyz', ['BTC', 'ETH'], []],
    ['BTC', [], []],
    ['', ['A', 'BC'], []],
    ['X', ['A', 'XL'], []],
  ])('for %s out of %j are %j', (wanted, words, expected) => {
    expect(nearestWords(words, wanted)).toEqual(expected);
  });

  it('are at most three, the nearest first, equal ones in their original order', () => {
    expect(nearestWords(['AAAAC', 'AAAAB', 'AAABB', 'AAAAA', 'AAAAD'], 'AAAAA')).toEqual([
      'AAAAA',
      'AAAAC',
      'AAAAB',
    ]);
  });
});
