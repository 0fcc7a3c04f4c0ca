import type { Choices } from './choices.ts';

/** A time or a duration in milliseconds as text. */
type TimeText = (milliseconds: number) => string;

const iso: TimeText = (at) => new Date(at).toISOString();
const seconds: TimeText = (milliseconds) => String(Math.floor(milliseconds / 1000));

/** The forms of a time, in UTC. */
export const TIME_TEXTS: Readonly<Record<NonNullable<Choices['times']>, TimeText>> = {
  milliseconds: iso,
  seconds: (at) => iso(at).replace(/\.\d{3}Z$/, 'Z'),
  offset: (at) => iso(at).replace(/\.\d{3}Z$/, '+00:00'),
  plain: (at) =>
    iso(at)
      .replace('T', ' ')
      .replace(/\.\d{3}Z$/, ''),
  unix: seconds,
  'unix-milliseconds': String,
};

/** The forms of a duration. */
export const DURATION_TEXTS: Readonly<Record<NonNullable<Choices['duration']>, TimeText>> = {
  clock: clockText,
  seconds,
  milliseconds: String,
};

/** A duration as `HH:MM:SS`, rounded down to whole seconds; more than 99 hours take more digits. */
function clockText(milliseconds: number): string {
  const whole = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
