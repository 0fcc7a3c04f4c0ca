import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Labels } from '../swap/labels.ts';
import type { Environment } from '../swap/swap.ts';
import type { IntentOutcome } from './entry.ts';
import type { LedgerSchema } from './schema.ts';
import { contains, matchesSearch, mayHaveWord } from './search.ts';

/** Condition on the state of an entry: one of the outcomes, or the status code of a created swap; either is enough. */
export interface StateFilter {
  readonly outcomes: readonly IntentOutcome[];
  /** Codes that a created swap may have, or must not have; a swap that was never seen has none of any. */
  readonly codes: { readonly anyOf: readonly number[] } | { readonly noneOf: readonly number[] } | null;
}

/** Conditions on ledger entries, all of which must hold; null leaves one out. */
export interface LedgerFilter {
  readonly profile: string | null;
  readonly environment: Environment | null;
  readonly state: StateFilter | null;
  /** Coin on either side, in any case. */
  readonly coin: string | null;
  /** Requested at this time or later, in milliseconds since 1970. */
  readonly since: number | null;
  /** Requested before this time, in milliseconds since 1970. */
  readonly until: number | null;
  /** All of these; none if empty. */
  readonly labels: Labels;
  /** A term that it is found by: see `matchesSearch`. */
  readonly search: string | null;
}

export const EVERY_ENTRY: LedgerFilter = {
  profile: null,
  environment: null,
  state: null,
  coin: null,
  since: null,
  until: null,
  labels: {},
  search: null,
};

export type Is = ExpressionBuilder<LedgerSchema, 'intents'>;

/** Condition of the rows that pass a filter. */
export function passes(is: Is, filter: LedgerFilter): Expression<SqlBool> {
  const { profile, environment, state, coin, since, until, labels, search } = filter;
  return is.and([
    ...(profile === null ? [] : [is('profile', '=', profile)]),
    ...(environment === null ? [] : [is('environment', '=', environment)]),
    ...(state === null ? [] : [hasState(is, state)]),
    ...(since === null ? [] : [is('requested_at', '>=', since)]),
    ...(until === null ? [] : [is('requested_at', '<', until)]),
    ...(coin === null ? [] : [hasCoin(coin)]),
    ...Object.entries(labels).map(([key, value]) => contains(sql`labels`, member(key, value))),
    ...(search === null ? [] : [matchesSearch(search)]),
  ]);
}

function hasState(is: Is, { outcomes, codes }: StateFilter): Expression<SqlBool> {
  const created = is('outcome', '=', 'created');
  return is.or([
    ...(outcomes.length === 0 ? [] : [is('outcome', 'in', [...outcomes])]),
    ...(codes === null ? [] : [is.and([created, hasCode(is, codes)])]),
  ]);
}

function hasCode(is: Is, codes: NonNullable<StateFilter['codes']>): Expression<SqlBool> {
  if ('anyOf' in codes) return is('status_code', 'in', [...codes.anyOf]);
  return is.or([is('status_code', 'is', null), is('status_code', 'not in', [...codes.noneOf])]);
}

/**
 * Whether the swap, or before there is one its request, has this coin on a side: `coin` is a key of their sides alone.
 * Both databases lower-case ASCII letters; a coin with other letters is also found in its own spelling.
 */
function hasCoin(coin: string): Expression<SqlBool> {
  const text = sql`coalesce(snapshot, request)`;
  const lowered = contains(sql`lower(${text})`, member('coin', coin.toLowerCase()));
  // The words of a search are in an index: most rows need not be read.
  return sql<SqlBool>`(${mayHaveWord(coin)} and (${lowered} or ${contains(text, member('coin', coin))}))`;
}

/** A member of an object in our JSON. Quotes in a text are escaped there, so no other text can contain it. */
function member(key: string, value: string): string {
  return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}
