import { base58 as base58Plain } from '@scure/base';
import { bech32, bech32m } from 'bech32';
import bs58check from 'bs58check';
import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../src/swap/addresses/check.ts';
import { encodeCashaddr } from '../../../src/swap/addresses/codecs/cashaddr.ts';
import { checkDestination } from '../../../src/swap/addresses/destination.ts';

const HASH = Buffer.alloc(20, 0x5a);
const base58 = (...version: number[]): string => bs58check.encode(Buffer.from([...version, ...HASH]));
const HEX_40 = '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const EIP_55 = '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TERRA = bech32.encode('terra', bech32.toWords(HASH));
const cashaddr = (version: number, length: number, prefix = 'bitcoincash'): string =>
  `${prefix}:${encodeCashaddr(prefix, Uint8Array.from([version, ...Buffer.alloc(length, 7)]))}`;
/** A witness of version 1, 32 bytes. */
const taproot = (prefix: string): string =>
  bech32m.encode(prefix, [1, ...bech32m.toWords(Buffer.alloc(32, 7))]);
/** A private address of Litecoin: a version and two keys, which begin with these bytes. */
const mweb = (version: number, first: number, second: number): string => {
  const keys = Buffer.concat([first, second].map((byte) => Buffer.from([byte, ...Buffer.alloc(32, 7)])));
  return bech32.encode('ltcmweb', [version, ...bech32.toWords(keys)], 200);
};
const FIELD_END = 2n ** 251n - 256n;

/** The answer in short: whether it may be paid, with its kind, or that it must not be. */
async function answer(network: string, address: string): Promise<string> {
  const verdict = await checkDestination(network, address, null, { memoWaived: true });
  if (!verdict.ok) return `refused: ${verdict.reason}`;
  const { kind, testnet, warnings } = verdict.address;
  return [kind, ...(testnet ? ['of a test network'] : []), ...warnings].join('; ');
}

describe('what is taken', () => {
  test.each([
    ['BSV', base58(0x00), 'p2pkh; Another chain'],
    ['NEAR', 'decade', 'top-level'],
    ['NEAR', 'ab'.repeat(32), 'implicit'],
    ['HBAR', '0.0.1000', 'account-id'],
    ['HBAR', '0.0.9223372036854775807', 'account-id'],
    ['HIVE', 'abcdefghijklmnop', 'account-name'],
    ['ALPH', '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH', 'p2pkh'],
    ['LUNA', TERRA, 'account; Terra and Terra Classic'],
    ['LUNC', TERRA, 'account; Terra and Terra Classic'],
    [
      'ADA',
      'addr_test1gz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspqgpsqe70et',
      'shelley-pointer; of a test network',
    ],
    [
      'ADA',
      'addr_test12rphkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtupnz75xxcryqrvmw',
      'shelley-pointer; of a test network',
    ],
    // The vectors of EIP-1191.
    ['RSK', '0x27b1FdB04752BBc536007A920D24ACB045561c26', 'account'],
    ['RSK', '0x27B1FdB04752BbC536007a920D24acB045561C26', 'account; of a test network'],
    ['RSK', `0x${EIP_55}`, 'account; The capitalization matches the checksum of Ethereum'],
    ['RSK', `0x${HEX_40}`, 'account; The address is all lower case'],
    ['RON', `ronin:${EIP_55}`, 'account'],
    ['RON', `0x${EIP_55}`, 'account'],
    ['XDC', `xdc${EIP_55}`, 'account'],
    ['XDC', `xdc${HEX_40}`, 'account; The address is all lower case'],
    ['IOTX', `0x${EIP_55}`, 'account'],
    ['STRK', `0x${(FIELD_END - 1n).toString(16)}`, 'account; The address is all lower case'],
    [
      'STRK',
      '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
      'account; The address is all lower case',
    ],
    [
      'STRK',
      `0x${HEX_40}`,
      'account; The address is all lower case, so it has no checksum: compare every character with the source.; The address is far shorter',
    ],
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
    ['ZEC', base58(0x1d, 0x25), 'p2pkh; of a test network'],
    ['ZEC', base58(0x1c, 0xba), 'p2sh; of a test network'],
    [
      'TON',
      '-1:2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422e3',
      'raw; The raw form has no checksum, and wallets do not accept it: ask for the form that begins with UQ or EQ.; This account is in the masterchain',
    ],
    ['BCH', cashaddr(0x0b, 32), 'p2sh32; This is a 32-byte script address'],
    ['BCH', cashaddr(0x10, 20), 'token-p2pkh; This form means that the wallet supports CashTokens'],
    ['BCH', cashaddr(0x18, 20), 'token-p2sh; This form means'],
    ['BCH', cashaddr(0x1b, 32), 'pay.; This form means'],
  ])('on %s, %s as %s', async (network, address, expected) => {
    expect(await answer(network, address)).toContain(expected);
  });

  test('exchange addresses of Firo and PIVX begin as their nodes say', () => {
    expect([base58(0x01, 0xb9, 0xbb).slice(0, 3), base58(0x01, 0xb9, 0xa2).slice(0, 3)]).toEqual([
      'EXX',
      'EXM',
    ]);
  });
});

describe('what is refused', () => {
  test.each([
    ['BSV', base58(0x05), 'of another network: Bitcoin'],
    ['NEAR', 'deadbeef', 'exactly 64'],
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
    ['ALPH', base58Plain.encode(Buffer.alloc(33, 6)), 'wrong length'],
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
  ])('on %s, %s: %s', async (network, address, words) => {
    expect(await answer(network, address)).toContain(words);
  });

  // The examples of HIP-15: the main, the test and the preview network.
  test.each([
    ['vfmkw', false],
    ['esxsf', true],
    ['ogizo', true],
  ])(
    'an account of Hedera that belongs to the network may still be described: %s',
    async (letters, testnet) => {
      expect(await checkAddress('HBAR', `0.0.123-${letters}`)).toMatchObject({ unspendable: true, testnet });
    },
  );
});
