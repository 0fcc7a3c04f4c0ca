/** A length of time in its largest whole unit; a day is 24h. */
export function durationText(milliseconds: number): string {
  const isWhole = (unit: keyof typeof SIZES) => milliseconds % SIZES[unit] === 0;
  const large = isWhole('d') && milliseconds !== SIZES.d ? 'd' : 'h';
  const unit = isWhole(large) ? large : isWhole('m') ? 'm' : 's';
  return `${milliseconds / SIZES[unit]}${unit}`;
}

/** Milliseconds of each unit of a duration. */
export const SIZES = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The items sorted by text, without duplicates. */
export function sortedBy<T>(items: readonly T[], textOf: (item: T) => string): readonly T[] {
  const byText = new Map(items.map((item) => [textOf(item), item]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

/** The fields that have a value. */
export function present(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** The numbers of a rule that has none. */
export const NO_LIMIT = { limit: null, spent: null, left: null } as const;
