import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { paged } from '../books.ts';
import {
  DamagedEntryError,
  entryFromRow,
  type IntentOutcome,
  isValidDateMs,
  readableWith,
} from '../entry.ts';
import type { LedgerFilter } from '../filter.ts';
import type { IntentRow, LedgerSchema } from '../schema.ts';
import { readFigures, type SwapFigures, swapFigures } from './swap-figures.ts';

/** The figures of one swap, with its profile, the time of its request, and the outcome of its create. */
export interface ReportedSwap {
  readonly profile: string;
  readonly requestedAt: number;
  readonly outcome: IntentOutcome;
  readonly figures: SwapFigures;
}

/** Conditions on the swaps of a report: those that the index of the figures can check. */
export type FiguresFilter = Pick<LedgerFilter, 'profile' | 'environment' | 'since' | 'until'>;

const USUAL_PAGE = 1000;

/** The figures of reports, a page in memory; `onDamaged` hears of each damaged entry. Throws `storage_failed`. */
export function figures(kysely: Kysely<LedgerSchema>, onDamaged: (error: DamagedEntryError) => void) {
  const readable = readableWith(onDamaged, computed);
  return {
    /** Pages of the swaps that pass a filter, profile by profile, oldest first; a damaged one is left out. */
    async *pages(filter: FiguresFilter, size = USUAL_PAGE): AsyncGenerator<readonly ReportedSwap[]> {
      const all = kysely.selectFrom('intents').select(['requested_at', 'id', 'outcome', 'figures']);
      for await (const { profile, rows } of figureRows(kysely, all, filter, size)) {
        const known: ReportedSwap[] = [];
        const unknown: string[] = [];
        for (const row of rows) {
          const found = isValidDateMs(row.requested_at) ? readFigures(row.figures) : null;
          if (found === null) unknown.push(row.id);
          else known.push(reported(found, profile, row));
        }
        const whole = kysely.selectFrom('intents').selectAll().where('id', 'in', unknown);
        yield unknown.length === 0 ? known : [...known, ...readable(await whole.execute())];
      }
    },
  };
}

type Position = Pick<IntentRow, 'requested_at' | 'id'>;

/** Pages of `size` rows by profile, oldest first: the order of the index `intents_of_profile`, which may have all columns. */
export async function* figureRows<Row extends Position>(
  kysely: Kysely<LedgerSchema>,
  all: SelectQueryBuilder<LedgerSchema, 'intents', Row>,
  filter: FiguresFilter,
  size: number,
) {
  for (const profile of await profilesOf(kysely, filter)) {
    const read = (last: Row | undefined) => page(all, { ...filter, profile }, last, size).execute();
    for await (const rows of paged(size, read)) yield { profile, rows };
  }
}

/** The profiles of the ledger, each by a step in the index of them: reading all of it would take longer than a report. */
async function profilesOf(kysely: Kysely<LedgerSchema>, { profile }: FiguresFilter) {
  if (profile !== null) return [profile];
  const found: string[] = [];
  for (let last = ''; ; found.push(last)) {
    const { next } = await kysely
      .selectFrom('intents')
      .select((is) => is.fn.min<string | null>('profile').as('next'))
      .where('profile', '>', last)
      .executeTakeFirstOrThrow();
    if (next === null) return found;
    last = next;
  }
}

/** One lower bound on the time is given: of two, SQLite would use one for its index and check the other row by row. */
function page<Row>(
  all: SelectQueryBuilder<LedgerSchema, 'intents', Row>,
  { profile, environment, since, until }: FiguresFilter & { readonly profile: string },
  last: Position | undefined,
  size: number,
) {
  let query = all.where('profile', '=', profile);
  if (environment !== null) query = query.where('environment', '=', environment);
  if (until !== null) query = query.where('requested_at', '<', until);
  if (last !== undefined)
    query = query.where(sql<SqlBool>`(requested_at, id) > (${last.requested_at}, ${last.id})`);
  else if (since !== null) query = query.where('requested_at', '>=', since);
  return query.orderBy('requested_at').orderBy('id').limit(size);
}

function reported(figures: SwapFigures, profile: string, row: Pick<IntentRow, 'requested_at' | 'outcome'>) {
  return { profile, requestedAt: row.requested_at, outcome: row.outcome as IntentOutcome, figures };
}

/** Computes the figures of a row. Throws {@link DamagedEntryError}. */
function computed(row: IntentRow): ReportedSwap {
  const figures = swapFigures(entryFromRow(row));
  if (figures === null) throw new DamagedEntryError(row, 'an amount');
  return reported(figures, row.profile, row);
}
