import { type Decimal, isZero, significantPlaces } from '../../core/swap/amount.ts';
import {
  list,
  members,
  type ReadValue,
  readBoolean,
  readCode,
  readDecimal,
  text,
  whole,
  wrong,
} from '../json-file.ts';

export interface SandboxAsset {
  readonly coin: string;
  readonly network: string;
  /** Decimals of the smallest unit on this network. */
  readonly decimals: number;
  /** Whether it can be sent to the service. */
  readonly deposit: boolean;
  /** Whether the service can pay it out. */
  readonly receive: boolean;
  readonly memoNeeded: boolean;
  /** Confirmations until a deposit counts. */
  readonly confirmations: number;
  /** Shown in the order but never charged; in units of the coin. */
  readonly depositFee: Decimal;
  /** Subtracted from the payout; in units of the coin. */
  readonly payoutFee: Decimal;
}

/** A coin with its networks; the first one is the default. */
export interface SandboxCoin {
  readonly code: string;
  readonly name: string;
  readonly image: string;
  /** Anchor price in US dollars; the sandbox's price moves around it. */
  readonly usd: Decimal;
  readonly assets: readonly SandboxAsset[];
}

// A misspelt key would silently leave its default unchanged, and the key may be a memo flag: unknown keys are refused.
const readAssetEntry = members(
  {
    network: readCode,
    decimals: whole(0, 36),
    deposit: readBoolean,
    receive: readBoolean,
    memoNeeded: readBoolean,
    confirmations: whole(1, 10_000),
    depositFee: readDecimal,
    payoutFee: readDecimal,
  },
  'key',
  ['network', 'decimals'],
);

const readAsset: typeof readAssetEntry = (value, path) => {
  const asset = readAssetEntry(value, path);
  const { decimals } = asset;
  for (const fee of ['depositFee', 'payoutFee'] as const)
    if (significantPlaces(asset[fee] ?? '0') > decimals)
      throw wrong(
        `${path}.${fee}`,
        `must have at most ${decimals} decimals, as the coin has on this network`,
      );
  return asset;
};

const readPrice: ReadValue<Decimal> = (value, path) => {
  const price = readDecimal(value, path);
  if (isZero(price)) throw wrong(path, 'must be greater than zero');
  return price;
};

const readCoinEntry = members(
  {
    code: readCode,
    name: text(Number.POSITIVE_INFINITY),
    image: text(Number.POSITIVE_INFINITY),
    usd: readPrice,
    assets: list(readAsset, 1),
  },
  'key',
  ['code', 'name', 'usd', 'assets'],
);

const readCoin: ReadValue<SandboxCoin> = (value, path) => {
  const entry = readCoinEntry(value, path);
  const { code, image = `/coins/${code.toLowerCase()}.svg` } = entry;
  refuseDuplicates(entry.assets, 'network', `${path}.assets`);
  const assets = entry.assets.map((asset) => ({ ...ASSET_DEFAULTS, ...asset, coin: code }));
  return { ...entry, image, assets };
};

const ASSET_DEFAULTS = {
  deposit: true,
  receive: true,
  memoNeeded: false,
  confirmations: 1,
  depositFee: '0',
  payoutFee: '0',
} as const;

/** The coins of a catalogue, each once. */
export const readCoins: ReadValue<readonly SandboxCoin[]> = (value, path) => {
  const coins = list(readCoin, 1)(value, path);
  refuseDuplicates(coins, 'code', path);
  return coins;
};

/**
 * Reads the coins of a `--catalog` file:
 *
 *     { "coins": [ { "code": "USDT", "name": "Tether USD", "image": "/coins/usdt.svg", "usd": "1",
 *         "assets": [ { "network": "TRX", "decimals": 6, "deposit": true, "receive": true,
 *                       "memoNeeded": false, "confirmations": 19, "depositFee": "0", "payoutFee": "1.8" } ] } ] }
 *
 * Needed are code, name, usd, assets, network and decimals; the rest has the defaults of the example, with one
 * confirmation and no fees. Prices and fees are decimals, as text or as numbers. Throws UsageError naming the
 * path of the first thing that is wrong, such as `coins[3].assets[0].decimals`.
 */
export const readCatalogueFile = members({ coins: readCoins }, 'key', ['coins']);

function refuseDuplicates<Key extends string>(all: readonly Record<Key, string>[], key: Key, path: string) {
  const seen = new Set<string>();
  for (const [index, { [key]: name }] of all.entries()) {
    if (seen.has(name)) throw wrong(`${path}[${index}].${key}`, `must be unique; "${name}" came before`);
    seen.add(name);
  }
}
