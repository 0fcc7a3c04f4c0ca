import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { isZero, significantPlaces } from '../../../src/core/swap/amount.ts';
import { builtInCatalogue, parseCatalogue } from '../../../src/sandbox/catalogue/catalogue.ts';

const catalogue = builtInCatalogue();
const assets = catalogue.coins.flatMap((coin) => coin.assets);
const networksOf = (code: string) => catalogue.findCoin(code)?.assets.map((asset) => asset.network);

describe('the built-in catalogue', () => {
  it('has at least 70 coins on at least 28 networks', () => {
    expect(catalogue.coins.length).toBeGreaterThanOrEqual(70);
    expect(new Set(assets.map((asset) => asset.network)).size).toBeGreaterThanOrEqual(28);
  });

  it('lists each coin once, in capitals, and each of its networks once', () => {
    const codes = catalogue.coins.map((coin) => coin.code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !/^[A-Z0-9]+$/.test(code))).toEqual([]);
    for (const coin of catalogue.coins) {
      const networks = coin.assets.map((asset) => asset.network);
      expect(new Set(networks).size, coin.code).toBe(networks.length);
      expect(coin.assets.every((asset) => asset.coin === coin.code)).toBe(true);
    }
  });

  it('has BTC and ETH on their own networks only', () => {
    expect(networksOf('BTC')).toEqual(['BTC']);
    expect(networksOf('ETH')).toEqual(['ETH']);
  });

  it('requires a memo on exactly the networks that need one', () => {
    const needing = new Set(assets.filter((asset) => asset.memoNeeded).map((asset) => asset.network));
    expect([...needing].sort()).toEqual(['ATOM', 'EOS', 'HBAR', 'TON', 'XLM', 'XRP']);
  });

  it('has coins and networks that can only be deposited or only be received', () => {
    const coinsWith = (side: 'deposit' | 'receive') =>
      catalogue.coins.filter((coin) => coin.assets.some((asset) => asset[side])).map((coin) => coin.code);
    expect(coinsWith('receive')).not.toContain('USDD');
    expect(coinsWith('deposit')).not.toContain('XAUT');
    expect(catalogue.findAsset('USDC', 'TRX', 'deposit')).toBeDefined();
    expect(catalogue.findAsset('USDC', 'TRX', 'receive')).toBeUndefined();
    expect(assets.every((asset) => asset.deposit || asset.receive)).toBe(true);
  });

  it('has positive prices, and payout fees within the decimals of the asset', () => {
    expect(catalogue.coins.filter((coin) => isZero(coin.usd))).toEqual([]);
    expect(assets.filter((asset) => isZero(asset.payoutFee))).toEqual([]);
    expect(assets.filter((asset) => significantPlaces(asset.payoutFee) > asset.decimals)).toEqual([]);
  });

  it('is unchanged after it is written and parsed as a catalogue file', () => {
    const coins = catalogue.coins.map((coin) => ({
      ...coin,
      assets: coin.assets.map(({ coin: _code, ...asset }) => asset),
    }));
    expect(parseCatalogue(JSON.stringify({ coins })).coins).toEqual(catalogue.coins);
  });
});

describe('a coin or asset of a catalogue', () => {
  it('is found in any letter case', () => {
    expect(catalogue.findCoin('uSdT')?.code).toBe('USDT');
    expect(catalogue.findAsset('usdt', 'trx', 'receive')).toMatchObject({ coin: 'USDT', network: 'TRX' });
  });

  it('is found by its exact spelling if two coins differ only in case', () => {
    const coin = (code: string) => ({ code, name: code, usd: 1, assets: [{ network: 'ETH', decimals: 18 }] });
    const two = parseCatalogue(JSON.stringify({ coins: [coin('Abc'), coin('ABC')] }));
    expect(two.findCoin('ABC')?.code).toBe('ABC');
    expect(two.findCoin('Abc')?.code).toBe('Abc');
    expect(two.findCoin('abc')?.code).toBe('Abc');
  });

  it.each([[undefined], ['']])('is on the first network with that side for the network %j', (network) => {
    expect(catalogue.findAsset('USDT', network, 'deposit')?.network).toBe('ETH');
    const coins = [{ code: 'X', name: 'X', usd: 1, assets: [{ network: 'A', decimals: 1, receive: false }] }];
    coins[0]?.assets.push({ network: 'B', decimals: 1, receive: true });
    const book = parseCatalogue(JSON.stringify({ coins }));
    expect(book.findAsset('X', network, 'deposit')?.network).toBe('A');
    expect(book.findAsset('X', network, 'receive')?.network).toBe('B');
  });

  it('is undefined for an unknown code, even the name of an object property', () => {
    for (const code of ['', 'NOPE', '__proto__', 'constructor', 'ıota']) {
      expect(catalogue.findCoin(code)).toBeUndefined();
      expect(catalogue.findAsset('BTC', code === '' ? 'NOPE' : code, 'deposit')).toBeUndefined();
    }
  });
});

