import type { Decimal } from '../../core/swap/amount.ts';

/** Scale of price factors: this many parts are one. */
const MOVEMENT_SCALE = 1_000_000_000n;

const TICK_MS = 4000n;

/** Dollar coins move by one part in this many of what others do. */
const PEGGED_PART = 20n;

interface Wave {
  /** Ticks between two random heights. */
  readonly length: bigint;
  /** Largest distance from the anchor, in parts of {@link MOVEMENT_SCALE}. */
  readonly height: bigint;
}

// The heights add up to 0.99 %, which keeps the ratio of two prices within 2 % of its anchor.
const WAVES: readonly Wave[] = [
  { length: 900n, height: 6_900_000n },
  { length: 45n, height: 2_500_000n },
  { length: 3n, height: 500_000n },
];

/**
 * Factor of a coin's anchor price at a time, over {@link MOVEMENT_SCALE}: a pure function, smooth, new every four
 * seconds, within 0.99 % of one. A coin anchored at exactly one dollar moves a twentieth of that.
 */
export function priceFactor(coin: string, usd: Decimal, seed: number, at: number): bigint {
  const tick = BigInt(Math.trunc(at)) / TICK_MS;
  const origin = hashText(coin, hashNumber(Math.trunc(seed)));
  let moved = 0n;
  for (const [index, wave] of WAVES.entries()) moved += waveAt(wave, mix(origin + index), tick);
  return MOVEMENT_SCALE + (usd === '1' ? moved / PEGGED_PART : moved);
}

/** Straight line between the random heights on both sides of a tick. */
function waveAt({ length, height }: Wave, origin: number, tick: bigint): bigint {
  const left = tick / length;
  const past = tick % length;
  const heights =
    randomHeight(origin, left, height) * (length - past) + randomHeight(origin, left + 1n, height) * past;
  return heights / length;
}

function randomHeight(origin: number, place: bigint, height: bigint): bigint {
  const random = BigInt(mix(origin ^ Number(BigInt.asUintN(32, place))));
  return ((random * (2n * height + 1n)) >> 32n) - height;
}

function hashNumber(seed: number): number {
  return mix(mix(seed >>> 0) ^ (Math.trunc(seed / 2 ** 32) >>> 0));
}

function hashText(text: string, start: number): number {
  let hash = start;
  for (let index = 0; index < text.length; index += 1) hash = mix(hash ^ text.charCodeAt(index));
  return hash;
}

/** Finalizer of MurmurHash3: mixes 32 bits. */
function mix(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
