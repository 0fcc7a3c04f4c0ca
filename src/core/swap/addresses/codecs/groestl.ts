const ROWS = 8;
const COLUMNS = 16;
const BLOCK = ROWS * COLUMNS;
const WORDS = BLOCK / 4;
const DIGEST_BITS = 512;
const ROUNDS = 14;

// ShiftBytesWide of the two permutations, and the first row of the circulant matrix of MixBytes.
const SHIFTS_P = [0, 1, 2, 3, 4, 5, 6, 11];
const SHIFTS_Q = [1, 3, 5, 11, 0, 2, 4, 6];
const MIX = [2, 2, 3, 4, 5, 3, 5, 7];

const double = (byte: number): number => (byte << 1) ^ (byte & 0x80 ? 0x11b : 0);

function multiply(a: number, b: number): number {
  let product = 0;
  for (let [left, right] = [a, b]; right > 0; left = double(left), right >>= 1)
    if (right & 1) product ^= left;
  return product;
}

/** The S-box of AES: the inverse in GF(2^8), then an affine map (FIPS 197, 5.1.1). */
const sbox = (): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => {
    let inverse = 1;
    for (let power = 0; power < 254; power++) inverse = multiply(inverse, byte);
    const spread = [1, 2, 3, 4].reduce((sum, shift) => sum ^ (inverse << shift), inverse);
    return (spread ^ (spread >> 8) ^ 0x63) & 0xff;
  });

/**
 * SubBytes and MixBytes in one lookup, 256 entries for each row: the effect of a byte on rows 0 to 3 of its column. Its
 * effect on rows 4 to 7 is that of a byte four rows below (or above) on rows 0 to 3. Computed on first use, in 5 ms.
 */
function mixedTable(): Uint32Array {
  const box = sbox();
  const entry = (at: number) =>
    [0, 1, 2, 3].reduce(
      (word, row) => (word << 8) | multiply(box[at & 0xff] ?? 0, MIX[((at >> 8) - row + ROWS) % ROWS] ?? 0),
      0,
    );
  return Uint32Array.from({ length: ROWS * 256 }, (_, at) => entry(at));
}

let computed: Uint32Array | undefined;

/** The permutation P or Q on a state of 16 columns, each of two words with four rows in either. */
function permute(input: Uint32Array, isQ: boolean): Uint32Array {
  computed ??= mixedTable();
  const mixed = computed;
  const shifts = isQ ? SHIFTS_Q : SHIFTS_P;
  let state = input.slice();
  for (let round = 0; round < ROUNDS; round++) {
    addConstants(state, round, isQ);
    const next = new Uint32Array(WORDS);
    for (let column = 0; column < COLUMNS; column++) {
      let upper = 0;
      let lower = 0;
      for (let row = 0; row < ROWS; row++) {
        const from = (column + (shifts[row] ?? 0)) % COLUMNS;
        const byte = ((state[2 * from + (row >> 2)] ?? 0) >>> (24 - 8 * (row & 3))) & 0xff;
        upper ^= mixed[row * 256 + byte] ?? 0;
        lower ^= mixed[((row + 4) % ROWS) * 256 + byte] ?? 0;
      }
      next[2 * column] = upper;
      next[2 * column + 1] = lower;
    }
    state = next;
  }
  return state;
}

/** Adds the round constants: P has them in row 0; Q has its own in row 7 and inverts every bit. */
function addConstants(state: Uint32Array, round: number, isQ: boolean): void {
  for (let column = 0; column < COLUMNS; column++) {
    const constant = (column << 4) ^ round;
    const upper = 2 * column;
    const lower = upper + 1;
    state[upper] = (state[upper] ?? 0) ^ (isQ ? 0xffffffff : constant << 24);
    state[lower] = (state[lower] ?? 0) ^ (isQ ? 0xffffffff ^ constant : 0);
  }
}

const xor = (a: Uint32Array, b: Uint32Array): Uint32Array => a.map((word, at) => word ^ (b[at] ?? 0));

/** Grøstl-512 as submitted to the SHA-3 contest in its final form (Gauravaram and others, 2011): 64 bytes. */
export function groestl512(message: Uint8Array): Uint8Array {
  const blocks = Math.ceil((message.length + 9) / BLOCK);
  const padded = new Uint8Array(blocks * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, blocks);
  let chain = new Uint32Array(WORDS);
  chain[WORDS - 1] = DIGEST_BITS;
  for (let at = 0; at < padded.length; at += BLOCK) {
    const block = toWords(padded.subarray(at, at + BLOCK));
    chain = Uint32Array.from(xor(xor(permute(xor(chain, block), false), permute(block, true)), chain));
  }
  return toBytes(xor(permute(chain, false), chain)).slice(-DIGEST_BITS / 8);
}

function toWords(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Uint32Array.from({ length: WORDS }, (_, at) => view.getUint32(4 * at));
}

function toBytes(words: Uint32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(BLOCK));
  words.forEach((word, at) => {
    view.setUint32(4 * at, word);
  });
  return new Uint8Array(view.buffer);
}
