import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { blake2b } from 'blakejs';
import bs58check from 'bs58check';
import { encode as encodeCbor, Token, Type } from 'cborg';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const NANO = '13456789abcdefghijkmnopqrstuwxyz';

export const bytes = (...parts: Iterable<number>[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

const number = (data: Uint8Array): bigint => data.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

function digits(value: bigint, alphabet: string, length = 0): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= BigInt(alphabet.length)) {
    text = alphabet.charAt(Number(rest % BigInt(alphabet.length))) + text;
  }
  return text.padStart(length, alphabet.charAt(0));
}

export function base58(data: Uint8Array): string {
  const zeros = [...data].findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? data.length : zeros) + digits(number(data), BASE58);
}

export const base58check = (...parts: Iterable<number>[]): string => bs58check.encode(bytes(...parts));

/** RFC 4648 without padding: the last group is filled up with zero bits. */
export function base32(data: Uint8Array): string {
  const length = Math.ceil((data.length * 8) / 5);
  return digits(number(data) << BigInt(length * 5 - data.length * 8), BASE32, length);
}

/** The remainder of a division of polynomials over two elements, most significant bit first. */
export function crc16(data: Uint8Array): number {
  let rest = number(data) << 16n;
  for (let bit = data.length * 8 + 15; bit >= 16; bit--) {
    if ((rest >> BigInt(bit)) & 1n) rest ^= 0x11021n << BigInt(bit - 16);
  }
  return Number(rest);
}

function crc32(data: Uint8Array): number {
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  return (
    (data.reduce((c, byte) => (table[(c ^ byte) & 255] ?? 0) ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0
  );
}

const hash = (name: string, data: Uint8Array): Uint8Array =>
  Uint8Array.from(createHash(name).update(data).digest());

export function strkey(version: number, payload: Uint8Array): string {
  const crc = crc16(bytes([version], payload));
  return base32(bytes([version], payload, [crc & 255, crc >> 8]));
}

export function algorand(key: Uint8Array): string {
  return base32(bytes(key, hash('sha512-256', key).slice(28)));
}

export function ss58(prefix: number, key: Uint8Array): string {
  const body = bytes([prefix], key);
  return base58(bytes(body, hash('blake2b512', bytes(Buffer.from('SS58PRE'), body)).slice(0, 2)));
}

export function filecoin(head: string, hashed: readonly number[], payload: Uint8Array): string {
  const checksum = blake2b(bytes(hashed, payload), undefined, 4);
  return head + base32(bytes(payload, checksum)).toLowerCase();
}

export function nano(prefix: string, key: Uint8Array): string {
  const checksum = blake2b(key, undefined, 5).reverse();
  return prefix + digits(number(key), NANO, 52) + digits(number(checksum), NANO, 8);
}

export function internetComputer(account: Uint8Array): string {
  return crc32(account).toString(16).padStart(8, '0') + Buffer.from(account).toString('hex');
}

/** Monero writes each eight bytes as eleven base58 digits, and the rest as seven. */
export function monero(tag: number, ...keys: Uint8Array[]): string {
  const body = bytes([tag], ...keys);
  const all = bytes(body, keccak_256(body).slice(0, 4));
  const widths = [0, 2, 3, 5, 6, 7, 9, 10, 11];
  const blocks = Array.from({ length: Math.ceil(all.length / 8) }, (_, i) => all.slice(i * 8, i * 8 + 8));
  return blocks.map((block) => digits(number(block), BASE58, widths[block.length])).join('');
}

/** A Byron address of Cardano as old wallets wrote it; `path` is the encrypted derivation path. */
export function byron(root: Uint8Array, path?: Uint8Array, magic?: number, type = 0): string {
  const attributes = new Map<number, Uint8Array>();
  if (path !== undefined) attributes.set(1, encodeCbor(path));
  if (magic !== undefined) attributes.set(2, encodeCbor(magic));
  const payload = encodeCbor([root, attributes, type]);
  const wrapped = { payload };
  const outer = encodeCbor([wrapped, crc32(payload)], {
    typeEncoders: {
      Object: (value: typeof wrapped) => [new Token(Type.tag, 24), new Token(Type.bytes, value.payload)],
    },
  });
  return base58(outer);
}
