const UNITS: readonly (readonly [name: string, milliseconds: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** A time of the service's as milliseconds since 1970, or null if it is not RFC 3339. */
export function readTime(text: string | null): number | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i.test(text))
    return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/**
 * A time that the service names, such as the end of a deposit window, in milliseconds since 1970; read from RFC 3339, or
 * from seconds or milliseconds since 1970. Null if it cannot be read.
 */
export function wireTime(text: string | null): number | null {
  if (text !== null && /^[0-9]{10}$/.test(text)) return Number.parseInt(text, 10) * 1000;
  return text !== null && /^[0-9]{13}$/.test(text) ? Number.parseInt(text, 10) : readTime(text);
}

/** Distance of a time from now, for people: `3 minutes ago`, `in 2 hours`; a text that is not a time is returned. */
export function relativeTime(text: string | null, now: number): string {
  if (text === null) return '';
  const time = readTime(text);
  if (time === null) return text;
  const distance = Math.abs(time - now);
  if (distance < 1000) return 'just now';
  const words = spanWords(distance);
  return time <= now ? `${words} ago` : `in ${words}`;
}

/** A length of time by its largest unit, `3 minutes`. */
export function spanWords(milliseconds: number): string {
  for (const [name, size] of UNITS) {
    const count = Math.floor(milliseconds / size);
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'}`;
  }
  return 'a moment';
}

/** A number of seconds by its two largest units, `6 min 5 s`; below a minute with its fraction, `4.2 s`. */
export function secondsWords(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ];
  const largest = parts.findIndex(([count]) => count > 0);
  const shown = parts.slice(largest, largest + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** The time of day of an RFC 3339 time on the clock of this machine, `14:03:59`. */
export function clockTime(text: string): string {
  const time = readTime(text);
  return time === null ? text : new Date(time).toTimeString().slice(0, 8);
}

/** Milliseconds since 1970 as RFC 3339 in UTC. */
export function rfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** {@link rfc3339}, or null. */
export function rfc3339OrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : rfc3339(milliseconds);
}

/** An RFC 3339 time as day and time of day on the clock of this machine, `2026-01-31 14:03:59`. */
export function localTime(text: string): string {
  const time = readTime(text);
  if (time === null) return text;
  return `${dayText(time, 'local')} ${new Date(time).toTimeString().slice(0, 8)}`;
}

/** The value of a path on a screen, in {@link localTime} if the path ends in `At` or `Until` or is `now` or `since`. */
export function localValue(path: string, text: string): string {
  return /(At|Until)$|^(now|since)$/.test(path) ? localTime(text) : text;
}

/** The time zone of this machine with its offset from UTC at a time, `Europe/Berlin (UTC+01:00)`. */
export function zoneName(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const distance = `${twoDigits(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`;
  const zone = `UTC${minutes < 0 ? '-' : '+'}${distance}`;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === undefined || timeZone === 'UTC' ? zone : `${timeZone} (${zone})`;
}

/** Where days begin: on the clock of this machine, or in UTC. */
export type DayZone = 'local' | 'utc';

/** First moment of a day such as 2026-01-31, or of the next one, in milliseconds since 1970; null for other text. */
export function dayStart(text: string, zone: DayZone, daysLater: 0 | 1 = 0): number | null {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map((part) =>
    Number.parseInt(part, 10),
  );
  if (year === undefined || month === undefined || day === undefined) return null;
  const exact = new Date(Date.UTC(year, month - 1, day));
  if (exact.toISOString().slice(0, 10) !== text) return null;
  return zone === 'utc'
    ? Date.UTC(year, month - 1, day + daysLater)
    : new Date(year, month - 1, day + daysLater).getTime();
}

/** The day of a time, `2026-01-31`, or a number of days before it. */
export function dayText(milliseconds: number, zone: DayZone, daysBefore = 0): string {
  const time = new Date(milliseconds);
  if (zone === 'utc') return new Date(milliseconds - daysBefore * 86_400_000).toISOString().slice(0, 10);
  // Not 24 hours earlier: a day with a clock change is longer or shorter.
  const day = new Date(time.getFullYear(), time.getMonth(), time.getDate() - daysBefore);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map(twoDigits).join('-');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

const DURATION_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration such as `30s`, `10m`, `2h` or `1d` in milliseconds; null for any other text, and for none at all. */
export function parseDuration(text: string): number | null {
  const match = /^([0-9]{1,6})([smhd])$/.exec(text);
  const unit = match?.[2] as keyof typeof DURATION_MS | undefined;
  const milliseconds = unit === undefined ? 0 : Number.parseInt(match?.[1] ?? '0', 10) * DURATION_MS[unit];
  return milliseconds > 0 ? milliseconds : null;
}
