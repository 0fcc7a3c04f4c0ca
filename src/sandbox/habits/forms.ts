import { rfc3339 } from '../../base/time.ts';
import type { JsonValue } from '../../core/partner-api/json.ts';
import { shortenBound, toSmallestUnit } from '../../core/swap/amount.ts';
import type { PairTerms, PricePair } from '../prices/pair-terms.ts';
import type { Choices, ChosenBounds } from './choices.ts';

/** A time or a duration in milliseconds as text. */
type TimeText = (milliseconds: number) => string;

const seconds: TimeText = (milliseconds) => String(Math.floor(milliseconds / 1000));

/** The forms of a time, in UTC. */
export const TIME_FORMATTERS: Readonly<Record<NonNullable<Choices['times']>, TimeText>> = {
  milliseconds: rfc3339,
  seconds: (at) => rfc3339(at).replace(/\.\d{3}Z$/, 'Z'),
  offset: (at) => rfc3339(at).replace(/\.\d{3}Z$/, '+00:00'),
  plain: (at) =>
    rfc3339(at)
      .replace('T', ' ')
      .replace(/\.\d{3}Z$/, ''),
  unix: seconds,
  'unix-milliseconds': String,
};

export const DURATION_FORMATTERS: Readonly<Record<NonNullable<Choices['duration']>, TimeText>> = {
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

type Members = Record<string, unknown>;

/**
 * A copy of an answer with more fields, by paths such as `pairs.deposit.coin.icon`; `coins[].id` goes into each item of
 * a list. A path that does not exist in this answer is skipped, and an existing field is kept.
 */
export function withFields(body: unknown, fields: Readonly<Record<string, JsonValue>>): unknown {
  return Object.entries(fields).reduce((at, [path, value]) => withField(at, path.split('.'), value), body);
}

function withField(at: unknown, [step = '', ...rest]: readonly string[], value: JsonValue): unknown {
  if (typeof at !== 'object' || at === null || Array.isArray(at)) return at;
  const members = at as Members;
  const name = step.replace(/\[\]$/, '');
  if (rest.length === 0) return Object.hasOwn(members, name) ? at : { ...members, [name]: value };
  const next = members[name];
  if (next === undefined || next === null) return at;
  const below = step.endsWith('[]')
    ? Array.isArray(next)
      ? next.map((item: unknown) => withField(item, rest, value))
      : next
    : withField(next, rest, value);
  return { ...members, [name]: below };
}

export type TermsOf = (pair: PricePair) => PairTerms;

/** Terms of pairs whose bounds are chosen; those of networks come before those of whole coins. */
export function withBounds(termsOf: TermsOf, chosen: readonly ChosenBounds[]): TermsOf {
  const byPair = new Map(chosen.map((bounds) => [`${bounds.from} ${bounds.to}`, bounds]));
  return (pair) => {
    const terms = termsOf(pair);
    const bounds = names(pair.from)
      .flatMap((from) => names(pair.to).map((to) => byPair.get(`${from} ${to}`)))
      .find((found) => found !== undefined);
    return bounds === undefined ? terms : bounded(terms, bounds, pair.from.decimals);
  };
}

function names({ coin, network }: PricePair['from']): readonly string[] {
  return [`${coin}:${network}`, coin];
}

/** Bounds are shown digit for digit, and enforced in whole units of the coin. */
function bounded(terms: PairTerms, { min, max }: ChosenBounds, decimals: number): PairTerms {
  const units = (bound: string, direction: 'up' | 'down') =>
    toSmallestUnit(shortenBound(bound, decimals, direction), decimals);
  return {
    ...terms,
    bounds: { min, max: max ?? '0' },
    min: units(min, 'up'),
    max: max === null ? null : units(max, 'down'),
  };
}
