import { base58 as base58Plain } from '@scure/base';
import { bech32, bech32m } from 'bech32';
import bs58check from 'bs58check';
import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../../src/core/swap/addresses/check.ts';
import {
  encodeBase58Check,
  encodeBase58CheckXrp,
} from '../../../../src/core/swap/addresses/codecs/base58.ts';
import { encodeCashaddr } from '../../../../src/core/swap/addresses/codecs/cashaddr.ts';
import { groestl512 } from '../../../../src/core/swap/addresses/codecs/groestl.ts';
import { checkDestination } from '../../../../src/core/swap/addresses/destination.ts';
import { encodeStacks } from '../../../../src/core/swap/addresses/families/base32-accounts.ts';
import {
  encodeFio,
  encodeSs58,
  encodeWaves,
} from '../../../../src/core/swap/addresses/families/base58-accounts.ts';
import { CONFLUX_ALPHABET } from '../../../../src/core/swap/addresses/families/cashaddr-accounts.ts';

const HASH = Buffer.alloc(20, 0x5a);
const base58 = (...version: number[]): string => bs58check.encode(Buffer.from([...version, ...HASH]));
const HEX_40 = '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const EIP_55 = '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TERRA = bech32.encode('terra', bech32.toWords(HASH));
const cashaddr = (version: number, content: number | number[], prefix = 'bitcoincash'): string => {
  const bytes = typeof content === 'number' ? Buffer.alloc(content, 7) : content;
  return `${prefix}:${encodeCashaddr(prefix, Uint8Array.from([version, ...bytes]))}`;
};
/** An Alephium address of several keys: how many there are, and how many must sign. */
const alephium = (keys: number, needed: number): string =>
  base58Plain.encode(Uint8Array.from([1, keys, ...Buffer.alloc(32 * keys, 7), needed]));
const groestlcoin = (version: number): string =>
  encodeBase58Check(Uint8Array.from([version, ...HASH]), (body) => groestl512(groestl512(body)));
const conflux = (version: number): string =>
  `cfx:${encodeCashaddr('cfx', Uint8Array.from([version, 0x10, ...HASH.subarray(1)]), CONFLUX_ALPHABET)}`;
/** An X-address: whether it has a tag, the tag, and the byte behind it. */
const xAddress = (flag: number, tag: number, behind = 0, account: Uint8Array = HASH): string =>
  encodeBase58CheckXrp(Uint8Array.from([0x05, 0x44, ...account, flag, tag, 0, 0, 0, behind, 0, 0, 0]));
/** A pointer address of Cardano's test network with these bytes behind the hash of the key. */
const pointer = (...tail: number[]): string => pointerOf(0x40, ...tail);
const pointerOf = (head: number, ...tail: number[]): string =>
  bech32.encode('addr_test', bech32.toWords(Buffer.from([head, ...Buffer.alloc(28, 7), ...tail])), 200);
/** A lock of Nervos: its format, a hash, and perhaps the type of that. */
const nervos = (encoding: 'bech32' | 'bech32m', format: number[], ...type: number[]): string => {
  const { encode, toWords } = encoding === 'bech32' ? bech32 : bech32m;
  return encode('ckb', toWords(Buffer.from([...format, ...Buffer.alloc(32, 7), ...type])), 200);
};
/** A witness of version 1, 32 bytes. */
const taproot = (prefix: string): string =>
  bech32m.encode(prefix, [1, ...bech32m.toWords(Buffer.alloc(32, 7))]);
/** A private address of Litecoin: a version and two keys, which begin with these bytes. */
const mweb = (version: number, first: number, second: number, { encode } = bech32): string => {
  const keys = Buffer.concat([first, second].map((byte) => Buffer.from([byte, ...Buffer.alloc(32, 7)])));
  return encode('ltcmweb', [version, ...bech32.toWords(keys)], 200);
};
/** A number of ten bytes in a pointer address. */
const LONGEST = [0x81, ...Buffer.alloc(8, 0x80), 0x01];
const POINTER = 'shelley-pointer; of a test network';
const LOWER_CASE = 'account; The address is all lower case';
const COMPARE = 'compare every character with the source';
const RAW = '2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422e3';
const RAW_FORM =
  'The raw form has no checksum, and wallets do not accept it: ask for the form that begins with UQ or EQ.';
