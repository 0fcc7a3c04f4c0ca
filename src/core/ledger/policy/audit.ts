import { hash } from 'node:crypto';
import { type Compilable, CompiledQuery, type Kysely } from 'kysely';
import { rfc3339 } from '../../../base/time.ts';
import type { Database, NamedQuery } from '../../database/database.ts';
import { paged } from '../books.ts';
import type { Owner } from '../entry.ts';
import type { LedgerSchema, Transaction } from '../schema.ts';
import { type ChainHead, type ChainVerification, ChainVerifier, EMPTY_HEAD, hashOf } from './chain.ts';

/** A fact for the audit chain: a type such as `approval.used`, its data, and when, in milliseconds since 1970. */
export interface AuditFact {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** Writes a fact at the end of a transaction, after its `change`; false, and nothing written, if that changed no row. */
export type WriteFact = (
  tx: Transaction,
  owner: Pick<Owner, 'account' | 'profile'>,
  fact: AuditFact,
  change?: Compilable,
) => Promise<boolean>;

export function auditWriter({ kind }: Pick<Database<LedgerSchema>, 'kind'>, actor: string): WriteFact {
  const append = kind === 'postgres' ? appendInPostgres : appendInSqlite;
  return (tx, { account, profile }, { type, data, at }, change) => {
    const content = { at: rfc3339(at), actor, profile, account, type, data };
    return append(tx, account, JSON.stringify(content).slice(1, -1), change);
  };
}

// Compiled once, because the query builder would take half the time of a link.
const LAST = CompiledQuery.raw(
  'select n, hash from audit order by n desc limit 1',
) as CompiledQuery<ChainHead>;
const ADD = 'insert into audit (n, account, body, hash) values (?, ?, ?, ?)';

async function appendInSqlite(tx: Transaction, account: string, content: string, change?: Compilable) {
  if (change !== undefined && (await tx.executeQuery(change)).numAffectedRows !== 1n) return false;
  const last = (await tx.executeQuery(LAST)).rows[0] ?? EMPTY_HEAD;
  const n = last.n + 1;
  const body = `{"n":${n},${content},"previous":"${last.hash}"}`;
  await tx.executeQuery(CompiledQuery.raw(ADD, [n, account, body, hashOf(body)]));
  return true;
}

/** Adds a link on the server, whose account and content are the parameters of these numbers. */
function appendLinkSql(account: number, content: number, where = ''): string {
  const source = `select n, $${account}, body, encode(sha256(convert_to(body, 'UTF8')), 'hex')`;
  return `insert into audit (n, account, body, hash) ${source}
  from (select n + 1 as n, '{"n":' || (n + 1) || $${content}::text || hash || '"}' as body from audit order by audit.n desc limit 1) as link
  ${where} on conflict (n) do nothing`;
}
const APPEND_LINK = appendLinkSql(1, 2);
const APPEND_FIRST_LINK = `insert into audit (n, account, body, hash)
  select 1, $1, body, encode(sha256(convert_to(body, 'UTF8')), 'hex') from (select '{"n":1' || $2::text || '${EMPTY_HEAD.hash}"}' as body) as link
  on conflict (n) do nothing`;

/** In one round trip with the change, planned once: half the time. Of two writers of one number the second follows. */
async function appendInPostgres(tx: Transaction, account: string, content: string, change?: Compilable) {
  const link = [account, `,${content},"previous":"`];
  if (change !== undefined) {
    const { sql, parameters } = change.compile();
    const next = parameters.length + 1;
    const added = appendLinkSql(next, next + 1, 'where exists (select 1 from changed)');
    const query = preparedQuery(
      `with changed as (${sql} returning 1), added as (${added} returning 1)
  select (select count(*)::int from changed) as changed, (select count(*)::int from added) as added`,
      [...parameters, ...link],
    );
    const [counts] = (await tx.executeQuery<{ changed: number; added: number }>(query)).rows;
    if (counts?.changed !== 1) return false;
    if (counts.added === 1) return true;
  }
  const isAdded = async (text: string) =>
    (await tx.executeQuery(preparedQuery(text, link))).numAffectedRows === 1n;
  while (!((await isAdded(APPEND_LINK)) || (await isAdded(APPEND_FIRST_LINK))));
  return true;
}

/** A query that the server keeps planned; each text has a name of its own. */
function preparedQuery(text: string, parameters: readonly unknown[]): NamedQuery {
  return { ...CompiledQuery.raw(text, [...parameters]), name: hash('sha256', text).slice(0, 32) };
}

const PAGE = 1000;

export function auditReads(kysely: Kysely<LedgerSchema>) {
  const links = async function* () {
    const all = kysely.selectFrom('audit').selectAll().orderBy('n').limit(PAGE);
    const read = (last: Pick<ChainHead, 'n'> = EMPTY_HEAD) => all.where('n', '>', last.n).execute();
    for await (const rows of paged(PAGE, read)) yield* rows;
  };
  return {
    /** The last link; n is 0 where there is none. */
    head: async (): Promise<ChainHead> => {
      const query = kysely.selectFrom('audit').select(['n', 'hash']).orderBy('n', 'desc').limit(1);
      return (await query.executeTakeFirst()) ?? EMPTY_HEAD;
    },
    links,
    /** The newest links, newest first, perhaps of one account. */
    newest: (limit: number | null, account: string | null) => {
      const all = kysely.selectFrom('audit').selectAll().orderBy('n', 'desc');
      const query = limit === null ? all : all.limit(limit);
      return (account === null ? query : query.where('account', '=', account)).execute();
    },
    /** The problems of the chain, and where it ends. */
    verify: async (expected: ChainHead | null): Promise<ChainVerification> => {
      const verifier = new ChainVerifier(expected);
      for await (const row of links()) verifier.add(row);
      return verifier.end();
    },
  };
}
