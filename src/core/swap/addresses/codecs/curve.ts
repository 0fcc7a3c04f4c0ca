import { Field, FpLegendre } from '@noble/curves/abstract/modular.js';

/** Whether the curve y² = x³ + b over the prime field of `p` has this x: for a key without a point no one could sign. */
export function isOnCurve(x: bigint, b: bigint, p: bigint): boolean {
  return x < p && FpLegendre(Field(p), (x * x * x + b) % p) !== -1;
}
