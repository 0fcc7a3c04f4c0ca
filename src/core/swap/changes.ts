import type { Swap } from './swap.ts';

/** A value of a swap; null if unknown. */
export type ChangedValue = string | number | boolean | null | readonly string[];

/** Values that changed, by their paths (`deposit.confirmations`): the one before, and the one after. */
export type Changes = Readonly<Record<string, readonly [before: ChangedValue, after: ChangedValue]>>;

/** What is known about a swap at one time. */
export interface SwapFacts {
  /** Null before it was ever seen. */
  readonly swap: Swap | null;
  readonly doubts: readonly string[];
  readonly refundAddress: string | null;
}

/** All values that differ between two observations of a swap; empty if none does. */
export function changesBetween(before: SwapFacts, after: SwapFacts): Changes {
  return changedFacts(valuesOf(before), valuesOf(after));
}

/** Values by their paths, such as `deposit.amount`. */
export type Facts = ReadonlyMap<string, ChangedValue>;

/** The values that differ, or that only one of two lists has. */
export function changedFacts(known: Facts, seen: Facts): Changes {
  const paths = [...new Set([...seen.keys(), ...known.keys()])];
  const all = paths.map((path) => [path, [known.get(path) ?? null, seen.get(path) ?? null]] as const);
  return Object.fromEntries(all.filter(([, [old, now]]) => JSON.stringify(old) !== JSON.stringify(now)));
}

function valuesOf({ swap, doubts, refundAddress }: SwapFacts): Facts {
  // An order is the same swap under any spelling of its number.
  const { order: _, ...facts } = swap ?? { order: '' };
  return new Map([...factsOf(facts), ['refundAddress', refundAddress], ['doubts', doubts]]);
}

/** The values of an object of JSON by their paths. */
export function factsOf(value: object): Facts {
  return new Map(leaves(value));
}

function leaves(value: object, path = ''): (readonly [string, ChangedValue])[] {
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
    typeof item === 'object' && item !== null
      ? leaves(item, `${path}${key}.`)
      : [[`${path}${key}`, (item ?? null) as ChangedValue] as const],
  );
}
