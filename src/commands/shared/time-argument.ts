import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { echoed } from '../../text.ts';
import { dayStart, readTime, zoneName } from '../../time.ts';

/** Where days begin: on the clock of this machine for a person, in UTC for a program. */
export type DayZone = 'local' | 'utc';

/** Days are local on a terminal, and UTC in pipes, in JSON and in files. */
export function dayZone({ streams }: Pick<Context, 'streams'>): DayZone {
  return streams.format === 'screen' ? 'local' : 'utc';
}

/**
 * Reads a day such as 2026-01-31, by its start or its end, or an RFC 3339 time, in milliseconds since 1970. `zone` says
 * where days begin.
 */
export function timeArgument(
  text: string | null,
  edge: 'start' | 'end',
  zone: DayZone = 'utc',
): number | null {
  if (text === null) return null;
  const day = dayStart(text, zone, edge === 'start' ? 0 : 1);
  const time = day ?? (/^\d{4}-\d{2}-\d{2}$/.test(text) ? null : readTime(text));
  if (time !== null) return time;
  throw new UsageError(
    `Invalid time ${echoed(text)}: use a day such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z.`,
  );
}

/** Says on a terminal that the days of these flags are local ones, where one of them is a day. */
export function noteLocalDays(
  context: Pick<Context, 'streams' | 'now'>,
  texts: readonly (string | null)[],
): void {
  if (dayZone(context) === 'utc' || !texts.some((text) => /^\d{4}-\d{2}-\d{2}$/.test(text ?? ''))) return;
  context.streams.note(`Days are in local time (${zoneName(context.now())}); in a pipe, in UTC.`);
}
