import type { Kysely } from 'kysely';
import type { LedgerFilter } from '../books.ts';
import { passes } from '../books.ts';
import type { IntentOutcome } from '../entry.ts';
import { DamagedEntryError, entryFromRow, isMoment } from '../entry.ts';
import { readableWith } from '../readable.ts';
import type { IntentRow, LedgerSchema } from '../schema.ts';
import type { SwapFigures } from './swap-figures.ts';
import { readFigures, swapFigures } from './swap-figures.ts';

/** The figures of one swap, with whose it is and what became of its create. */
export interface ReportedSwap {
  readonly profile: string;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  readonly outcome: IntentOutcome;
  readonly figures: SwapFigures;
}

/** Reads of the figures that reports need, which hold one page of the ledger in memory. All throw `storage_failed`. */
export interface Figures {
  /** Pages of the swaps that pass a filter, profile by profile, the oldest first; a damaged one is left out. */
  pages(filter: LedgerFilter, pageSize?: number): AsyncIterable<readonly ReportedSwap[]>;
  /** Whether any entry passes a filter. */
  any(filter: LedgerFilter): Promise<boolean>;
}

const USUAL_PAGE = 1000;

/** See {@link Figures}. `onDamaged` is called once for each damaged entry that is come across. */
export function figures(
  kysely: Kysely<LedgerSchema>,
  onDamaged: (error: DamagedEntryError) => void,
): Figures {
  const readable = readableWith(onDamaged, computed);
  return {
    async *pages(filter, size = USUAL_PAGE) {
      for await (const { profile, rows } of pagesOfRows(kysely, filter, size)) {
        const known: ReportedSwap[] = [];
        const unknown: string[] = [];
        for (const row of rows) {
          const found = isMoment(row.requested_at) ? readFigures(row.figures) : null;
          if (found === null) unknown.push(row.id);
          else known.push(reported(found, profile, row));
        }
        yield [...known, ...readable(await wholeRows(kysely, unknown))];
      }
    },
    any: async (filter) => {
      const found = kysely.selectFrom('intents').select('id').limit(1);
      return (await found.where((is) => passes(is, filter)).executeTakeFirst()) !== undefined;
    },
  };
}

/** All of these are in one index, after the profile. */
const COLUMNS = ['requested_at', 'id', 'outcome', 'figures'] as const satisfies readonly (keyof IntentRow)[];

type FiguresRow = Pick<IntentRow, (typeof COLUMNS)[number]>;

/** Rows profile by profile, oldest first, for that is the order of the index. */
async function* pagesOfRows(
  kysely: Kysely<LedgerSchema>,
  filter: LedgerFilter,
  size: number,
): AsyncGenerator<{ readonly profile: string; readonly rows: readonly FiguresRow[] }> {
  for (const profile of await profilesOf(kysely, filter)) {
    let last: FiguresRow | undefined;
    do {
      const rows = await page(kysely, { ...filter, profile }, last, size);
      if (rows.length > 0) yield { profile, rows };
      last = rows.length < size ? undefined : rows.at(-1);
    } while (last !== undefined);
  }
}

async function profilesOf(
  kysely: Kysely<LedgerSchema>,
  { profile }: LedgerFilter,
): Promise<readonly string[]> {
  if (profile !== null) return [profile];
  const rows = await kysely.selectFrom('intents').select('profile').distinct().orderBy('profile').execute();
  return rows.map((row) => row.profile);
}

function page(
  kysely: Kysely<LedgerSchema>,
  filter: LedgerFilter,
  last: FiguresRow | undefined,
  size: number,
): Promise<FiguresRow[]> {
  let query = kysely
    .selectFrom('intents')
    .select(COLUMNS)
    .where((is) => passes(is, filter));
  if (last !== undefined)
    // The first condition is implied by the second; it is what the index is used for.
    query = query
      .where('requested_at', '>=', last.requested_at)
      .where((is) => is.or([is('requested_at', '>', last.requested_at), is('id', '>', last.id)]));
  return query.orderBy('requested_at').orderBy('id').limit(size).execute();
}

async function wholeRows(
  kysely: Kysely<LedgerSchema>,
  ids: readonly string[],
): Promise<readonly IntentRow[]> {
  if (ids.length === 0) return [];
  return kysely
    .selectFrom('intents')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('requested_at')
    .orderBy('id')
    .execute();
}

function reported(
  figures: SwapFigures,
  profile: string,
  row: Pick<IntentRow, 'requested_at' | 'outcome'>,
): ReportedSwap {
  return { profile, requestedAt: row.requested_at, outcome: row.outcome as IntentOutcome, figures };
}

/** Computes the figures of a row. Throws {@link DamagedEntryError}. */
function computed(row: IntentRow): ReportedSwap {
  const figures = swapFigures(entryFromRow(row));
  if (figures === null) throw new DamagedEntryError(row, 'an amount');
  return reported(figures, row.profile, row);
}
