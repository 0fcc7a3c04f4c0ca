import { join } from 'node:path';
import type { IntentRow } from '../../src/core/ledger/schema.ts';
import { fillRows } from '../core/ledger/fill.ts';
import { temporaryFolder } from './home.ts';
import { type RanHere, type RunHere, runHere } from './run-here.ts';

/** A home whose ledger holds some rows. */
export interface LedgerHome {
  readonly home: string;
  /** Runs a command line there, in this process. */
  run(args: readonly string[], how?: Partial<RunHere>): Promise<RanHere>;
}

/** Makes a home whose ledger holds these rows, which no one but {@link fillRows} has written. */
export async function ledgerHome(rows: readonly IntentRow[]): Promise<LedgerHome> {
  const home = await temporaryFolder();
  const ledger = join(home, 'books.db');
  await fillRows(ledger, rows.length, (index) => rows[index] as IntentRow);
  return { home, run: (args, how = {}) => runHere(args, { ...how, home, env: { SWAPCTL_LEDGER: ledger } }) };
}
