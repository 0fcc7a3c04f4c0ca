import { openDatabase } from '../../../src/core/database/open.ts';
import { LEDGER_MIGRATIONS } from '../../../src/core/ledger/migrations.ts';
import type { LedgerSchema } from '../../../src/core/ledger/schema.ts';

/** The tables of a ledger, as a program that is not this version of swapctl could use them. */
export const openTables = (location: string) =>
  openDatabase<LedgerSchema>(location, LEDGER_MIGRATIONS, { name: 'ledger' });
