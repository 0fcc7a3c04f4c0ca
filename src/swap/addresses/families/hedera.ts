import { type ParsedAddress, type ParseFailure, parsedAddress, parseFailure } from '../parsed-address.ts';

const LEDGERS = [
  { id: [0], testnet: false },
  { id: [1], testnet: true },
  { id: [2], testnet: true },
] as const;
const INT64_MAX = 2n ** 63n - 1n;
const P3 = 26 ** 3;
const P5 = 26 ** 5;

const NO_CHECKSUM = 'The account id is given without its checksum: compare every digit with the source.';
const RESERVED = 'Account numbers up to 999 belong to the network itself: what is sent to them is lost.';
const FIRST_ACCOUNT = 1000n;
const OTHER_SHARD = 'Hedera has only shard 0 and realm 0 today: this account cannot exist there yet.';

/** Parses an account id `shard.realm.number`, with or without the checksum of HIP-15. */
export function parseHedera(address: string): ParsedAddress | ParseFailure {
  const parts = /^(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})(?:-([a-z]{5}))?$/.exec(address);
  if (parts === null)
    return parseFailure('An account id is three numbers, such as 0.0.12345, and five letters at most.');
  const [, shard = '', realm = '', number = '', checksum] = parts;
  if ([shard, realm, number].some((part) => BigInt(part) > INT64_MAX)) {
    return parseFailure('A number in the account id is too large.');
  }
  const plain = `${shard}.${realm}.${number}`;
  if (plain === '0.0.0') return parseFailure('Account 0.0.0 stands for no account.');
  const isOtherShard = shard !== '0' || realm !== '0';
  const more = isOtherShard
    ? { warnings: [OTHER_SHARD] }
    : BigInt(number) < FIRST_ACCOUNT
      ? { unspendable: true as const, warnings: [RESERVED] }
      : { warnings: [] };
  if (checksum !== undefined) return parseChecksummed(address, plain, checksum, more);
  if (isOtherShard) return parseFailure('Hedera has only shard 0 and realm 0.');
  return parsedAddress('account-id', plain, {
    ...more,
    checksummed: false,
    warnings: [...more.warnings, NO_CHECKSUM],
  });
}

function parseChecksummed(
  address: string,
  plain: string,
  checksum: string,
  more: Pick<ParsedAddress, 'warnings' | 'unspendable'>,
): ParsedAddress | ParseFailure {
  const ledger = LEDGERS.find(({ id }) => hip15Checksum(id, plain) === checksum);
  if (ledger === undefined) return parseFailure('The five letters are not the checksum of this account id.');
  return parsedAddress('account-id', address, { ...more, testnet: ledger.testnet });
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
