import { type Decimal, shortenBound, significantPlaces } from './amount.ts';
import { findNetwork } from './networks/networks.ts';

/** An amount with more decimals than its chain supports. */
export interface TooManyDecimals {
  /** Decimals of the coin on its network. */
  readonly places: number;
  /** The amount rounded down to the supported decimals; `0` where nothing is left. */
  readonly fits: Decimal;
}

// From the documents and contracts of chains and tokens, independently of the sandbox's catalogue, so that a test can
// compare the two. Uncertain pairs are left out and then not checked.
/** The own coins of networks by their decimals: `BTC` is that of BTC, `BSC:BNB` is BNB on BSC. */
const NATIVE: Readonly<Record<number, string>> = {
  0: 'NEO',
  3: 'HIVE HIVE:HBD STEEM STEEM:SBD',
  4: 'EOS',
  5: 'NIM',
  6: 'TRX XRP ADA ATOM OSMO TIA SEI JUNO SCRT AKT AXL ALGO XTZ STX XEM XYM BAND COREUM KUJI PPC XVG',
  7: 'XLM',
  8: `BTC LTC DOGE DASH BCH ZEC RUNE HBAR APT KAS CKB FLOW NEO:GAS WAVES BTG CROPOS:CRO DCR DGB FIRO
    FLUX GRS KMD MONA NMC PIVX QTUM RVN SYS VTC ZCL ZEN`,
  9: 'SOL TON SUI ERG FIO MINA AVAXP:AVAX AVAXX:AVAX ROSE TAO',
  10: 'DOT',
  12: 'KSM XMR ZIL AR KDA XCH',
  18: `ETH BSC:BNB MATIC:POL MATIC ARBITRUM:ETH OPTIMISM:ETH BASE:ETH AVAXC:AVAX ETC INJ FIL EGLD ALPH
    CFX ICX ABSTRACT:ETH APE ASTR BOBA:ETH CFXESPACE:CFX EVMOS FET FUSE INK:ETH IOTX KCC:KCS LISK:ETH
    NOVA:ETH ONE RON RSK:RBTC SGB SONEIUM:ETH STORY:IP STRK THETA THETA:TFUEL VET XDC XPLA ZETA
    ZKEVM:ETH`,
  24: 'NEAR SC',
  30: 'XNO',
};

/** Tokens by network, then by decimals. */
const TOKENS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  ETH: {
    2: 'GUSD TEL',
    6: 'USDT USDC PYUSD EURC XAUT POWR',
    8: 'WBTC CBBTC GALA CRO STORJ',
    9: 'FLOKI',
    18: `DAI TUSD FDUSD USDE BUSD FRAX LUSD PAXG WETH STETH LINK UNI AAVE MATIC POL SHIB PEPE MKR CRV COMP LDO GRT SAND
      MANA APE ENS 1INCH SUSHI SNX BAT ZRX ENJ CHZ IMX FET QNT ONDO ENA PENDLE YFI ARB WLD INJ RNDR RPL DYDX KNC HOT`,
  },
  BSC: {
    8: 'DOGE',
    9: 'FLOKI',
    18: 'USDT USDC BUSD DAI TUSD FDUSD ETH BTCB XRP ADA DOT LTC BCH ATOM AVAX FIL EOS LINK UNI CAKE 1INCH',
  },
  MATIC: { 6: 'USDT USDC', 8: 'WBTC', 18: 'DAI WETH LINK AAVE SAND' },
  ARBITRUM: { 6: 'USDT USDC', 8: 'WBTC', 18: 'DAI WETH ARB LINK UNI GMX GRT PENDLE' },
  OPTIMISM: { 6: 'USDT USDC', 8: 'WBTC', 18: 'DAI WETH OP LINK SNX WLD' },
  BASE: { 6: 'USDC EURC', 8: 'CBBTC', 18: 'DAI WETH AERO' },
  AVAXC: { 6: 'USDT USDC', 18: 'JOE' },
  TRX: { 6: 'USDT USDC WIN', 18: 'TUSD USDD BTT JST SUN' },
  SOL: { 5: 'BONK', 6: 'USDT USDC PYUSD EURC WIF JUP RAY PYTH ORCA', 9: 'JTO MSOL' },
  TON: { 6: 'USDT', 9: 'NOT' },
  XLM: { 7: 'USDC' },
  EOS: { 4: 'USDT' },
  ALGO: { 6: 'USDT USDC' },
  HBAR: { 6: 'USDC' },
  NEAR: { 6: 'USDT USDC' },
  XTZ: { 6: 'USDT' },
  SUI: { 6: 'USDC' },
  APT: { 6: 'USDT USDC' },
};

/**
 * Decimals of a coin on a network; takes codes in any case and network aliases (ERC20 is ETH). Undefined if swapctl
 * is not certain, and then nothing must be checked. One coin can differ by network: USDT has 6 on ETH, 18 on BSC.
 */
export function assetDecimals(coin: string, network: string): number | undefined {
  const code = coin.toUpperCase();
  const chain = findNetwork(network)?.code ?? '';
  const tokens = Object.hasOwn(TOKENS, chain) ? TOKENS[chain] : undefined;
  return placesOf(chain === code ? code : `${chain}:${code}`, NATIVE) ?? placesOf(code, tokens ?? {});
}

function placesOf(word: string, table: Readonly<Record<number, string>>): number | undefined {
  const places = Object.entries(table).find(([, words]) => words.split(/\s+/).includes(word))?.[0];
  return places === undefined ? undefined : Number.parseInt(places, 10);
}

/** The excess of an amount with more decimals than its coin has on the network; undefined if it fits or is unknown. */
export function tooManyDecimals(amount: Decimal, coin: string, network: string): TooManyDecimals | undefined {
  const places = assetDecimals(coin, network);
  if (places === undefined || significantPlaces(amount) <= places) return undefined;
  return { places, fits: shortenBound(amount, places, 'down') };
}
