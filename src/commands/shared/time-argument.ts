import { UsageError } from '../../errors.ts';
import { readTime } from '../../terminal/time.ts';

const DAY_MS = 86_400_000;

/** Reads a day such as 2026-01-31 (UTC), by its start or its end, or an RFC 3339 time, in milliseconds since 1970. */
export function timeArgument(text: string | null, edge: 'start' | 'end'): number | null {
  if (text === null) return null;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? readTime(`${text}T00:00:00Z`) : null;
  if (day !== null) return edge === 'start' ? day : day + DAY_MS;
  const time = readTime(text);
  if (time !== null) return time;
  throw new UsageError(
    `${text.slice(0, 40)} is not a day such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z.`,
  );
}
