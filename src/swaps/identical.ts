import { StorageError } from '../errors.ts';
import type { Entry } from '../ledger/entry.ts';
import { EVERY_ENTRY } from '../ledger/filter.ts';
import { relativeTime, rfc3339 } from '../time.ts';
import type { CheckedSwap, UnpricedSwap } from './check.ts';
import { contentText } from './idempotency.ts';
import type { Ports } from './ports.ts';

/** Time in which the same swap again may be a mistake, in milliseconds. */
const MAX_AGE_MS = 10 * 60_000;

/** What is reported about a recent swap. */
export type RecentSwap = Pick<Entry, 'outcome' | 'order' | 'requestedAt' | 'idempotencyKey'>;

/**
 * The swaps of the last ten minutes of the context's account, the newest of each content, by {@link contentText}. Those
 * whose outcome is unknown count too. `coin` leaves out those without it.
 */
export async function recentSwaps(
  ports: Ports,
  coin: string | null,
): Promise<ReadonlyMap<string, RecentSwap>> {
  const recent = new Map<string, RecentSwap>();
  const { account } = await ports.owner();
  const filter = { ...EVERY_ENTRY, coin, since: ports.now() - MAX_AGE_MS };
  try {
    const { books } = await ports.ledger();
    for await (const entry of books.entries(filter)) {
      const { outcome, order, requestedAt, idempotencyKey, request } = entry;
      if (entry.account !== account || request === null) continue;
      if (outcome !== 'created' && outcome !== 'unknown') continue;
      const content = contentText({ ...request, amount: request.asked });
      if (!recent.has(content)) recent.set(content, { outcome, order, requestedAt, idempotencyKey });
    }
  } catch (error) {
    // The create itself reports what is wrong with the ledger.
    if (!(error instanceof StorageError)) throw error;
  }
  return recent;
}

/** The recent swap with the content of one that is to be created. */
export function identicalTo(
  recent: ReadonlyMap<string, RecentSwap>,
  { request }: Pick<UnpricedSwap, 'request'>,
): RecentSwap | undefined {
  return recent.get(contentText(request));
}

/** A sentence about a recent swap that is identical to the draft; null if there is none. */
export async function identicalSwap(
  ports: Ports,
  { request, asked }: Pick<CheckedSwap, 'request' | 'asked'>,
): Promise<string | null> {
  const recent = await recentSwaps(ports, request.deposit.coin);
  const found = identicalTo(recent, { request: { ...request, amount: asked } });
  return found === undefined ? null : identicalWords(found, ports.now());
}

/** A sentence about a swap that would be duplicated. */
export function identicalWords({ outcome, order, requestedAt }: RecentSwap, now: number): string {
  const when = relativeTime(rfc3339(requestedAt), now);
  return outcome === 'created'
    ? `Order ${order}, created ${when}, has the same coins, amount, address and memo. You would be creating a duplicate.`
    : `A create sent ${when} with the same coins, amount, address and memo has an unknown outcome: an order may exist. You could be creating a duplicate.`;
}
