import { decodeBech32 } from '../codecs/bech32.ts';
import { accepted, type ParseResult, REFUSED, refused, UNSPENDABLE, unchecked } from '../parsed-address.ts';

const NO_CHECKSUM = 'Account names have no checksum: compare every character with the source.';

/** Parses a name of EOS and its relatives: up to 12 of `a-z1-5.`, a 13th of `a-j1-5`, no dot at an end. */
export function parseEos(address: string): ParseResult {
  if (/^(EOS|PUB_)/.test(address)) return refused('This is a public key: a payment needs the account name.');
  if (!/^[a-z1-5.]{1,12}[a-j1-5]?$/.test(address))
    return refused('An account name has at most 12 letters a-z, digits 1-5 and dots.');
  if (address.startsWith('.') || address.endsWith('.'))
    return refused('An account name neither begins nor ends with a dot.');
  const isSystem = address === 'eosio' || address.startsWith('eosio.');
  if (isSystem) return accepted('account-name', address, { checksummed: false, ...UNSPENDABLE });
  return unchecked('account-name', address, NO_CHECKSUM);
}

// Accounts of the chains themselves: what `null` holds is burnt, `temp` anyone can spend, the last two are treasuries.
const GRAPHENE_SYSTEM: ReadonlySet<string> = new Set(['null', 'temp', 'miners', 'steem.dao', 'hive.fund']);

const NAME_PART = /^[a-z][a-z\d-]*[a-z\d]$/;

/**
 * Parses an account name of Hive or Steem: 3 to 16 characters in parts of three or more, parted by dots.
 * Source: is_valid_account_name in https://github.com/steemit/steem/blob/master/libraries/protocol/include/steem/protocol/base.hpp
 */
export function parseGraphene(address: string): ParseResult {
  if (/^(STM|TST)[1-9A-HJ-NP-Za-km-z]{20,}$/.test(address))
    return refused('This is a public key: a payment needs the account name.');
  if (address.length < 3 || address.length > 16) return refused('An account name has 3 to 16 characters.');
  if (!address.split('.').every((part) => part.length >= 3 && NAME_PART.test(part)))
    return refused(
      'An account name is lower-case letters, digits and hyphens; each part of it between dots has three or more, begins with a letter and does not end with a hyphen.',
    );
  if (GRAPHENE_SYSTEM.has(address)) return REFUSED.system;
  return unchecked('account-name', address, NO_CHECKSUM);
}

const NEAR_NO_CHECKSUM = 'NEAR accounts have no checksum: compare every character with the source.';
const NEAR_IMPLICIT =
  'A private key or a hash looks the same as these 64 digits: make sure that this is the account.';
const NEAR_ETHEREUM = 'This is also an address of Ethereum: make sure that the wallet is for NEAR.';
const NEAR_IMPLICIT_LENGTH = 64;
const NEAR_TOP_LEVEL = 'The name has no ending such as .near: very few accounts have such a name.';

/** Parses a NEAR account id: a name (2 to 64 characters), 64 hexadecimal digits, or `0x` and 40 (NEP-518). */
export function parseNear(address: string): ParseResult {
  const named = address.split('.').every((part) => /^[a-z\d]+(?:[-_][a-z\d]+)*$/.test(part));
  if (!named || address.length < 2 || address.length > 64)
    return refused(
      'An account is 2 to 64 lower-case letters, digits, and single dots, hyphens or underscores between.',
    );
  if (address === 'system' || /^(0x)?0+$/.test(address)) return REFUSED.system;
  if (/^[\da-f]{8,}$/.test(address) && address.length !== NEAR_IMPLICIT_LENGTH)
    return refused('An account of hexadecimal digits alone has exactly 64 of them.');
  if (/^0\.0\.\d+$/.test(address) || decodeBech32(address) !== undefined)
    return refused('This is an address of another network.');
  const [kind, ...warnings] = nearKind(address);
  const testnet = address === 'testnet' || address.endsWith('.testnet');
  return { ...unchecked(kind, address, NEAR_NO_CHECKSUM, ...warnings), testnet };
}

function nearKind(address: string): readonly [kind: string, ...warnings: string[]] {
  if (/^[0-9a-f]{64}$/.test(address)) return ['implicit', NEAR_IMPLICIT];
  if (/^0x[0-9a-f]{40}$/.test(address)) return ['ethereum-implicit', NEAR_ETHEREUM];
  return address.includes('.') ? ['named'] : ['top-level', NEAR_TOP_LEVEL];
}

const INT64_MAX = 2n ** 63n - 1n;
const P3 = 26 ** 3;
const P5 = 26 ** 5;

const HEDERA_NO_CHECKSUM =
  'The account id is given without its checksum: compare every digit with the source.';
const HEDERA_RESERVED =
  'Account numbers up to 999 belong to the network itself: what is sent to them is lost.';
const HEDERA_FIRST_ACCOUNT = 1000n;
const HEDERA_OTHER_SHARD = 'Hedera has only shard 0 and realm 0 today: this account cannot exist there yet.';

/** Parses an account id `shard.realm.number`, with or without the checksum of HIP-15. */
export function parseHedera(address: string): ParseResult {
  const parts = /^(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})(?:-([a-z]{5}))?$/.exec(address);
  if (parts === null)
    return refused(
      'An account id is three numbers, such as 0.0.12345, and an optional checksum of five letters.',
    );
  const [, shard = '', realm = '', number = '', checksum] = parts;
  if ([shard, realm, number].some((part) => BigInt(part) > INT64_MAX))
    return refused('A number in the account id is too large.');
  const plain = `${shard}.${realm}.${number}`;
  if (plain === '0.0.0') return refused('Account 0.0.0 does not exist.');
  const isOtherShard = shard !== '0' || realm !== '0';
  const isReserved = !isOtherShard && BigInt(number) < HEDERA_FIRST_ACCOUNT;
  const unspendable = isReserved ? { unspendable: true as const } : {};
  const warnings = isOtherShard ? [HEDERA_OTHER_SHARD] : isReserved ? [HEDERA_RESERVED] : [];
  if (checksum === undefined) {
    if (isOtherShard) return refused('Hedera has only shard 0 and realm 0.');
    return { ...unchecked('account-id', plain, ...warnings, HEDERA_NO_CHECKSUM), ...unspendable };
  }
  // The main network, then the test networks.
  const ledger = [0, 1, 2].find((id) => hip15Checksum([id], plain) === checksum);
  if (ledger === undefined) return refused('The five letters are not the checksum of this account id.');
  return accepted('account-id', address, { testnet: ledger !== 0, warnings, ...unspendable });
}

/** Computes the five letters of HIP-15 for `shard.realm.number` on the ledger with these id bytes. */
export function hip15Checksum(ledgerId: readonly number[], plain: string): string {
  const digits = [...plain].map((letter) => (letter === '.' ? 10 : letter.charCodeAt(0) - 48));
  const every = (parity: number): number =>
    digits.filter((_, i) => i % 2 === parity).reduce((sum, digit) => sum + digit, 0) % 11;
  const sum = (numbers: readonly number[], modulus: number): number =>
    numbers.reduce((total, next) => (total * 31 + next) % modulus, 0);
  const ledger = sum([...ledgerId, 0, 0, 0, 0, 0, 0], P5);
  const mixed = (((digits.length % 5) * 11 + every(0)) * 11 + every(1)) * P3 + sum(digits, P3) + ledger;
  let rest = ((mixed % P5) * 1_000_003) % P5;
  let letters = '';
  for (let i = 0; i < 5; i++) {
    letters = String.fromCharCode(97 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26);
  }
  return letters;
}
