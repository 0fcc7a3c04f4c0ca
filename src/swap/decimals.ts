import type { Decimal } from './amount.ts';
import { shortenBound, significantPlaces } from './amount.ts';
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
const NATIVE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  BTC: { BTC: 8 },
  LTC: { LTC: 8 },
  DOGE: { DOGE: 8 },
  DASH: { DASH: 8 },
  BCH: { BCH: 8 },
  ZEC: { ZEC: 8 },
  ETH: { ETH: 18 },
  BSC: { BNB: 18 },
  MATIC: { POL: 18, MATIC: 18 },
  ARBITRUM: { ETH: 18 },
  OPTIMISM: { ETH: 18 },
  BASE: { ETH: 18 },
  AVAXC: { AVAX: 18 },
  ETC: { ETC: 18 },
  TRX: { TRX: 6 },
  SOL: { SOL: 9 },
  XRP: { XRP: 6 },
  XLM: { XLM: 7 },
  TON: { TON: 9 },
  ADA: { ADA: 6 },
  DOT: { DOT: 10 },
  KSM: { KSM: 12 },
  ATOM: { ATOM: 6 },
  OSMO: { OSMO: 6 },
  TIA: { TIA: 6 },
  SEI: { SEI: 6 },
  INJ: { INJ: 18 },
  JUNO: { JUNO: 6 },
  SCRT: { SCRT: 6 },
  AKT: { AKT: 6 },
  AXL: { AXL: 6 },
  RUNE: { RUNE: 8 },
  XMR: { XMR: 12 },
  EOS: { EOS: 4 },
  HBAR: { HBAR: 8 },
  ALGO: { ALGO: 6 },
  FIL: { FIL: 18 },
  XNO: { XNO: 30 },
  NEAR: { NEAR: 24 },
  XTZ: { XTZ: 6 },
  SUI: { SUI: 9 },
  APT: { APT: 8 },
  KAS: { KAS: 8 },
  EGLD: { EGLD: 18 },
  ZIL: { ZIL: 12 },
  ALPH: { ALPH: 18 },
  AR: { AR: 12 },
  CFX: { CFX: 18 },
  CKB: { CKB: 8 },
  ERG: { ERG: 9 },
  FIO: { FIO: 9 },
  FLOW: { FLOW: 8 },
  HIVE: { HIVE: 3, HBD: 3 },
  ICX: { ICX: 18 },
  KDA: { KDA: 12 },
  MINA: { MINA: 9 },
  NEO: { NEO: 0, GAS: 8 },
  NIM: { NIM: 5 },
  SC: { SC: 24 },
  STEEM: { STEEM: 3, SBD: 3 },
  STX: { STX: 6 },
  WAVES: { WAVES: 8 },
  XCH: { XCH: 12 },
  XEM: { XEM: 6 },
  XYM: { XYM: 6 },
  ABSTRACT: { ETH: 18 },
  APE: { APE: 18 },
  ASTR: { ASTR: 18 },
  AVAXP: { AVAX: 9 },
  AVAXX: { AVAX: 9 },
  BAND: { BAND: 6 },
  BOBA: { ETH: 18 },
  BTG: { BTG: 8 },
  CFXESPACE: { CFX: 18 },
  COREUM: { COREUM: 6 },
  CROPOS: { CRO: 8 },
  DCR: { DCR: 8 },
  DGB: { DGB: 8 },
  EVMOS: { EVMOS: 18 },
  FET: { FET: 18 },
  FIRO: { FIRO: 8 },
  FLUX: { FLUX: 8 },
  FUSE: { FUSE: 18 },
  GRS: { GRS: 8 },
  INK: { ETH: 18 },
  IOTX: { IOTX: 18 },
  KCC: { KCS: 18 },
  KMD: { KMD: 8 },
  KUJI: { KUJI: 6 },
  LISK: { ETH: 18 },
  MONA: { MONA: 8 },
  NMC: { NMC: 8 },
  NOVA: { ETH: 18 },
  ONE: { ONE: 18 },
  PIVX: { PIVX: 8 },
  PPC: { PPC: 6 },
  QTUM: { QTUM: 8 },
  RON: { RON: 18 },
  ROSE: { ROSE: 9 },
  RSK: { RBTC: 18 },
  RVN: { RVN: 8 },
  SGB: { SGB: 18 },
  SONEIUM: { ETH: 18 },
  STORY: { IP: 18 },
  STRK: { STRK: 18 },
  SYS: { SYS: 8 },
  TAO: { TAO: 9 },
  THETA: { THETA: 18, TFUEL: 18 },
  VET: { VET: 18 },
  VTC: { VTC: 8 },
  XDC: { XDC: 18 },
  XPLA: { XPLA: 18 },
  XVG: { XVG: 6 },
  ZCL: { ZCL: 8 },
  ZEN: { ZEN: 8 },
  ZETA: { ZETA: 18 },
  ZKEVM: { ETH: 18 },
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
 * Decimals of a coin on a network; takes codes in any case and network aliases (ERC20 is ETH). Undefined where swapctl
 * is not certain, and then nothing must be checked. One coin can differ by network: USDT has 6 on ETH, 18 on BSC.
 */
export function assetDecimals(coin: string, network: string): number | undefined {
  const code = coin.toUpperCase();
  const chain = findNetwork(network)?.code ?? '';
  const native = Object.hasOwn(NATIVE, chain) ? NATIVE[chain] : undefined;
  if (native !== undefined && Object.hasOwn(native, code)) return native[code];
  const tokens = Object.hasOwn(TOKENS, chain) ? Object.entries(TOKENS[chain] ?? {}) : [];
  const places = tokens.find(([, codes]) => codes.split(/\s+/).includes(code))?.[0];
  return places === undefined ? undefined : Number(places);
}

/**
 * The excess of an amount with more decimals than its coin has on the network; undefined if it fits or the decimals are
 * unknown.
 */
export function tooManyDecimals(amount: Decimal, coin: string, network: string): TooManyDecimals | undefined {
  const places = assetDecimals(coin, network);
  if (places === undefined || significantPlaces(amount) <= places) return undefined;
  return { places, fits: shortenBound(amount, places, 'down') };
}
