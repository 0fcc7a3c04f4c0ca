import { toBech32 } from '@cosmjs/encoding';
import { ed25519 } from '@noble/curves/ed25519.js';
import { Address as BitcoinAddress, utils } from '@scure/btc-signer';
import { Address as TonAddress } from '@ton/core';
import bchaddr from 'bchaddrjs';
import fc from 'fast-check';
import { classicAddressToXAddress, encodeAccountID } from 'ripple-address-codec';
import { bytesToWords, encodeBech32 } from '../../../src/swap/addresses/codecs/bech32.ts';
import { encodeCashaddr } from '../../../src/swap/addresses/codecs/cashaddr.ts';
import { hip15Checksum } from '../../../src/swap/addresses/hedera.ts';
import { f4Jumble } from '../../../src/swap/addresses/zcash-unified.ts';
import * as encode from './encoders.ts';

type Sample = fc.Arbitrary<string>;

export const raw = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });
const key = raw(32).map((seed) => ed25519.getPublicKey(seed));
const hex = (length: number): Sample => raw(length).map((data) => Buffer.from(data).toString('hex'));

const base58check = (length: number, ...prefixes: number[][]): Sample =>
  fc.tuple(fc.constantFrom(...prefixes), raw(length)).map(([head, data]) => encode.base58check(head, data));

const bitcoin = (bech32: string, pubKeyHash: number, scriptHash: number): Sample => {
  const { encode: write } = BitcoinAddress({ bech32, pubKeyHash, scriptHash, wif: 0x80 });
  return fc.oneof(
    raw(20).map((hash) => write({ type: 'pkh', hash })),
    raw(20).map((hash) => write({ type: 'sh', hash })),
    raw(20).map((hash) => write({ type: 'wpkh', hash })),
    raw(32).map((hash) => write({ type: 'wsh', hash })),
    raw(32).map((secret) => write({ type: 'tr', pubkey: utils.pubSchnorr(secret) })),
  );
};

const legacy = base58check(20, [0], [5]);
const cashaddr = (prefix: string, ...forms: [number, number][]): Sample =>
  fc
    .constantFrom(...forms)
    .chain(([version, length]) =>
      raw(length).map((hash) => `${prefix}:${encodeCashaddr(prefix, encode.bytes([version], hash))}`),
    );

const bitcoinCash = legacy.chain((address) => {
  const cash = bchaddr.toCashAddress(address);
  return fc.constantFrom(address, cash, cash.toUpperCase(), cash.slice(cash.indexOf(':') + 1));
});

const unified = fc.tuple(raw(43), raw(43), raw(20)).map(([orchard, sapling, p2pkh]) => {
  const items = encode.bytes([0, 20], p2pkh, [2, 43], sapling, [3, 43], orchard);
  const jumbled = f4Jumble(encode.bytes(items, Buffer.from('u'.padEnd(16, '\0'))));
  return encodeBech32({ encoding: 'bech32m', prefix: 'u', words: bytesToWords(jumbled) });
});
const sapling = raw(43).map((data) => toBech32('zs', data));

const xrp = fc
  .tuple(raw(20), fc.option(fc.integer({ min: 0, max: 2 ** 32 - 1 })), fc.boolean())
  .map(([account, tag, classic]) => {
    const address = encodeAccountID(account);
    return classic ? address : classicAddressToXAddress(address, tag ?? false, false);
  });

const stellar = fc.oneof(
  raw(32).map((account) => encode.strkey(0x30, account)),
  raw(40).map((muxed) => encode.strkey(0x60, muxed)),
);

const ton = fc
  .tuple(raw(32), fc.boolean(), fc.boolean())
  .map(([hash, bounceable, urlSafe]) =>
    new TonAddress(0, Buffer.from(hash)).toString({ bounceable, urlSafe }),
  );

const shelley = fc
  .constantFrom<[number, number]>([0, 56], [1, 56], [2, 56], [3, 56], [6, 28], [7, 28])
  .chain(([type, length]) =>
    raw(length).map((data) => toBech32('addr', encode.bytes([(type << 4) | 1], data), 200)),
  );
