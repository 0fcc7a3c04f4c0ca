import { describe, expect, it } from 'vitest';
import { coinLabel, parseCoinRef } from '../../../src/core/swap/swap.ts';

describe('a coin reference', () => {
  it.each([
    ['BTC', 'BTC', null],
    ['usdt:trx', 'usdt', 'trx'],
    ['USDT:TRX', 'USDT', 'TRX'],
    ['1INCH', '1INCH', null],
    ['$X:N/1', '$X', 'N/1'],
    ['USDC.e:AVAX-C', 'USDC.e', 'AVAX-C'],
    ['A'.repeat(40), 'A'.repeat(40), null],
  ])('%s is parsed with its letter case kept', (text, coin, network) => {
    expect(parseCoinRef(text)).toEqual({ coin, network });
  });

  it.each(['', ':', 'BTC:', ':BTC', 'A:B:C', 'US DT', 'BTC\n', '₿', 'A'.repeat(41), 'B\u202eTC'])(
    '%j is invalid',
    (text) => expect(parseCoinRef(text)).toBeNull(),
  );

  it('is printed the way it is typed', () => {
    expect(coinLabel({ coin: 'USDT', network: 'TRX' })).toBe('USDT:TRX');
    expect(coinLabel({ coin: 'BTC', network: null })).toBe('BTC');
  });
});
