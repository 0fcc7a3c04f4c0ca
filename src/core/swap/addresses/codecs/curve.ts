import { Field, FpLegendre } from '@noble/curves/abstract/modular.js';

/**
 * Whether some point of the curve y² = x³ + b has this x; `p` is the prime of its field. A public key whose x has no point
 * is invalid: no one could ever sign for it. Takes well under a millisecond for 256 bits.
 */
export function isOnCurve(x: bigint, b: bigint, p: bigint): boolean {
  return x < p && FpLegendre(Field(p), (x * x * x + b) % p) !== -1;
}
