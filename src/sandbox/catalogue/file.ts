import { UsageError } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../partner-api/json.ts';
import { isJsonNumber, isJsonObject, parseJson } from '../../partner-api/json.ts';
import type { Decimal } from '../../swap/amount.ts';
import { isZero, plainDecimal, significantPlaces } from '../../swap/amount.ts';
import type { SandboxAsset, SandboxCoin } from './coin.ts';

const CODE = /^[!-9;-~]{1,32}$/;
const MAX_DECIMALS = 36;
const MAX_CONFIRMATIONS = 10_000;
const MAX_DIGITS = 60;
const COIN_KEYS = ['code', 'name', 'image', 'usd', 'assets'];
const ASSET_KEYS = [
  'network',
  'decimals',
  'deposit',
  'receive',
  'memoNeeded',
  'confirmations',
  'depositFee',
  'payoutFee',
];

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
export function readCatalogueFile(text: string, source: string): readonly SandboxCoin[] {
  try {
    return readFile(text);
  } catch (error) {
    if (error instanceof Wrong) throw new UsageError(`${source}: ${error.message}.`);
    throw error;
  }
}

/** What is wrong with a file, and where. */
class Wrong extends Error {
  override readonly name = 'Wrong';
}

function readFile(text: string): readonly SandboxCoin[] {
  const root = parsed(text);
  if (!isJsonObject(root)) throw wrong('The file', 'must be an object with a list "coins"');
  refuseOtherKeys(root, 'The file', ['coins']);
  const coins = nonEmptyList(root, 'coins', '').map((item, index) => readCoin(item, `coins[${index}]`));
  refuseDuplicates(
    coins,
    (coin) => coin.code,
    (index) => `coins[${index}].code`,
  );
  return coins;
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong('The file', `is not JSON: ${error.message}`);
    throw error;
  }
}

function readCoin(value: JsonValue, path: string): SandboxCoin {
  if (!isJsonObject(value)) throw wrong(path, 'must be an object');
  refuseOtherKeys(value, path, COIN_KEYS);
  const code = codeAt(value, 'code', path);
  const usd = decimalAt(value, 'usd', path);
  if (isZero(usd)) throw wrong(`${path}.usd`, 'must be greater than zero');
  const assets = nonEmptyList(value, 'assets', `${path}.`).map((item, index) =>
    readAsset(item, `${path}.assets[${index}]`, code),
  );
  refuseDuplicates(
    assets,
    (asset) => asset.network,
    (index) => `${path}.assets[${index}].network`,
  );
  const image =
    value['image'] === undefined ? `/coins/${code.toLowerCase()}.svg` : textAt(value, 'image', path);
  return { code, name: textAt(value, 'name', path), image, usd, assets };
}

function readAsset(value: JsonValue, path: string, coin: string): SandboxAsset {
  if (!isJsonObject(value)) throw wrong(path, 'must be an object');
  refuseOtherKeys(value, path, ASSET_KEYS);
  const decimals = integerAt(value, 'decimals', path, 0, MAX_DECIMALS);
  return {
    coin,
    network: codeAt(value, 'network', path),
    decimals,
    deposit: booleanAt(value, 'deposit', path, true),
    receive: booleanAt(value, 'receive', path, true),
    memoNeeded: booleanAt(value, 'memoNeeded', path, false),
    confirmations: integerAt(value, 'confirmations', path, 1, MAX_CONFIRMATIONS, 1),
    depositFee: feeAt(value, 'depositFee', path, decimals),
    payoutFee: feeAt(value, 'payoutFee', path, decimals),
  };
}

function codeAt(object: JsonObject, key: string, path: string): string {
  const value = object[key];
  if (typeof value === 'string' && CODE.test(value)) return value;
  throw wrong(`${path}.${key}`, 'must be 1 to 32 printable ASCII characters without spaces and colons');
}

function textAt(object: JsonObject, key: string, path: string): string {
  const value = object[key];
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(`${path}.${key}`, 'must be a text');
}

function booleanAt(object: JsonObject, key: string, path: string, missing: boolean): boolean {
  const value = object[key] ?? missing;
  if (typeof value === 'boolean') return value;
  throw wrong(`${path}.${key}`, 'must be true or false');
}

function integerAt(
  object: JsonObject,
  key: string,
  path: string,
  min: number,
  max: number,
  missing?: number,
) {
  const value = object[key];
  if (value === undefined && missing !== undefined) return missing;
  const number = isJsonNumber(value) && /^[0-9]+$/.test(value.value) ? Number(value.value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw wrong(`${path}.${key}`, `must be a whole number from ${min} to ${max}`);
}

function decimalAt(object: JsonObject, key: string, path: string): Decimal {
  const value = object[key];
  const digits = isJsonNumber(value) ? value.value : value;
  const decimal = typeof digits === 'string' ? plainDecimal(digits) : undefined;
  if (decimal !== undefined && !decimal.startsWith('-') && decimal.length <= MAX_DIGITS) return decimal;
  throw wrong(`${path}.${key}`, `must be a decimal of at most ${MAX_DIGITS} characters, not below zero`);
}

function feeAt(object: JsonObject, key: string, path: string, decimals: number): Decimal {
  if (object[key] === undefined) return '0';
  const fee = decimalAt(object, key, path);
  if (significantPlaces(fee) <= decimals) return fee;
  throw wrong(`${path}.${key}`, `must have at most ${decimals} decimals, as the coin has on this network`);
}

function nonEmptyList(object: JsonObject, key: string, prefix: string): JsonValue[] {
  const value = object[key];
  if (Array.isArray(value) && value.length > 0) return value;
  throw wrong(`${prefix}${key}`, 'must be a list with at least one entry');
}

function refuseOtherKeys(object: JsonObject, path: string, known: readonly string[]): void {
  // A misspelt key would silently leave its default unchanged, and the key may be a memo flag.
  const other = Object.keys(object).find((key) => !known.includes(key));
  if (other !== undefined) throw wrong(path, `has the unknown key "${other}"; known are ${known.join(', ')}`);
}

function refuseDuplicates<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  pathOf: (index: number) => string,
) {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (seen.has(keyOf(item))) throw wrong(pathOf(index), `must be unique; "${keyOf(item)}" came before`);
    seen.add(keyOf(item));
  }
}

function wrong(path: string, what: string): Wrong {
  return new Wrong(`${path} ${what}`);
}
