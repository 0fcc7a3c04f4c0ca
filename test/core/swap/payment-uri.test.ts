import { describe, expect, test } from 'vitest';
import { paymentUriOrAddress } from '../../../src/core/swap/payment-uri.ts';

const payment = { coin: 'BTC', network: 'BTC', address: 'bc1qxyz', amount: '0.10000001', memo: null };

describe('the text of a payment QR code', () => {
  test.each([
    ['BTC', 'BTC', 'bitcoin:bc1qxyz?amount=0.10000001'],
    ['LTC', 'LTC', 'litecoin:bc1qxyz?amount=0.10000001'],
    ['DOGE', 'DOGE', 'dogecoin:bc1qxyz?amount=0.10000001'],
    ['DASH', 'DASH', 'dash:bc1qxyz?amount=0.10000001'],
    ['BCH', 'BCH', 'bitcoincash:bc1qxyz?amount=0.10000001'],
    ['ZEC', 'ZEC', 'zcash:bc1qxyz?amount=0.10000001'],
    ['btc', 'Bitcoin', 'bitcoin:bc1qxyz?amount=0.10000001'],
  ])('is a BIP 21 URI with the exact amount for %s on %s', (coin, network, text) => {
    expect(paymentUriOrAddress({ ...payment, coin, network })).toBe(text);
  });

  test('does not repeat a prefix that the address already has', () => {
    const address = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
    const uri = paymentUriOrAddress({ ...payment, coin: 'BCH', network: 'BCH', address });
    expect(uri).toBe(`${address}?amount=0.10000001`);
  });

  test.each([
    ['ETH', 'ETH', 1],
    ['ETH', 'ERC20', 1],
    ['BNB', 'BSC', 56],
    ['POL', 'MATIC', 137],
    ['ETH', 'ARBITRUM', 42161],
    ['ETH', 'OPTIMISM', 10],
    ['ETH', 'BASE', 8453],
    ['AVAX', 'AVAXC', 43114],
  ])('is an EIP-681 URI in wei for %s on %s', (coin, network, chain) => {
    const ether = { coin, network, address: '0xab', amount: '1.000000000000000001' };
    expect(paymentUriOrAddress({ ...payment, ...ether })).toBe(
      `ethereum:0xab@${chain}?value=1000000000000000001`,
    );
  });

  test.each([
    ['a token', { coin: 'USDT', network: 'ETH' }],
    ['a coin of another chain under the same network', { coin: 'BTC', network: 'BSC' }],
    ['a wrapped coin', { coin: 'ETH', network: 'BSC' }],
    ['a coin whose wallets agree on no URI', { coin: 'TRX', network: 'TRX' }],
    ['an unknown network', { coin: 'BTC', network: 'LIGHTNING' }],
    ['a payment with a memo, which a URI could lose', { memo: '12345' }],
    ['an amount with 19 decimals', { coin: 'ETH', network: 'ETH', amount: '0.1234567890123456789' }],
    ['an amount that is not a plain decimal', { amount: '1e-8' }],
  ])('is the bare address for %s', (_, change) => {
    expect(paymentUriOrAddress({ ...payment, ...change })).toBe('bc1qxyz');
  });

  test('keeps every digit of the amount', () => {
    expect(paymentUriOrAddress({ ...payment, amount: '123456789012.12345678' })).toMatch(
      /amount=123456789012\.12345678$/,
    );
    expect(paymentUriOrAddress({ ...payment, coin: 'ETH', network: 'ETH', amount: '100.500' })).toMatch(
      /value=100500000000000000000$/,
    );
  });
});