describe('a catalogue file', () => {
  const asset = { network: 'TRX', decimals: 6 };
  const coin = { code: 'USDT', name: 'Tether USD', usd: '1', assets: [asset] };
  const withCoin = (changes: object) => JSON.stringify({ coins: [{ ...coin, ...changes }] });
  const withAsset = (changes: object) =>
    withCoin({ assets: [asset, { ...asset, network: 'ETH', ...changes }] });
  const problemOf = (text: string): string => {
    try {
      return parseCatalogue(text) && 'none';
    } catch (error) {
      if (error instanceof UsageError) return error.message;
      throw error;
    }
  };

  it('requires only code, name, price, network and decimals', () => {
    const assumed = { deposit: true, receive: true, memoNeeded: false, confirmations: 1 };
    const assets = [{ coin: 'USDT', ...asset, ...assumed, depositFee: '0', payoutFee: '0' }];
    expect(parseCatalogue(withCoin({})).coins).toEqual([{ ...coin, image: '/coins/usdt.svg', assets }]);
  });

  it('may have prices as numbers, of which every digit is kept', () => {
    const read = (usd: string) =>
      parseCatalogue(withCoin({}).replace('"usd":"1"', `"usd":${usd}`)).coins[0]?.usd;
    expect(read('1.12345678901234567890123')).toBe('1.12345678901234567890123');
    expect(read('1.5e-8')).toBe('0.000000015');
  });

  const amount = 'must be a decimal of at most 60 characters, not below zero.';
  const code = 'must be 1 to 32 printable ASCII characters without spaces and colons.';
  const confirmations = 'must be a whole number from 1 to 10000.';
  it.each([
    ['{', 'the file is not JSON'],
    ['[]', 'the file must be an object with the key coins.'],
    ['{}', 'coins must be a list with at least one entry.'],
    ['{"coins":[],"x":1}', 'the file has no key "x".'],
    ['{"coins":[1]}', 'coins[0] must be an object.'],
    [withCoin({ code: 'US DT' }), `coins[0].code ${code}`],
    [withCoin({ code: 5 }), `coins[0].code ${code}`],
    [withCoin({ name: '' }), 'coins[0].name must be a string.'],
    [withCoin({ image: null }), 'coins[0].image must be a string.'],
    [withCoin({ usd: 0 }), 'coins[0].usd must be greater than zero.'],
    [withCoin({ usd: '-1' }), `coins[0].usd ${amount}`],
    [withCoin({ usd: '1,5' }), `coins[0].usd ${amount}`],
    [withCoin({ usd: null }), `coins[0].usd ${amount}`],
    [withCoin({ assets: [] }), 'coins[0].assets must be a list with at least one entry.'],
    [withCoin({ asset: [] }), 'coins[0] has no key "asset"'],
    ...[6.5, 37, '6', undefined].map((decimals): [string, string] => [
      withAsset({ decimals }),
      'coins[0].assets[1].decimals must be a whole number from 0 to 36.',
    ]),
    [withAsset({ confirmations: 0 }), `coins[0].assets[1].confirmations ${confirmations}`],
    [withAsset({ deposit: 'yes' }), 'coins[0].assets[1].deposit must be true or false.'],
    [withAsset({ memo: true }), 'coins[0].assets[1] has no key "memo"'],
    [withAsset({ payoutFee: '0.1234567' }), 'coins[0].assets[1].payoutFee must have at most 6 decimals'],
    [withAsset({ network: 'TRX' }), 'coins[0].assets[1].network must be unique; "TRX" came before.'],
    [JSON.stringify({ coins: [coin, coin] }), 'coins[1].code must be unique; "USDT" came before.'],
    [`${'['.repeat(10_000)}`, 'the file is not JSON, line 1: This is nested too deeply.'],
  ])('is rejected with the path of the mistake: %#', (text, reason) => {
    expect(problemOf(text).replace(' (line 1)', '')).toContain(`Catalogue file: ${reason}`);
  });

  it('is rejected with the line of the mistake', () => {
    const text = JSON.stringify({ coins: [{ ...coin, assets: [asset, { ...asset, memo: true }] }] }, null, 1);
    const of = (from: string, to: string) => /line (\d+)/.exec(problemOf(text.replace(from, to)))?.[1];
    const lineOf = (part: string) => String(text.slice(0, text.indexOf(part)).split('\n').length);
    expect(of('', '')).toBe(lineOf('"memo"'));
    expect(of('"usd": "1"', '"usd": "no"')).toBe(lineOf('"usd"'));
    expect(of('"coins"', '"coin"')).toBe('2');
    expect(of('"Tether USD",', '"Tether USD"')).toBe(lineOf('"usd"'));
    expect(of('"code": "USDT",', '')).toBe(lineOf('{\n   "code"'));
  });
});
