import { base58 } from '@scure/base';
import { bech32, bech32m } from 'bech32';
import fc from 'fast-check';
import { anyCharacter } from '../../../helpers/any-character.ts';
import { words } from '../../../helpers/words.ts';
import { CHECKSUMMED, raw, UNCHECKED } from './samples.ts';

/** The longest text that must be answered at once. */
const LONGEST = 255;

// What each family looks for in front, so that a long tail reaches its decoder.
const HEADS = [
  '',
  ...words(`1 3 4 8 9 A D L T X r t1 Ae2 DdzFF tz1 KT1 G M EQ SP 3P B62q FIO NQ N hx k: cfx: cfx:type.user:
    ckb1 xch1 0x bc1 ltcmweb1 dgb1 cosmos1 erd1 addr1 zs1 u1 tex1 kaspa: bitcoincash: ecash: f0 f1 f3 f410f
    nano_ ban_ 0.0. 0: -1: a. S 5`),
];
const BASE58 = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'];
const LETTERS = [...BASE58, ...'0lIO-_+/:.'];
const ODD = ['é', '\u{1f600}', '\u200b', ' ', '\0', '\ud800', '名'];

// Lengths that something is reported by: keys, Stellar, Algorand, hexadecimal, Monero, extended keys, Byron.
const LENGTHS = [44, 51, 52, 56, 58, 64, 87, 88, 95, 106, 111, 112, 160, LONGEST];

const all = [...CHECKSUMMED, ...UNCHECKED];
const samples = fc.oneof(...all.map(({ sample }) => sample));
const heads = fc.constantFrom(...HEADS);
const tails = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: LONGEST });
const exact = fc.constantFrom(...LENGTHS).chain((length) => {
  const unit = fc.constantFrom(...BASE58);
  return fc.string({ unit, minLength: length - 1, maxLength: length - 1 });
});
const bytes = fc.integer({ min: 41, max: 149 }).chain(raw);

// CBOR as in a Byron address: lists in lists, tags in tags, counts and lengths that promise too much.
const cborHead = fc.constantFrom(0x82, 0x83, 0x9a, 0xd8, 0x18, 0x58, 0xa1, 0xbb, 0x5b, 0x00, 0x1a, 0xff);
const cbor = fc.array(fc.oneof(cborHead, fc.nat(255)), { minLength: 1, maxLength: 110 });

/** Any text below 256 characters, most of them near what some family reads. */
export const texts: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ maxLength: LONGEST, unit: anyCharacter }),
    fc.string({ maxLength: LONGEST }),
    fc.tuple(heads, tails).map(([head, tail]) => head + tail),
    fc
      .tuple(heads, fc.constantFrom(...LETTERS, ...ODD), fc.nat(LONGEST))
      .map(([head, letter, length]) => head + letter.repeat(length)),
    fc.tuple(samples, tails).map(([address, tail]) => address + tail),
    fc.tuple(fc.constantFrom(...'48xKD1'), exact).map(([head, tail]) => head + tail),
    // With the right checksum, so that what is inside is taken apart: F4Jumble, receivers, account bytes.
    bytes.map((data) => bech32m.encode('u', bech32m.toWords(data), LONGEST)),
    bytes.map((data) => bech32.encode('addr', bech32.toWords(data), LONGEST)),
    cbor.map((data) => base58.encode(Uint8Array.from(data))),
  )
  .map((text) => text.slice(0, LONGEST));

/** The same texts in every run: each head before long tails, one letter all along, and one address of each form. */
export const WORST: readonly string[] = [
  ...HEADS.flatMap((head) => ['z', 'q7'].map((part) => head + part.repeat(LONGEST))),
  ...['1', 'A', '0', '.', '-', ...ODD].map((letter) => letter.repeat(LONGEST)),
  ...all.flatMap(({ addresses = [] }) => addresses.slice(0, 1)),
].map((text) => text.slice(0, LONGEST));
