import { describe, expect, it } from 'vitest';
import { builtInCatalogue } from '../../src/sandbox/catalogue/catalogue.ts';
import { assetDecimals, tooManyDecimals } from '../../src/swap/decimals.ts';

const NETWORKS_OF_ADDRESSES =
  `BTC LTC DOGE DASH BCH ZEC ETH BSC MATIC ARBITRUM OPTIMISM BASE AVAXC ETC TRX SOL XRP XLM TON ADA DOT KSM ATOM OSMO
  TIA SEI INJ JUNO SCRT AKT AXL RUNE XMR EOS HBAR ALGO FIL XNO NEAR XTZ SUI APT KAS EGLD ZIL ALPH AR CFX CKB ERG FIO FLOW HIVE ICX KDA MINA NEO NIM SC
  STEEM STX WAVES XCH XEM XYM ASTR BAND BTG DCR DGB EVMOS FET FIRO FLUX FUSE GRS IOTX KMD KUJI MONA NMC ONE PIVX PPC
  QTUM RON ROSE RVN SGB STRK SYS TAO THETA VET VTC XDC XPLA XVG ZCL ZEN ZETA`.split(/\s+/);

describe('the decimals of a coin on a network', () => {
  it('are known for the own coin of every network that has an address rule', () => {
    const own: Record<string, string> = {
      BSC: 'BNB',
      ARBITRUM: 'ETH',
      OPTIMISM: 'ETH',
      BASE: 'ETH',
      AVAXC: 'AVAX',
    };
    const unknown = NETWORKS_OF_ADDRESSES.filter(
      (code) => assetDecimals(own[code] ?? code, code) === undefined,
    );
    expect(unknown).toEqual([]);
  });

  it('agree with the catalogue of the sandbox, which was written apart, and know nine tenths of it', () => {
    const assets = builtInCatalogue().coins.flatMap((coin) => coin.assets);
    const known = assets.filter(({ coin, network }) => assetDecimals(coin, network) !== undefined);
    const differing = known.filter(
      ({ coin, network, decimals }) => assetDecimals(coin, network) !== decimals,
    );
    expect(differing).toEqual([]);
    expect(known.length).toBeGreaterThan(assets.length * 0.9);
  });

  it.each([
    ['USDT', 'ETH', 6],
    ['USDT', 'BSC', 18],
    ['usdt', 'trx', 6],
    ['USDT', 'TRC20', 6],
    ['USDT', 'bep-20', 18],
    ['ETH', 'ERC20', 18],
    ['XNO', 'XNO', 30],
    ['EOS', 'EOS', 4],
    ['DOGE', 'BSC', 8],
    ['ZRX', 'ETH', 18],
    ['GAS', 'NEO3', 8],
    ['NEO', 'NEO', 0],
    ['HBD', 'HIVE', 3],
    ['XVG', 'VERGE', 6],
    ['PPC', 'PPC', 6],
    ['TAO', 'BITTENSOR', 9],
    ['ETH', 'INK', 18],
    ['CRO', 'CRO-POS', 8],
    ['AVAX', 'AVAX-X', 9],
    ['STRK', 'STARKNET', 18],
  ])('%s on %s has %d', (coin, network, places) => {
    expect(assetDecimals(coin, network)).toBe(places);
  });

  it.each([
    ['NOPE', 'ETH'],
    ['BTC', 'NOPE'],
    ['', 'ETH'],
    [' ', 'ETH'],
    ['constructor', 'ETH'],
    ['ETH', '__proto__'],
    ['toString', 'constructor'],
  ])('are unknown for %j on %j', (coin, network) => {
    expect(assetDecimals(coin, network)).toBeUndefined();
  });
});

describe('an amount with too many decimals', () => {
  it.each([
    ['0.123456789', 'BTC', 'BTC', 8, '0.12345678'],
    ['0.000000001', 'BTC', 'BTC', 8, '0'],
    ['99.99999999', 'USDT', 'TRX', 6, '99.999999'],
    ['1.00001', 'EOS', 'EOS', 4, '1'],
  ])('%s %s on %s fits %d of them as %s', (amount, coin, network, places, fits) => {
    expect(tooManyDecimals(amount, coin, network)).toEqual({ places, fits });
  });

  it.each([
    ['0.12345678', 'BTC', 'BTC'],
    ['0.1234567800', 'BTC', 'BTC'],
    ['1000000', 'EOS', 'EOS'],
    ['0.000000000000000001', 'USDT', 'BSC'],
    ['0.12345678901234567890', 'NOPE', 'ETH'],
  ])('is not %s %s on %s', (amount, coin, network) => {
    expect(tooManyDecimals(amount, coin, network)).toBeUndefined();
  });
});
