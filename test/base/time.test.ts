import { describe, expect, test } from 'vitest';
import {
  clockTime,
  dayText,
  localTime,
  localValue,
  readTime,
  relativeTime,
  rfc3339,
  secondsWords,
  spanWords,
} from '../../src/base/time.ts';
import { timeArgument } from '../../src/cli/commands/shared/arguments.ts';

const NOW = Date.parse('2026-01-31T12:00:00.000Z');

describe('a time', () => {
  test.each([
    ['2026-01-31T12:00:00.000Z', 'just now'],
    ['2026-01-31T11:59:59.000Z', '1 second ago'],
    ['2026-01-31T11:59:00.000Z', '1 minute ago'],
    ['2026-01-31T11:01:00Z', '59 minutes ago'],
    ['2026-01-31T11:00:00+00:00', '1 hour ago'],
    ['2026-01-31T13:00:00+02:00', '1 hour ago'],
    ['2026-01-28T12:00:00Z', '3 days ago'],
    ['2026-01-31T14:30:00Z', 'in 2 hours'],
    ['yesterday', 'yesterday'],
    ['2026-01-31', '2026-01-31'],
    ['2026-13-31T12:00:00Z', '2026-13-31T12:00:00Z'],
  ])('%s is shown as %s', (text, words) => expect(relativeTime(text, NOW)).toBe(words));

  test('that is unknown is empty', () => {
    expect([relativeTime(null, NOW), readTime(null)]).toEqual(['', null]);
  });

  test('span is shown in its largest unit', () => {
    expect([999, 1000, 119_000, 7_200_000, 86_400_000 * 40].map(spanWords)).toEqual([
      'a moment',
      '1 second',
      '1 minute',
      '2 hours',
      '40 days',
    ]);
  });

  test('is shown in the local time zone, and invalid text unchanged', () => {
    expect(clockTime(rfc3339(NOW))).toBe(new Date(NOW).toTimeString().slice(0, 8));
    expect(clockTime('soon')).toBe('soon');
  });
});

test.each(['endedAt', 'deposit.confirmedAt', 'quietUntil', 'now', 'since'])('%s is in local time', (path) => {
  const text = '2026-01-31T12:00:00.000Z';
  expect(localValue(path, text)).toBe(localTime(text));
  expect(localValue('status', text)).toBe(text);
});

test('a day is that of its time zone, and earlier days are counted by the calendar', () => {
  expect(dayText(NOW, 'utc')).toBe('2026-01-31');
  expect(dayText(Date.parse('2026-03-01T00:30:00Z'), 'utc', 1)).toBe('2026-02-28');
  const lateEvening = new Date(2026, 2, 29, 23, 30).getTime();
  expect([dayText(lateEvening, 'local'), dayText(lateEvening, 'local', 1)]).toEqual([
    '2026-03-29',
    '2026-03-28',
  ]);
});

describe('a --since or --until value', () => {
  test.each([
    ['7d', 'start', '2026-01-24T12:00:00.000Z'],
    ['30m', 'end', '2026-01-31T11:30:00.000Z'],
    ['today', 'start', '2026-01-31T00:00:00.000Z'],
    ['Yesterday', 'start', '2026-01-30T00:00:00.000Z'],
    ['yesterday', 'end', '2026-01-31T00:00:00.000Z'],
    ['2026-01-02', 'end', '2026-01-03T00:00:00.000Z'],
    ['2026-01-02T01:00:00+01:00', 'end', '2026-01-02T00:00:00.000Z'],
  ] as const)('%s as the %s means %s', (text, edge, time) => {
    expect(rfc3339(timeArgument(text, edge, NOW) ?? 0)).toBe(time);
  });

  test.each(['7', 'd', '-7d', 'constructor', '2026-02-30', '2026-1-1'])('cannot be %s', (text) => {
    expect(() => timeArgument(text, 'start', NOW)).toThrow(`Invalid time ${text}: use a day`);
  });
});

test.each([
  [4.25, '4.2 s'],
  [60, '1 min'],
  [90, '1 min 30 s'],
  [3660, '1 h 1 min'],
  [3605, '1 h'],
  [86_400, '1 d'],
  [90_000, '1 d 1 h'],
])('%d seconds are shown as %s', (seconds, words) => expect(secondsWords(seconds)).toBe(words));
