import { describe, expect, it } from 'vitest';
import { coinLabel, parseCoinRef } from '../../../src/core/swap/coin-ref.ts';

describe('a coin as typed', () => {
  it.each([
    ['BTC', 'BTC', null],
    ['usdt:trx', 'usdt', 'trx'],
    ['USDT:TRX', 'USDT', 'TRX'],
    ['1INCH', '1INCH', null],
    ['$X:N/1', '$X', 'N/1'],
    ['USDC.e:AVAX-C', 'USDC.e', 'AVAX-C'],
    ['A'.repeat(40), 'A'.repeat(40), null],
  ])('%s is read in the case it has', (text, coin, network) => {
    expect(parseCoinRef(text)).toEqual({ coin, network });
  });

  it.each(['', ':', 'BTC:', ':BTC', 'A:B:C', 'US DT', 'BTC\n', '₿', 'A'.repeat(41), 'B\u202eTC'])(
    '%j is none',
    (text) => {
      expect(parseCoinRef(text)).toBeNull();
    },
  );

  it('is written back the way it is typed', () => {
    expect(coinLabel({ coin: 'USDT', network: 'TRX' })).toBe('USDT:TRX');
    expect(coinLabel({ coin: 'BTC', network: null })).toBe('BTC');
  });
});
