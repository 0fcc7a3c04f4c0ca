import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteConnection } from './connection.ts';

export function sqliteDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely's driver on one connection, whose users take turns in order. A power cut may undo the commits of `relaxed`. */
export function sqliteDrivers(sqlite: SqliteConnection) {
  let inTransaction = false;
  let lastTurn = Promise.resolve();
  let endTurn = (): void => undefined;
  /** Time at which the current user asked for the connection; all that wait for the same lock time out together. */
  let askedAt = 0;
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const since = inTransaction ? undefined : askedAt;
      const { rows, changes } = await sqlite.runPatiently(sql, parameters, since);
      return { rows: rows as Row[], ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }) };
    },
    streamQuery: () => {
      throw new TypeError('Streaming is not supported; read in pages.');
    },
  };
  const durable: Driver = {
    init: async () => undefined,
    acquireConnection: async () => {
      const asked = performance.now();
      const previous = lastTurn;
      let end = (): void => undefined;
      lastTurn = new Promise((resolve) => {
        end = resolve;
      });
      await previous;
      endTurn = end;
      askedAt = asked;
      return connection;
    },
    releaseConnection: async () => endTurn(),
    beginTransaction: async () => {
      await sqlite.runPatiently('begin immediate', [], askedAt);
      inTransaction = true;
    },
    commitTransaction: async () => {
      await sqlite.runPatiently('commit');
      inTransaction = false;
    },
    rollbackTransaction: async () => {
      inTransaction = false;
      sqlite.rollBack();
    },
    destroy: async () => {
      sqlite.tidy();
      sqlite.close();
    },
  };
  const relaxed: Driver = {
    ...durable,
    destroy: async () => undefined,
    acquireConnection: async () => {
      const acquired = await durable.acquireConnection();
      try {
        sqlite.setSynchronous('normal');
      } catch (error) {
        endTurn();
        throw error;
      }
      return acquired;
    },
    releaseConnection: async () => {
      try {
        sqlite.setSynchronous('full');
      } finally {
        endTurn();
      }
    },
  };
  return { durable, relaxed };
}
