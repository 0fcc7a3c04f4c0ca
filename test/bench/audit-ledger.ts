/** What the bench of the audit chain needs of the ledger, in one bundle. */
export { openLedger } from '../../src/ledger/ledger.ts';
export { startPostgres } from '../database/postgres/server.ts';
export { INTENT, OWNER, observed } from '../ledger/entries.ts';