const SCRIPT_32 = 'This is a 32-byte script address, which older wallets and services cannot pay.';
const FIELD_END = 2n ** 251n - 256n;

/** The answer in short: whether it may be paid, with its kind, or that it must not be. */
async function answer(network: string, address: string): Promise<string> {
  const verdict = await checkDestination(network, address, null, { memoWaived: true });
  if (!verdict.ok) return `refused: ${verdict.reason}`;
  const { kind, testnet, warnings } = verdict.address;
  return [kind, ...(testnet ? ['of a test network'] : []), ...warnings].join('; ');
}

describe('a valid address', () => {
  test.each([
    ['BSV', base58(0x00), 'p2pkh; Another chain'],
    ['NEAR', 'decade', 'top-level'],
    ['APT', `0x${'0'.repeat(60)}dee9`, 'account'],
    ['NEAR', 'ab'.repeat(32), 'implicit'],
    ['HBAR', '0.0.1000', 'account-id'],
    ['HBAR', '12.345.6789-aoyyt', 'account-id; '],
    ['HBAR', '0.0.9223372036854775807', 'account-id'],
    ['HIVE', 'abc', 'account-name'],
    ['HIVE', 'abcdefghijklmnop', 'account-name'],
    ['ALPH', '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH', 'p2pkh'],
    ['LUNA', TERRA, 'account; Terra and Terra Classic'],
    ['LUNC', TERRA, 'account; Terra and Terra Classic'],
    ['ADA', 'addr_test1gz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspqgpsqe70et', POINTER],
    ['ADA', 'addr_test12rphkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtupnz75xxcryqrvmw', POINTER],
    // The vectors of EIP-1191.
    ['RSK', '0x27b1FdB04752BBc536007A920D24ACB045561c26', 'account'],
    ['RSK', '0x27B1FdB04752BbC536007a920D24acB045561C26', 'account; of a test network'],
    ['RSK', `0x${EIP_55}`, 'account; The capitalization matches the checksum of Ethereum'],
    ['RSK', `0x${HEX_40}`, LOWER_CASE],
    ['RON', `ronin:${EIP_55}`, 'account'],
    ['RON', `0x${EIP_55}`, 'account'],
    ['XDC', `xdc${EIP_55}`, 'account'],
    ['XDC', `xdc${HEX_40}`, LOWER_CASE],
    ['IOTX', `0x${EIP_55}`, 'account'],
    ['STRK', `0x${(FIELD_END - 1n).toString(16)}`, LOWER_CASE],
    ['STRK', '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d', LOWER_CASE],
    ['STRK', `0x${HEX_40}`, `${LOWER_CASE}, so it has no checksum: ${COMPARE}.; The address is far shorter`],
    ['AVAXX', bech32.encode('avax', bech32.toWords(HASH)), 'account; The address does not name its chain'],
    ['AVAXX', `X-${bech32.encode('fuji', bech32.toWords(HASH))}`, 'account; of a test network'],
    ['FIRO', base58(0x01, 0xb9, 0xbb), 'exchange'],
    ['FIRO', bech32m.encode('sm', bech32m.toWords(Buffer.alloc(84, 7)), 200), 'spark; This is a private'],
    ['PIVX', base58(0x01, 0xb9, 0xa2), 'exchange'],
    ['PIVX', bech32.encode('ps', bech32.toWords(Buffer.alloc(43, 7))), 'sapling; This is a shielded'],
    ['ZEN', base58(0x1c, 0xb8), 'p2pkh; Another chain'],
    ['KMD', base58(0x3c), 'p2pkh; Another chain'],
    ['MONA', base58(0x05), 'p2sh; Another chain'],
    ['BTG', taproot('btg'), 'future-witness; This witness version'],
    ['VTC', taproot('vtc'), 'future-witness; This witness version'],
    ['PPC', taproot('pc'), 'future-witness; This witness version'],
    ['MONA', taproot('mona'), 'future-witness; This witness version'],
    ['GRS', taproot('grs'), 'p2tr'],
    // litecoin-project/litecoin, src/wallet/test/scriptpubkeyman_tests.cpp.
    [
      'LTC',
      'ltcmweb1qqg5hddkl4uhspjwg9tkmatxa4s6gswdaq9swl8vsg5xxznmye7phcqatzc62mzkg788tsrfcuegxe9q3agf5cplw7ztqdusqf7x3n2tl55x4gvyt',
      'mweb; This is a private (MWEB) address',
    ],
    ['LTC', mweb(0, 2, 3), 'mweb; This is a private (MWEB) address'],
    ['DCR', 'TsmWaPM77WSyA3aiQ2Q1KnwGDVWvEkhipBc', 'p2pkh; of a test network'],
    ['XRP', xAddress(1, 7), 'x-address'],
    ['XRP', encodeBase58CheckXrp(Uint8Array.from([0, 1, ...Buffer.alloc(19)])), 'classic'],
    ['KAS', cashaddr(0, [1, ...Buffer.alloc(31)], 'kaspa'), 'schnorr'],
    ['XTZ', base58(0x06, 0xa1, 0x9f), 'tz1'],
    ['XTZ', base58(0x06, 0xa1, 0xa1), 'tz2'],
    ['XTZ', base58(0x06, 0xa1, 0xa4), 'tz3'],
    ['XTZ', base58(0x06, 0xa1, 0xa6), 'tz4'],
    ['XTZ', base58(0x02, 0x5a, 0x79), 'KT1'],
    ['ALPH', alephium(2, 1), 'p2mpkh'],
    ['ALPH', alephium(2, 2), 'p2mpkh'],
    ['ONE', bech32.encode('one', bech32.toWords(HASH)), 'account'],
    ['IOTX', bech32.encode('io', bech32.toWords(HASH)), 'native'],
    ['WAVES', encodeWaves('S', HASH), 'account; of a test network'],
    ['GRS', groestlcoin(0x6f), 'p2pkh; of a test network'],
    ['GRS', groestlcoin(0xc4), 'p2sh; of a test network'],
    ['DOT', encodeSs58(0, new Uint8Array(32).fill(7)), 'account'],
    ['FIO', encodeFio(Uint8Array.from([2, ...Buffer.alloc(32, 7)])), 'public-key'],
    ['FIO', encodeFio(Uint8Array.from([3, ...Buffer.alloc(32, 7)])), 'public-key'],
    ['NEAR', 'ab', 'top-level'],
    ['ICX', `hx${HEX_40}`, 'account; ICON'],
    ['ICX', `cx${HEX_40}`, 'contract; ICON'],
    ['STRK', `0x${'1'.repeat(63)}`, LOWER_CASE],
    // CIP-19: a key or a script, staked with a key or a script, or not staked.
    [
      'ADA',
      'addr1yx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerkr0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shs2z78ve',
      'shelley-base',
    ],
    [
      'ADA',
      'addr1x8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gt7r0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shskhj42g',
      'shelley-base',
    ],
    ['ADA', 'addr1w8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcyjy7wx', 'shelley-enterprise'],
    ['ADA', pointer(1, 2, 3), POINTER],
    ['ADA', pointer(0x81, 0x80, 0x01, 2, 3), POINTER],
    ['ADA', pointer(...LONGEST, ...LONGEST, ...LONGEST), POINTER],
    ['CKB', nervos('bech32m', [0], 0), 'full'],
    ['CKB', nervos('bech32m', [0], 4), 'full'],
    ['CKB', nervos('bech32', [2]), 'full-deprecated; This older form'],
    ['CKB', nervos('bech32', [4]), 'full-deprecated; This older form'],
    ['ZEC', base58(0x1d, 0x25), 'p2pkh; of a test network'],
    ['ZEC', base58(0x1c, 0xba), 'p2sh; of a test network'],
    ['TON', `-1:${RAW}`, `raw; ${RAW_FORM}; This account is in the masterchain`],
    ['BCH', cashaddr(0x0b, 32), 'p2sh32; This is a 32-byte script address'],
    ['BCH', cashaddr(0x10, 20), 'token-p2pkh; This form means that the wallet supports CashTokens'],
    ['BCH', cashaddr(0x18, 20), 'token-p2sh; This form means'],
    ['BCH', cashaddr(0x1b, 32), `token-p2sh32; ${SCRIPT_32}; This form means`],
  ])('on %s, %s is accepted as %s', async (network, address, expected) => {
    expect((await answer(network, address)).slice(0, expected.length)).toBe(expected);
  });

  test('begins with EXX for a Firo exchange, and with EXM for a PIVX exchange', () => {
    expect([base58(0x01, 0xb9, 0xbb), base58(0x01, 0xb9, 0xa2)].map((each) => each.slice(0, 3)).join()).toBe(
      'EXX,EXM',
    );
  });
});

