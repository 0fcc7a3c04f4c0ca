import type { Context } from '../../context.ts';
import { StorageError } from '../../errors.ts';
import { EVERY_ENTRY } from '../../ledger/books.ts';
import type { Entry } from '../../ledger/entry.ts';
import { isOwn } from '../../ledger/entry.ts';
import { sameAmount } from '../../swap/amount.ts';
import { relativeTime, rfc3339 } from '../../terminal/time.ts';
import type { CheckedSwap } from '../shared/create/check.ts';
import { profileOwner } from '../shared/lookup.ts';

/** Time in which the same swap again may be a slip, in milliseconds. */
const MAX_AGE_MS = 10 * 60_000;

/**
 * A sentence about a swap of the last ten minutes with the same profile, pair, amount, address and memo; null where
 * there is none. One whose outcome is unknown counts too.
 */
export async function identicalSwap(context: Context, draft: CheckedSwap): Promise<string | null> {
  const owner = await profileOwner(context);
  const { profile, environment } = owner;
  const now = context.now();
  const filter = { ...EVERY_ENTRY, profile, environment, coin: draft.request.deposit.coin };
  try {
    const { books } = await context.ledger();
    for await (const entry of books.entries({ ...filter, since: now - MAX_AGE_MS }))
      if (isOwn(entry, owner) && isSameSwap(entry, draft)) return wordsOf(entry, now);
    return null;
  } catch (error) {
    // The create itself tells what is wrong with the ledger.
    if (error instanceof StorageError) return null;
    throw error;
  }
}

function isSameSwap({ outcome, request }: Entry, { request: draft, asked }: CheckedSwap): boolean {
  if (request === null || (outcome !== 'created' && outcome !== 'unknown')) return false;
  const pair = ({ deposit, receive }: Pick<CheckedSwap['request'], 'deposit' | 'receive'>) =>
    [deposit.coin, deposit.network, receive.coin, receive.network].join('\n');
  return (
    pair(request) === pair(draft) &&
    request.lastSource === draft.lastSource &&
    sameAmount(request.asked, asked) &&
    request.address === draft.address &&
    request.memo === draft.memo
  );
}

function wordsOf({ outcome, order, requestedAt }: Entry, now: number): string {
  const when = relativeTime(rfc3339(requestedAt), now);
  return outcome === 'created'
    ? `Order ${order} of ${when} is the same swap: the same coins, amount, address and memo. This one would be a second.`
    : `A create of ${when} asked for the same swap, and its outcome is unknown: an order may exist. This one could be a second.`;
}