const byron = fc
  .tuple(raw(28), fc.option(fc.integer({ min: 16, max: 40 }).chain(raw)), fc.constantFrom(0, 2))
  .map(([root, path, type]) => encode.byron(root, path ?? undefined, undefined, type));

const sdk = (prefix: string): Sample =>
  fc
    .constantFrom(20, 32)
    .chain(raw)
    .map((data) => toBech32(prefix, data));

const monero = fc.oneof(
  fc.tuple(fc.constantFrom(18, 42), key, key).map(([tag, spend, view]) => encode.monero(tag, spend, view)),
  fc.tuple(key, key, raw(8)).map(([spend, view, id]) => encode.monero(19, spend, view, id)),
);

const filecoin = fc.oneof(
  raw(20).map((payload) => encode.filecoin('f1', [1], payload)),
  raw(20).map((payload) => encode.filecoin('f2', [2], payload)),
  raw(48).map((payload) => encode.filecoin('f3', [3], payload)),
  raw(20).map((payload) => encode.filecoin('f410f', [4, 10], payload)),
);

const hedera = fc.integer({ min: 1000, max: 2 ** 31 }).map((number) => {
  const plain = `0.0.${number}`;
  return `${plain}-${hip15Checksum([0], plain)}`;
});

/** Random main-network addresses of each network whose form carries a checksum. */
export const CHECKSUMMED: Readonly<Record<string, Sample>> = {
  BTC: bitcoin('bc', 0x00, 0x05),
  LTC: bitcoin('ltc', 0x30, 0x32),
  DOGE: base58check(20, [0x1e], [0x16]),
  DASH: base58check(20, [0x4c], [0x10]),
  DGB: bitcoin('dgb', 0x1e, 0x3f),
  RVN: base58check(20, [0x3c], [0x7a]),
  BCH: fc.oneof(bitcoinCash, cashaddr('bitcoincash', [0x0b, 32], [0x10, 20], [0x18, 20], [0x1b, 32])),
  XEC: cashaddr('ecash', [0x00, 20], [0x08, 20]),
  ZEC: fc.oneof(base58check(20, [0x1c, 0xb8], [0x1c, 0xbd]), sapling, unified),
  KAS: cashaddr('kaspa', [0, 32], [1, 33], [8, 32]),
  TRX: base58check(20, [0x41]),
  XRP: xrp,
  XLM: stellar,
  TON: ton,
  ADA: fc.oneof(shelley, byron),
  DOT: raw(32).map((account) => encode.ss58(0, account)),
  KSM: raw(32).map((account) => encode.ss58(2, account)),
  ATOM: sdk('cosmos'),
  OSMO: sdk('osmo'),
  INJ: sdk('inj'),
  SCRT: sdk('secret'),
  RUNE: sdk('thor'),
  EGLD: raw(32).map((data) => toBech32('erd', data)),
  ZIL: raw(20).map((data) => toBech32('zil', data)),
  XMR: monero,
  HBAR: hedera,
  ALGO: raw(32).map(encode.algorand),
  FIL: filecoin,
  XNO: raw(32).map((account) => encode.nano('nano_', account)),
  BAN: raw(32).map((account) => encode.nano('ban_', account)),
  XTZ: base58check(20, [6, 161, 159], [6, 161, 161], [6, 161, 164], [6, 161, 166], [2, 90, 121]),
  ICP: raw(28).map(encode.internetComputer),
};

/** Random addresses of networks whose form carries no checksum. */
export const UNCHECKED: Readonly<Record<string, Sample>> = {
  ETH: hex(20).map((digits) => `0x${digits}`),
  SOL: key.map(encode.base58),
  SUI: hex(32).map((digits) => `0x${digits}`),
  APT: hex(32).map((digits) => `0x${digits}`),
  EOS: fc.stringMatching(/^[a-z][a-z1-5]{10}[a-z1-5]$/),
  NEAR: fc.oneof(fc.stringMatching(/^[a-z\d]{3,12}([-_][a-z\d]{1,9})?\.near$/), hex(32)),
};