describe('an address that cannot be paid', () => {
  test.each([
    ['BSV', base58(0x05), 'of another network: Bitcoin'],
    ['NEAR', 'deadbeef', 'exactly 64'],
    ['IOTX', bech32.encode('io', bech32.toWords(Buffer.alloc(20))), 'burn or system address'],
    ['ADA', pointerOf(0x41, 1, 2, 3), 'wrong checksum or length'],
    ['SUI', `0x${'0'.repeat(60)}dee9`, 'burn or system address'],
    ['NEAR', 'ab'.repeat(31), 'exactly 64'],
    ['NEAR', '0.0.12345', 'of another network.'],
    ['HBAR', '12.0.6789', 'only shard 0'],
    ['HBAR', '0.345.6789', 'only shard 0'],
    ['HBAR', '0.0.9223372036854775808', 'too large'],
    ['HBAR', '0.0.999', 'belong to the network itself'],
    ['HBAR', '0.0.123-vfmkw', 'belong to the network itself'],
    ['ADA', 'addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k', 'Pointer addresses'],
    ['RSK', '0x27b1fdB04752BBc536007A920D24ACB045561c26', 'EIP-55'],
    ['RON', `ronin:${EIP_55.replace('A', 'a')}`, 'EIP-55'],
    ['RON', `ronin:0x${EIP_55}`, 'hexadecimal'],
    ['ETH', `xdc${EIP_55}`, 'of another network: XDC Network'],
    ['STRK', `0x${FIELD_END.toString(16)}`, 'too large'],
    ['STRK', `0x${'ab'.repeat(32)}`, 'a private key or a hash'],
    ['STRK', '0x0', 'burn or system address'],
    ['STRK', `0x${'0'.repeat(63)}1`, 'burn or system address'],
    ['STRK', '0x', '1 to 64'],
    ['STRK', `0x${'0'.repeat(65)}`, '1 to 64'],
    ['STRK', '0x4718F5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d', 'Starknet checksum'],
    ['STRK', '4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d', 'begin with 0x'],
    ['AVAXX', `P-${bech32.encode('avax', bech32.toWords(HASH))}`, 'of another network: Avalanche P-Chain'],
    ['AVAXC', `X-${bech32.encode('avax', bech32.toWords(HASH))}`, 'of another network: Avalanche X-Chain'],
    ['FIRO', bech32m.encode('sm', bech32m.toWords(Buffer.alloc(83, 7)), 200), 'wrong checksum'],
    ['LTC', mweb(1, 2, 3), 'wrong checksum'],
    ['LTC', mweb(0, 4, 3), 'wrong checksum'],
    ['LTC', mweb(0, 2, 4), 'wrong checksum'],
    ['LTC', mweb(0, 2, 3, bech32m), 'wrong checksum'],
    ['ALPH', base58Plain.encode(Buffer.alloc(33, 6)), 'wrong length'],
    ['ALPH', alephium(2, 0), 'wrong length'],
    ['ALPH', alephium(2, 3), 'wrong length'],
    ['WAVES', encodeWaves('X', HASH), 'not a Waves address'],
    ['ERG', '11111', 'wrong length'],
    ['XLM', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA', 'wrong checksum or length'],
    ['XRP', xAddress(0, 7), 'tag inside the X-address is malformed'],
    ['XRP', xAddress(2, 7), 'tag inside the X-address is malformed'],
    ['XRP', xAddress(1, 7, 1), 'tag inside the X-address is malformed'],
    ['XRP', xAddress(1, 7, 0, new Uint8Array(20)), 'burn or system address'],
    ['XTZ', 'tz1Ke2h7sDdakHJQh8WX4Z372du1KChsksyU', 'burn or system address'],
    ['MINA', 'B62qiburnzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzWAgb7s4', 'burn or system address'],
    ['MINA', bs58check.encode(Buffer.from([0xcb, 1, 2, ...Buffer.alloc(33)])), 'wrong checksum or length'],
    ['MINA', bs58check.encode(Buffer.from([0xcb, 1, 1, ...Buffer.alloc(32, 7), 2])), 'not a Mina address'],
    ['EOS', 'eosio', 'burn or system address'],
    ['EOS', 'eosio.token', 'burn or system address'],
    ['NEAR', '0'.repeat(64), 'burn or system address'],
    ['NEAR', `0x${'0'.repeat(40)}`, 'burn or system address'],
    ['NEAR', 'a', '2 to 64'],
    ['FIO', encodeFio(Uint8Array.from([4, ...Buffer.alloc(32, 7)])), 'wrong length'],
    ['STX', encodeStacks(5, HASH), 'not a Stacks address'],
    ['AVAXX', `X-${bech32.encode('avax', bech32.toWords(Buffer.alloc(32, 7)))}`, 'wrong checksum, length'],
    // The first letter of the checksum is a zero digit, which is left out.
    ['XNO', 'nano_3wjt7kg4jxq1c4rxxj9qod8ttdk5n6egnd119xdn7db745uzm6qw441t8um', 'wrong length'],
    ['XNO', 'nano_0wjt7kg4jxq1c4rxxj9qod8ttdk5n6egnd119xdn7db745uzm6qw1441t8um', 'wrong length or alphabet'],
    ['CFX', conflux(1), 'wrong checksum or length'],
    ['ADA', pointer(1, 2), 'wrong checksum or length'],
    ['ADA', pointer(1, 2, 3, 4), 'wrong checksum or length'],
    ['ADA', pointer(1, 2, 3, 0x81), 'wrong checksum or length'],
    ['ADA', pointer(0x80, 1, 2, 3), 'wrong checksum or length'],
    ['CKB', nervos('bech32m', [0], 3), 'not a lock'],
    ['CKB', nervos('bech32m', [2], 0), 'not a lock'],
    ['CKB', nervos('bech32', [1]), 'not a lock'],
    ['XCH', bech32m.encode('xcc', bech32m.toWords(Buffer.alloc(32, 7))), 'begin with xch1'],
    ['BCH', cashaddr(0x0b, 20), 'wrong checksum, length'],
    ['BCH', cashaddr(0x08, 32), 'wrong checksum, length'],
    ['BCH', cashaddr(0x20, 20), 'wrong checksum, length'],
    ['XEC', cashaddr(0x10, 20, 'ecash'), 'wrong checksum, length'],
    ['ROSE', bech32.encode('oasis', bech32.toWords(HASH)), 'wrong length'],
    ['ONE', bech32.encode('one', bech32.toWords(Buffer.alloc(32, 7))), 'wrong length'],
    ['DOT', '5CDLsKDtR8LpCPf4bff3uEmCN2zJjRfFsJXv9AYjSD1Q86gR', 'of another network: Bittensor'],
    ['TAO', '1exaAg2VJRQbyUBAeXcktChCAqjVP9TUxF3zo23R2T6EGdE', 'of another network: Polkadot'],
    ['GRS', base58(0x05), 'of another network: Bitcoin'],
    ['BTC', '3KzAWcTJ5LXce5SHEZwG4dLgksFEg1RAyk', 'of another network: Groestlcoin'],
  ])('on %s, %s is rejected: %s', async (network, address, words) => {
    expect(await answer(network, address)).toContain(words);
  });

  // The examples of HIP-15: the main, the test and the preview network.
  test.each([
    ['vfmkw', false],
    ['esxsf', true],
    ['ogizo', true],
  ])('of the Hedera network itself is marked unspendable: %s', async (letters, testnet) => {
    expect(await checkAddress('HBAR', `0.0.123-${letters}`)).toMatchObject({ unspendable: true, testnet });
  });
});
