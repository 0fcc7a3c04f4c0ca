import { crc32 } from 'node:zlib';
import { decodeBase58 } from '../codecs/base58.ts';
import { decodeBech32, wordsToBytes } from '../codecs/bech32.ts';
import { allZero, attempt } from '../codecs/bytes.ts';
import { accepted, type ParsedAddress, type ParseResult, REFUSED, refused } from '../parsed-address.ts';

/** A decoded CBOR item (RFC 8949), of the few kinds in a Byron address. */
type CborItem =
  | { readonly type: 'uint'; readonly value: number }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'array'; readonly items: readonly CborItem[] }
  | { readonly type: 'map'; readonly entries: readonly (readonly [CborItem, CborItem])[] }
  | { readonly type: 'tag'; readonly tag: number; readonly item: CborItem };

/** Decodes bytes that hold exactly one item in its shortest form, of definite length; throws on anything else. */
function decodeCbor(bytes: Uint8Array): CborItem {
  let at = 0;
  // A count beyond the remaining bytes cannot be valid; checking it first keeps a forged one from allocating memory.
  const counted = (claimed: number): number => {
    if (claimed > bytes.length - at) throw new RangeError('CBOR ends early');
    return claimed;
  };
  const take = (length: number): Uint8Array => {
    at += counted(length);
    return bytes.slice(at - length, at);
  };
  const argumentOf = (short: number): number => {
    if (short < 24) return short;
    if (short > 26) throw new RangeError('CBOR of indefinite length or with 64-bit numbers');
    const width = 2 ** (short - 24);
    const value = take(width).reduce((sum, byte) => sum * 256 + byte, 0);
    if (value < (width === 1 ? 24 : 256 ** (width / 2)))
      throw new RangeError('CBOR not in its shortest form');
    return value;
  };
  const item = (depth: number): CborItem => {
    if (depth > 8) throw new RangeError('CBOR nested too deeply');
    const [head = 0] = take(1);
    const argument = argumentOf(head & 31);
    const inner = (): CborItem => item(depth + 1);
    const list = <T>(one: () => T): T[] => Array.from({ length: counted(argument) }, one);
    const kind = head >> 5;
    if (kind === 0) return { type: 'uint', value: argument };
    if (kind === 2) return { type: 'bytes', value: take(argument) };
    if (kind === 4) return { type: 'array', items: list(inner) };
    if (kind === 5) return { type: 'map', entries: list(() => [inner(), inner()] as const) };
    if (kind === 6) return { type: 'tag', tag: argument, item: inner() };
    throw new RangeError('a CBOR kind that no address uses');
  };
  const only = item(0);
  if (at !== bytes.length) throw new RangeError('bytes after the CBOR item');
  return only;
}

/** Prefixes by the network of the header. */
const NETWORKS = ['addr_test', 'addr'];

// By the header types of CIP-19: payment and stake part (57 bytes), or payment part alone (29 bytes).
const LENGTHS = [57, 57, 57, 57, undefined, undefined, 29, 29];

/** Parses a Shelley (bech32, CIP-19) or Byron (base58 of CBOR) address of Cardano; stake and pointer ones are not payable. */
export function parseCardano(address: string): ParseResult {
  return parseShelley(address) ?? parseByron(address) ?? REFUSED.length;
}

function parseShelley(address: string): ParseResult | undefined {
  const decoded = decodeBech32(address);
  if (decoded?.encoding !== 'bech32') return undefined;
  if (decoded.prefix.startsWith('stake')) return refused('This is a stake address: it cannot be paid.');
  const network = NETWORKS.indexOf(decoded.prefix);
  const bytes = wordsToBytes(decoded.words);
  const header = bytes?.[0];
  if (network < 0 || bytes === undefined || header === undefined) return undefined;
  const type = header >> 4;
  if (type === 4 || type === 5) return parsePointer(address, bytes, network);
  if (LENGTHS[type] !== bytes.length || (header & 15) !== network) return undefined;
  if (allZero(bytes.subarray(1, 29))) return REFUSED.system;
  const kind = type >= 6 ? 'shelley-enterprise' : 'shelley-base';
  return accepted(kind, address.toLowerCase(), { testnet: network === 0 });
}

// A payment part, then three numbers that point to where a stake key was registered: slot, transaction, certificate.
function parsePointer(address: string, bytes: Uint8Array, network: number): ParseResult | undefined {
  if (((bytes[0] ?? 0) & 15) !== network || !areThreeNumbers(bytes.subarray(29))) return undefined;
  if (network === 1) return refused('Pointer addresses are no longer paid on Cardano (CIP-19, Conway).');
  return accepted('shelley-pointer', address.toLowerCase(), { testnet: true });
}

// Seven bits in each byte, the highest bit set in all but the last of a number, and no empty byte in front.
function areThreeNumbers(bytes: Uint8Array): boolean {
  const ends = [...bytes].flatMap((byte, at) => (byte < 0x80 ? [at] : []));
  const starts = [0, ...ends.map((end) => end + 1)];
  return (
    ends.length === 3 &&
    ends[2] === bytes.length - 1 &&
    starts.every((start) => bytes[start] !== 0x80) &&
    bytes.length <= 3 * 10
  );
}

function parseByron(address: string): ParsedAddress | undefined {
  const bytes = decodeBase58(address);
  // 0x82 begins a list of two.
  const outer = bytes?.[0] === 0x82 ? attempt(() => decodeCbor(bytes)) : undefined;
  if (outer?.type !== 'array' || outer.items.length !== 2) return undefined;
  const [wrapped, checksum] = outer.items;
  if (wrapped?.type !== 'tag' || wrapped.tag !== 24 || wrapped.item.type !== 'bytes') return undefined;
  const payload = wrapped.item.value;
  if (checksum?.type !== 'uint' || checksum.value !== crc32(payload)) return undefined;
  const attributes = byronAttributes(attempt(() => decodeCbor(payload)));
  if (attributes === undefined) return undefined;
  // Only test networks write their magic number (key 2) into the address.
  return accepted('byron', address, { testnet: attributes.has(2) });
}

function byronAttributes(inner: CborItem | undefined): ReadonlyMap<number, CborItem> | undefined {
  if (inner?.type !== 'array' || inner.items.length !== 3) return undefined;
  const [root, map, type] = inner.items;
  if (root?.type !== 'bytes' || root.value.length !== 28) return undefined;
  if (map?.type !== 'map' || type?.type !== 'uint' || type.value > 2) return undefined;
  const attributes = new Map<number, CborItem>();
  for (const [key, value] of map.entries) {
    if (key.type !== 'uint' || key.value > 255 || value.type !== 'bytes') return undefined;
    const content = attempt(() => decodeCbor(value.value));
    if (content === undefined || !isAttribute(key.value, content) || attributes.has(key.value))
      return undefined;
    attributes.set(key.value, content);
  }
  return attributes;
}

// Key 1 is the encrypted derivation path, key 2 the 32-bit network magic; other keys are only carried along.
function isAttribute(key: number, content: CborItem): boolean {
  if (key === 1) return content.type === 'bytes';
  return key === 2 ? content.type === 'uint' : true;
}
