/** A decoded CBOR item (RFC 8949), of the few kinds in a Byron address. */
export type CborItem =
  | { readonly type: 'uint'; readonly value: number }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'array'; readonly items: readonly CborItem[] }
  | { readonly type: 'map'; readonly entries: readonly (readonly [CborItem, CborItem])[] }
  | { readonly type: 'tag'; readonly tag: number; readonly item: CborItem };

/** Decodes bytes that hold exactly one item in its shortest form, of definite length; throws on anything else. */
export function decodeCbor(bytes: Uint8Array): CborItem {
  const reader = new CborReader(bytes);
  const item = reader.item(0);
  if (!reader.atEnd) throw new RangeError('bytes after the CBOR item');
  return item;
}

class CborReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  item(depth: number): CborItem {
    if (depth > 8) throw new RangeError('CBOR nested too deeply');
    const head = this.#byte();
    const argument = this.#argument(head & 31);
    const list = <T>(one: () => T): T[] => Array.from({ length: this.#count(argument) }, one);
    const inner = (): CborItem => this.item(depth + 1);
    switch (head >> 5) {
      case 0:
        return { type: 'uint', value: argument };
      case 2:
        return { type: 'bytes', value: this.#take(argument) };
      case 4:
        return { type: 'array', items: list(inner) };
      case 5:
        return { type: 'map', entries: list(() => [inner(), inner()] as const) };
      case 6:
        return { type: 'tag', tag: argument, item: inner() };
      default:
        throw new RangeError('a CBOR kind that no address uses');
    }
  }

  // A count beyond the remaining bytes cannot be valid; checking it first keeps a forged one from allocating memory.
  #count(claimed: number): number {
    if (claimed > this.#bytes.length - this.#offset) throw new RangeError('CBOR ends early');
    return claimed;
  }

  #byte(): number {
    const byte = this.#bytes[this.#offset++];
    if (byte === undefined) throw new RangeError('CBOR ends early');
    return byte;
  }

  #take(length: number): Uint8Array {
    const start = this.#offset;
    this.#offset += this.#count(length);
    return this.#bytes.slice(start, this.#offset);
  }

  #argument(short: number): number {
    if (short < 24) return short;
    if (short > 26) throw new RangeError('CBOR of indefinite length or with 64-bit numbers');
    const width = 2 ** (short - 24);
    const value = this.#take(width).reduce((sum, byte) => sum * 256 + byte, 0);
    const least = width === 1 ? 24 : 256 ** (width / 2);
    if (value < least) throw new RangeError('CBOR not in its shortest form');
    return value;
  }
}
