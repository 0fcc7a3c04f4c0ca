import type { Context } from '../../../context.ts';
import { StorageError } from '../../../errors.ts';
import type { PastRequest } from '../../../ledger/books.ts';
import type { Asset, Side } from '../../../swap/swap.ts';

/** An address that an earlier swap was paid out, or would have been sent back, to. */
export interface UsedAddress {
  readonly address: string;
  readonly memo: string | null;
  readonly order: string;
  /** When that swap was asked for, in milliseconds since 1970. */
  readonly at: number;
}

/** Number of newest swaps of a coin that are searched for addresses. */
const MAX_SWAPS = 500;

/** The payout addresses of earlier swaps to the same coin, network and environment, newest first, each once. */
export function usedPayouts(context: Context, to: Asset): Promise<readonly UsedAddress[]> {
  return used(context, 'receive', to, ({ request: { address, memo } }) => ({ address, memo }));
}

/** The refund addresses of earlier swaps from the same coin, network and environment, newest first, each once. */
export function usedRefunds(context: Context, from: Asset): Promise<readonly UsedAddress[]> {
  return used(context, 'deposit', from, ({ refundAddress: address }) =>
    address === null ? null : { address, memo: null },
  );
}

async function used(
  context: Context,
  side: Side,
  asset: Asset,
  read: (past: PastRequest) => Pick<UsedAddress, 'address' | 'memo'> | null,
): Promise<readonly UsedAddress[]> {
  const { environment } = await context.profile();
  const found = new Map<string, UsedAddress>();
  try {
    const { books } = await context.ledger();
    for (const past of await books.pastRequests(side, asset, environment, MAX_SWAPS)) {
      const { order, requestedAt: at, doubts } = past;
      const address = read(past);
      if (address === null || order === null || doubts.length > 0) continue;
      const key = `${address.address}\n${address.memo ?? ''}`;
      if (!found.has(key)) found.set(key, { ...address, order, at });
    }
  } catch (error) {
    // Without an offer the address can be typed; the create itself reports what is wrong with the ledger.
    if (!(error instanceof StorageError)) throw error;
  }
  return [...found.values()];
}
