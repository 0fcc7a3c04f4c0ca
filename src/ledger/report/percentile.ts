/** Middle of some numbers and the number that 95 of 100 do not exceed; both null where there are none. */
export interface Percentiles {
  readonly median: number | null;
  readonly p95: number | null;
}

/**
 * Percentiles of times in milliseconds, in seconds. The median of an even number is the mean of the two in the middle;
 * the 95th percentile is the smallest time that at least 95 of 100 do not exceed (nearest rank).
 */
export function percentilesInSeconds(milliseconds: readonly number[]): Percentiles {
  const sorted = Float64Array.from(milliseconds).sort();
  const count = sorted.length;
  const at = (rank: number) => sorted[rank - 1] ?? 0;
  if (count === 0) return { median: null, p95: null };
  const middle = (at(Math.ceil((count + 1) / 2)) + at(Math.floor((count + 1) / 2))) / 2;
  return { median: Math.round(middle) / 1000, p95: at(Math.ceil((count * 95) / 100)) / 1000 };
}
