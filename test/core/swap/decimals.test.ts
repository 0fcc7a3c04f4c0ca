import { describe, expect, it } from 'vitest';
import { assetDecimals, tooManyDecimals } from '../../../src/core/swap/decimals.ts';
import { builtInCatalogue } from '../../../src/sandbox/catalogue/catalogue.ts';

describe('the decimals of a coin on a network', () => {
  it('match the documentation of each chain for its native coins', () => {
    const stated =
      `ADA 6 AKT 6 ALGO 6 ALPH 18 APE 18 APT 8 AR 12 ASTR 18 ATOM 6 AXL 6 BAND 6 BCH 8 BTC 8 BTG 8 CFX 18
      CKB 8 COREUM 6 DASH 8 DCR 8 DGB 8 DOGE 8 DOT 10 EGLD 18 EOS 4 ERG 9 ETC 18 ETH 18 EVMOS 18 FET 18 FIL 18 FIO 9
      FIRO 8 FLOW 8 FLUX 8 FUSE 18 GRS 8 HBAR 8 HIVE 3 ICX 18 INJ 18 IOTX 18 JUNO 6 KAS 8 KDA 12 KMD 8 KSM 12 KUJI 6
      LTC 8 MATIC 18 MINA 9 MONA 8 NEAR 24 NEO 0 NIM 5 NMC 8 ONE 18 OSMO 6 PIVX 8 PPC 6 QTUM 8 RON 18 ROSE 9 RUNE 8
      RVN 8 SC 24 SCRT 6 SEI 6 SGB 18 SOL 9 STEEM 3 STRK 18 STX 6 SUI 9 SYS 8 TAO 9 THETA 18 TIA 6 TON 9 TRX 6 VET 18
      VTC 8 WAVES 8 XCH 12 XDC 18 XEM 6 XLM 7 XMR 12 XNO 30 XPLA 18 XRP 6 XTZ 6 XVG 6 XYM 6 ZCL 8 ZEC 8 ZEN 8 ZETA 18
      ZIL 12 ETH:ARBITRUM 18 AVAX:AVAXC 18 AVAX:AVAXP 9 AVAX:AVAXX 9 ETH:BASE 18 ETH:BOBA 18 BNB:BSC 18
      CFX:CFXESPACE 18 CRO:CROPOS 8 HBD:HIVE 3 KCS:KCC 18 ETH:LISK 18 POL:MATIC 18 GAS:NEO 8 ETH:NOVA 18
      ETH:OPTIMISM 18 RBTC:RSK 18 ETH:SONEIUM 18 SBD:STEEM 3 IP:STORY 18 TFUEL:THETA 18 ETH:ZKEVM 18 ETH:INK 18
      ETH:ABSTRACT 18`.match(/\S+ \d+/g);
    for (const line of stated ?? []) {
      const [names = '', places] = line.split(' ');
      const [coin = '', network = coin] = names.split(':');
      expect([names, String(assetDecimals(coin, network))]).toEqual([names, places]);
    }
  });

  it('agree with the sandbox catalogue and are known for over 90 % of it', () => {
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
    ['DOGE', 'BSC', 8],
    ['ZRX', 'ETH', 18],
    ['GAS', 'NEO3', 8],
    ['XVG', 'VERGE', 6],
    ['TAO', 'BITTENSOR', 9],
    ['CRO', 'CRO-POS', 8],
    ['AVAX', 'AVAX-X', 9],
    ['STRK', 'STARKNET', 18],
  ])('for %s on %s are %d', (coin, network, places) => expect(assetDecimals(coin, network)).toBe(places));

  it.each([
    ['NOPE', 'ETH'],
    ['BTC', 'NOPE'],
    ['', 'ETH'],
    [' ', 'ETH'],
    ['constructor', 'ETH'],
    ['ETH', '__proto__'],
    ['toString', 'constructor'],
  ])('are unknown for %j on %j', (coin, network) => expect(assetDecimals(coin, network)).toBeUndefined());
});

describe('tooManyDecimals', () => {
  it.each([
    ['0.123456789', 'BTC', 'BTC', 8, '0.12345678'],
    ['0.000000001', 'BTC', 'BTC', 8, '0'],
    ['99.99999999', 'USDT', 'TRX', 6, '99.999999'],
    ['1.00001', 'EOS', 'EOS', 4, '1'],
  ])('for %s %s on %s returns %d places and %s', (amount, coin, network, places, fits) => {
    expect(tooManyDecimals(amount, coin, network)).toEqual({ places, fits });
  });

  it.each([
    ['0.12345678', 'BTC', 'BTC'],
    ['0.1234567800', 'BTC', 'BTC'],
    ['1000000', 'EOS', 'EOS'],
    ['0.000000000000000001', 'USDT', 'BSC'],
    ['0.12345678901234567890', 'NOPE', 'ETH'],
  ])('returns undefined for %s %s on %s', (amount, coin, network) => {
    expect(tooManyDecimals(amount, coin, network)).toBeUndefined();
  });
});
