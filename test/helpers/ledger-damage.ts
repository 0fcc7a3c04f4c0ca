import { DatabaseSync } from '../../src/core/database/sqlite/connection.ts';

/** Runs SQL on a ledger from outside, as another program or another version of swapctl could. */
export function tamper(ledgerFile: string, sql: string): void {
  const database = new DatabaseSync(ledgerFile);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** SQL after which no entry can be changed. */
export const NO_MORE_ROOM = `create trigger no_more_room before update on intents
  begin select raise(abort, 'no more room'); end`;
