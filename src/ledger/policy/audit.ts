import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Owner } from '../entry.ts';
import type { LedgerSchema } from '../schema.ts';
import { type ChainHead, type ChainProblem, ChainVerifier, EMPTY_HEAD, hashOf } from './chain.ts';

/** What is written into the chain. */
export interface AuditFact {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Writes a fact into the chain, as the last statement of a transaction that changes something. */
export type WriteFact = (
  tx: Kysely<LedgerSchema>,
  owner: Pick<Owner, 'account' | 'profile'>,
  fact: AuditFact,
) => Promise<void>;

/** Number of the lock that makes writers of the chain take turns on PostgreSQL: the letters `audit`. */
const CHAIN_LOCK = 0x6175646974n.toString();

/** Writes links on behalf of an actor. The lock is the last that a transaction takes, so that no two wait for each other. */
export function auditWriter({ kind }: Pick<Database<LedgerSchema>, 'kind'>, actor: string): WriteFact {
  return async (tx, { account, profile }, { type, data, at }) => {
    if (kind === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(CHAIN_LOCK)}::bigint)`.execute(tx);
    const last = await tx
      .selectFrom('audit')
      .select(['n', 'hash'])
      .orderBy('n', 'desc')
      .limit(1)
      .executeTakeFirst();
    const { n, hash: previous } = last ?? EMPTY_HEAD;
    const link = { n: n + 1, at: new Date(at).toISOString(), actor, profile, account, type, data, previous };
    const body = JSON.stringify(link);
    await tx
      .insertInto('audit')
      .values({ n: n + 1, account, body, hash: hashOf(body) })
      .execute();
  };
}

/** Links that are read at once. */
const PAGE = 1000;

/** Reading and checking the audit chain. */
export function auditReads(kysely: Kysely<LedgerSchema>) {
  const pages = async function* (after = 0) {
    for (let last = after; ; ) {
      const rows = await kysely
        .selectFrom('audit')
        .selectAll()
        .where('n', '>', last)
        .orderBy('n')
        .limit(PAGE)
        .execute();
      yield* rows;
      const end = rows.at(-1);
      if (end === undefined) return;
      last = end.n;
    }
  };
  return {
    /** The last link; n is 0 where there is none. */
    head: async (): Promise<ChainHead> => {
      const query = kysely.selectFrom('audit').select(['n', 'hash']).orderBy('n', 'desc').limit(1);
      return (await query.executeTakeFirst()) ?? EMPTY_HEAD;
    },
    /** Every link, oldest first. */
    links: () => pages(),
    /** The newest links, newest first, perhaps of one account. */
    newest: (limit: number | null, account: string | null) => {
      const all = kysely.selectFrom('audit').selectAll().orderBy('n', 'desc');
      const query = limit === null ? all : all.limit(limit);
      return (account === null ? query : query.where('account', '=', account)).execute();
    },
    /** What is wrong with the chain, and where it ends. */
    verify: async (
      expected: ChainHead | null,
    ): Promise<{ readonly problems: readonly ChainProblem[]; readonly head: ChainHead }> => {
      const verifier = new ChainVerifier(expected);
      for await (const row of pages()) verifier.add(row);
      return { problems: verifier.end(), head: verifier.head };
    },
  };
}
