/** What the bench of the audit chain needs of the ledger, in one bundle. */
export { openLedger } from '../../src/core/ledger/ledger.ts';
export { startPostgres } from '../core/database/postgres/server.ts';
export { INTENT, OWNER, observed } from '../core/ledger/entries.ts';
