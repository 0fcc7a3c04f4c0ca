const ROWS = 8;
const COLUMNS = 16;
const BLOCK = ROWS * COLUMNS;
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
const SBOX = Uint8Array.from({ length: 256 }, (_, byte) => {
  let inverse = 1;
  for (let power = 0; power < 254; power++) inverse = multiply(inverse, byte);
  const spread = [1, 2, 3, 4].reduce((sum, shift) => sum ^ (inverse << shift), inverse);
  return (spread ^ (spread >> 8) ^ 0x63) & 0xff;
});

/** What a byte of a row becomes in rows 0 to 3, or 4 to 7, of its column: SubBytes and MixBytes in one look-up. */
const mixed = (from: number, firstRow: number): Uint32Array =>
  Uint32Array.from(SBOX, (byte) =>
    [0, 1, 2, 3].reduce(
      (word, at) => (word << 8) | multiply(byte, MIX[(from - firstRow - at + 2 * ROWS) % ROWS] ?? 0),
      0,
    ),
  );
const UPPER = Array.from({ length: ROWS }, (_, from) => mixed(from, 0));
const LOWER = Array.from({ length: ROWS }, (_, from) => mixed(from, 4));

/** The permutation P or Q on a state of 8 rows and 16 columns, column by column. */
function permute(input: Uint8Array, isQ: boolean): Uint8Array {
  const shifts = isQ ? SHIFTS_Q : SHIFTS_P;
  let state = input.slice();
  for (let round = 0; round < ROUNDS; round++) {
    addConstants(state, round, isQ);
    const next = new Uint8Array(BLOCK);
    const words = new DataView(next.buffer);
    for (let column = 0; column < COLUMNS; column++) {
      let upper = 0;
      let lower = 0;
      for (let from = 0; from < ROWS; from++) {
        const byte = state[((column + (shifts[from] ?? 0)) % COLUMNS) * ROWS + from] ?? 0;
        upper ^= UPPER[from]?.[byte] ?? 0;
        lower ^= LOWER[from]?.[byte] ?? 0;
      }
      words.setInt32(column * ROWS, upper);
      words.setInt32(column * ROWS + 4, lower);
    }
    state = next;
  }
  return state;
}

function addConstants(state: Uint8Array, round: number, isQ: boolean): void {
  for (let at = 0; at < BLOCK; at++) {
    const column = at >> 3;
    const constant = at % ROWS === (isQ ? ROWS - 1 : 0) ? (column << 4) ^ round : 0;
    state[at] = (state[at] ?? 0) ^ constant ^ (isQ ? 0xff : 0);
  }
}

const xor = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((byte, at) => byte ^ (b[at] ?? 0));

/** Grøstl-512 as submitted to the SHA-3 contest in its final form (Gauravaram and others, 2011): 64 bytes. */
export function groestl512(message: Uint8Array): Uint8Array {
  const blocks = Math.ceil((message.length + 9) / BLOCK);
  const padded = new Uint8Array(blocks * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, blocks);
  let chain = new Uint8Array(BLOCK);
  chain[BLOCK - 2] = 2;
  for (let at = 0; at < padded.length; at += BLOCK) {
    const block = padded.subarray(at, at + BLOCK);
    chain = Uint8Array.from(xor(xor(permute(xor(chain, block), false), permute(block, true)), chain));
  }
  return xor(permute(chain, false), chain).slice(-64);
}
