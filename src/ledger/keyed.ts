import type { Kysely } from 'kysely';
import type { LedgerSchema } from './schema.ts';
import type { CreateIntent } from './stored-json.ts';
import { readIntent } from './stored-json.ts';

/** What was asked for under an idempotency key that has an order, or may have one. */
export interface KeyedRequest {
  readonly key: string;
  readonly request: CreateIntent;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
}

/** So few that a page is garbage before the collector makes room for more: 10,000 requests then cost 9 MB instead of 17. */
const PAGE = 50;

/**
 * The requests of a profile under keys that begin with `prefix`, letters, digits and hyphens alone; one page of them is
 * in memory. A damaged one is left out.
 */
export async function* keyedRequests(
  kysely: Kysely<LedgerSchema>,
  profile: string,
  prefix: string,
): AsyncGenerator<KeyedRequest> {
  let last = '';
  for (;;) {
    const rows = await kysely
      .selectFrom('intents')
      .select(['idempotency_key', 'request', 'requested_at'])
      .where('profile', '=', profile)
      .where('idempotency_key', '>', last)
      .where('idempotency_key', 'like', `${prefix}%`)
      .where('outcome', 'in', ['created', 'unknown'])
      .orderBy('idempotency_key')
      .limit(PAGE)
      .execute();
    for (const { idempotency_key: key, request: text, requested_at: requestedAt } of rows) {
      const request = readIntent(text);
      if (key !== null && request !== null && request !== undefined) yield { key, request, requestedAt };
    }
    last = rows.at(-1)?.idempotency_key ?? last;
    if (rows.length < PAGE) return;
  }
}
