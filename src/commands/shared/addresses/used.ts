import type { Context } from '../../../context.ts';
import { StorageError } from '../../../errors.ts';
import { EVERY_ENTRY } from '../../../ledger/books.ts';
import type { Entry } from '../../../ledger/entry.ts';
import type { Asset } from '../../../swap/swap.ts';

/** An address that an earlier swap was paid out, or would have been sent back, to. */
export interface UsedAddress {
  readonly address: string;
  readonly memo: string | null;
  readonly order: string;
  /** When that swap was asked for, in milliseconds since 1970. */
  readonly at: number;
}

/** Swaps of a coin that are looked through for its addresses, the newest ones. */
const MAX_SWAPS = 1000;

/** The payout addresses of earlier swaps to the same coin, network and environment, newest first, each once. */
export function usedPayouts(context: Context, to: Asset): Promise<readonly UsedAddress[]> {
  return used(context, to, ({ request }) =>
    request !== null && isSame(request.receive, to) ? { address: request.address, memo: request.memo } : null,
  );
}

/** The refund addresses of earlier swaps from the same coin, network and environment, newest first, each once. */
export function usedRefunds(context: Context, from: Asset): Promise<readonly UsedAddress[]> {
  return used(context, from, ({ request, refundAddress }) =>
    request !== null && refundAddress !== null && isSame(request.deposit, from)
      ? { address: refundAddress, memo: null }
      : null,
  );
}

async function used(
  context: Context,
  { coin }: Asset,
  read: (entry: Entry) => Pick<UsedAddress, 'address' | 'memo'> | null,
): Promise<readonly UsedAddress[]> {
  const { environment } = await context.profile();
  const created = { outcome: 'created', codes: null } as const;
  const found = new Map<string, UsedAddress>();
  try {
    const { books } = await context.ledger();
    const filter = { ...EVERY_ENTRY, environment, coin, state: created };
    for await (const entry of books.entries(filter, { limit: MAX_SWAPS })) {
      const { order, requestedAt: at, doubts } = entry;
      const address = read(entry);
      if (address === null || order === null || doubts.length > 0) continue;
      const key = `${address.address}\n${address.memo ?? ''}`;
      if (!found.has(key)) found.set(key, { ...address, order, at });
    }
  } catch (error) {
    // Whoever is offered no address can type one; the create itself will tell what is wrong with the ledger.
    if (!(error instanceof StorageError)) throw error;
  }
  return [...found.values()];
}

function isSame(a: Asset, b: Asset): boolean {
  return a.coin === b.coin && a.network === b.network;
}
