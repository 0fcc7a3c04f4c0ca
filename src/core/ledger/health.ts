import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AnswerCount } from './answers.ts';
import { type FiguresFilter, figureRows } from './report/figures.ts';
import { readFigures } from './report/swap-figures.ts';
import type { IntentRow, LedgerSchema } from './schema.ts';

/** The facts about a swap that the health of a service is computed from. */
export type HealthSwap = Readonly<ReturnType<typeof healthSwap>>;

const HOUR_MS = 3_600_000;
const PAGE = 2000;

/** Created swaps and answers of a service, from which its health is computed. All throw `storage_failed`. */
export function health({ kysely }: Database<LedgerSchema>) {
  return {
    /** The created swaps that pass a filter, profile by profile, oldest first. */
    async *swaps(filter: FiguresFilter): AsyncGenerator<HealthSwap> {
      const created = kysely.selectFrom('intents').select(COLUMNS).where('outcome', '=', 'created');
      for await (const { rows } of figureRows(kysely, created, filter, PAGE)) yield* rows.map(healthSwap);
    },
    /** Answers since the hour of a time, of one account or of all. */
    answers: async (account: string | null, since: number): Promise<readonly AnswerCount[]> => {
      const found = kysely
        .selectFrom('answers')
        .select((is) => ['endpoint', 'answer', is.fn.sum<number | string>('count').as('count')])
        .where('hour', '>=', Math.floor(since / HOUR_MS))
        .groupBy(['endpoint', 'answer']);
      const rows = await (account === null ? found : found.where('account', '=', account)).execute();
      return rows.map((row) => ({ ...row, count: Number.parseInt(String(row.count), 10) }));
    },
    addAnswers: async (account: string, counts: readonly AnswerCount[], at: number): Promise<void> => {
      const hour = Math.floor(at / HOUR_MS);
      await kysely
        .insertInto('answers')
        .values(counts.map((each) => ({ ...each, account, hour })))
        .onConflict((conflict) =>
          conflict
            .columns(['account', 'hour', 'endpoint', 'answer'])
            .doUpdateSet({ count: sql`answers.count + excluded.count` }),
        )
        .execute();
    },
  };
}

/** All of these are in one index. */
const COLUMNS = [
  'requested_at',
  'id',
  'figures',
  'deposit_asset',
  'receive_asset',
  'deposit_amount',
  'doubts',
] as const;

function healthSwap(row: Pick<IntentRow, (typeof COLUMNS)[number]>) {
  const figures = readFigures(row.figures);
  return {
    /** Both sides, as `BTC:BTC`; null for an order that was not created by swapctl. */
    deposit: row.deposit_asset,
    receive: row.receive_asset,
    amount: row.deposit_amount,
    requestedAt: row.requested_at,
    status: figures?.status ?? 'unknown',
    funded: figures?.funded ?? false,
    doubtful: row.doubts !== '[]',
    /** Milliseconds from the creation to the end; null if it has not ended, or the service does not report it. */
    durationMs: figures?.durationMs ?? null,
  };
}
