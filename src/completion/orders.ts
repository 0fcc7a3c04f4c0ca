import { glance } from '../database/sqlite/glance.ts';
import type { Candidate } from './candidate.ts';

const MAX_ORDERS = 200;

/** By the index of the open swaps: SQLite would otherwise look for them in the whole ledger, to save itself the sorting. */
const OPEN = `select order_number as number, profile,
    json_extract(snapshot, '$.status') as status,
    json_extract(snapshot, '$.deposit.coin') as sent,
    json_extract(snapshot, '$.receive.coin') as received
  from intents indexed by intents_to_poll
  where outcome = 'created' and final = 0 and order_number is not null and (?1 is null or profile = ?1)
  order by requested_at desc limit ${MAX_ORDERS}`;

/** Open orders of a ledger in a file, of one profile or all, the newest first; none of one behind a URL. */
export function openOrders(ledger: string, profile: string | null): readonly Candidate[] {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(ledger)) return [];
  const rows = glance(ledger, OPEN, [profile]) as readonly Record<string, unknown>[];
  return rows.map(({ number, profile, status, sent, received }) => ({
    word: String(number),
    description: `${status ?? 'not seen yet'}, ${sent ?? '?'} to ${received ?? '?'}, ${profile}`,
  }));
}
