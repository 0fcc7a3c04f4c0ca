import { type DayZone, dayText } from '../../../base/time.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { Environment } from '../../swap/swap.ts';
import type { ReportedSwap } from './figures.ts';
import { type ReportGroup, Tally } from './tally.ts';

/** Groups by calendar, from {@link DayZone}: `2026-01-31`, the ISO week `2026-W05`, `2026-01`. */
export const CALENDAR_GROUPINGS = ['day', 'week', 'month'] as const;
type CalendarGrouping = (typeof CALENDAR_GROUPINGS)[number];

/** How swaps are grouped; `label:<key>` by the value of a label. */
export type Grouping = 'status' | 'pair' | CalendarGrouping | 'profile' | `label:${string}`;

/** Whether swaps are grouped by the day, week or month of their create. */
export function isByCalendar(by: Grouping): by is CalendarGrouping {
  return CALENDAR_GROUPINGS.some((each) => each === by);
}

export interface Report {
  /** RFC 3339, UTC; null for no limit. */
  readonly since: string | null;
  readonly until: string | null;
  readonly by: Grouping;
  readonly groups: readonly ReportGroup[];
  readonly total: ReportGroup;
  readonly environment: Environment;
  /** The only profile whose swaps are added up; null for all. */
  readonly profile: string | null;
}

/** How swaps are grouped, and the partner's share in percent. */
export interface Grouped {
  readonly by: Grouping;
  readonly days: DayZone;
  readonly share: Decimal | null;
}

/** Adds up pages of swaps, group by group: days, weeks and months in order, otherwise the largest group first. */
export async function addUp(pages: AsyncIterable<readonly ReportedSwap[]>, { by, days, share }: Grouped) {
  const tallies = new Map<string | null, Tally>();
  const keyOf = keyBy(by, days);
  for await (const page of pages)
    for (const swap of page) {
      const key = keyOf(swap);
      const tally = tallies.get(key) ?? new Tally();
      tallies.set(key, tally);
      tally.add(swap);
    }
  const total = new Tally();
  for (const tally of tallies.values()) total.addTally(tally);
  const ordered = [...tallies].sort(
    isByCalendar(by) ? byKey : (a, b) => b[1].count - a[1].count || byKey(a, b),
  );
  const groups = ordered.map(([key, tally]) => tally.result(key, share));
  return { by, groups, total: total.result(null, share) };
}

type Keyed = readonly [key: string | null, tally: Tally];

function byKey([a]: Keyed, [b]: Keyed): number {
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

function keyBy(by: Grouping, days: DayZone): (swap: ReportedSwap) => string | null {
  if (by === 'status')
    return ({ outcome, figures: { status } }) => (outcome === 'created' ? status : outcome);
  if (by === 'profile') return ({ profile }) => profile;
  if (isByCalendar(by)) return ({ requestedAt }) => PERIODS[by](dayText(requestedAt, days));
  if (by === 'pair')
    return ({ figures: { depositCoin, receiveCoin } }) =>
      depositCoin === null || receiveCoin === null ? null : `${depositCoin}_${receiveCoin}`;
  const label = by.slice('label:'.length);
  return ({ figures: { labels } }) => (Object.hasOwn(labels, label) ? (labels[label] ?? null) : null);
}

const PERIODS: Readonly<Record<CalendarGrouping, (day: string) => string>> = {
  day: (day) => day,
  week: isoWeek,
  month: (day) => day.slice(0, 'YYYY-MM'.length),
};

const DAY_MS = 86_400_000;

/** The ISO 8601 week of a day, `2026-W05`: it starts on Monday and belongs to the year of its Thursday. */
function isoWeek(day: string): string {
  const start = Date.parse(`${day}T00:00:00Z`);
  const monday = start - ((new Date(start).getUTCDay() + 6) % 7) * DAY_MS;
  const year = new Date(monday + 3 * DAY_MS).getUTCFullYear();
  const week = 1 + Math.floor((monday + 3 * DAY_MS - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${year}-W${String(week).padStart(2, '0')}`;
}
