import type { Observation } from '../../../src/core/ledger/changes.ts';
import type { CreateIntent, Entry, Owner } from '../../../src/core/ledger/entry.ts';
import { EVERY_ENTRY } from '../../../src/core/ledger/filter.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import { statusMeaning } from '../../../src/core/partner-api/statuses.ts';
import type { Swap } from '../../../src/core/swap/swap.ts';
import { SWAP, TERMS } from '../swap/agreed-swap.ts';

/** Whose swaps the tests of the ledger are. */
export const OWNER: Owner = {
  account: 'account-1',
  profile: 'shop',
  environment: 'sandbox',
  host: 'swap.example/base',
};

/** Another key pair, or another service. */
export const OTHER: Owner = { ...OWNER, account: 'account-2', profile: 'other' };

/** All entries of a ledger, in the order of its lists. */
export async function everyEntry(ledger: Ledger): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of ledger.books.entries(EVERY_ENTRY)) entries.push(entry);
  return entries;
}

/** What they ask for. */
export const INTENT: CreateIntent = {
  ...TERMS,
  amount: '0.100000000000000001',
  asked: '0.100000000000000001',
  lastSource: 'deposit',
  quoted: null,
};

/** The swap that comes of it, in any status. */
export function swapOf(order: string, statusCode = 9): Swap {
  const { status, final } = statusMeaning(statusCode);
  const { deposit, receive } = SWAP;
  return {
    ...SWAP,
    order,
    status,
    statusCode,
    final,
    deposit: { ...deposit, amount: INTENT.amount, address: 'tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h' },
    receive: { ...receive, amount: '250.000001' },
  };
}

/** A poll of that swap that found nothing inconsistent. */
export function observed(order: string, statusCode = 9, at = 1): Observation {
  return { swap: swapOf(order, statusCode), doubts: [], at };
}

/** The entry of a create that may be sent now. */
export async function claimed(ledger: Ledger, ...create: Parameters<Ledger['claim']>): Promise<Entry> {
  const entry = await ledger.claim(...create);
  if (entry === null) throw new Error('Another process has claimed it.');
  return entry;
}
