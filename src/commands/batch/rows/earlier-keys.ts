import type { Context } from '../../../context.ts';
import type { SwapRequest } from '../../../swap/swap.ts';
import { profileOwner } from '../../shared/lookup.ts';
import { contentHash, isKeyOf, isRowKey, KEY_PREFIX } from './row-key.ts';

/**
 * Keys that a version before gave to rows, by their content. It made them of the text of a row, so that another spelling
 * of the same row had another key: such an order is found by what it was asked for, and stands for one row.
 */
export class EarlierKeys {
  readonly #context: Context;
  #left: Promise<ReadonlyMap<string, EarlierKey[]>> | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * The next key of the content of a request, the oldest first; null where none is left. Of rows that differ in what is
   * no content each has its own, so one with the same rate type and refund address goes before. Throws `storage_failed`.
   */
  async next(request: SwapRequest): Promise<string | null> {
    this.#left ??= earlierKeys(this.#context);
    const left = (await this.#left).get(contentHash(request)) ?? [];
    const alike = left.findIndex(
      ({ type, refundAddress }) => type === request.type && refundAddress === request.refundAddress,
    );
    return left.splice(Math.max(alike, 0), 1)[0]?.key ?? null;
  }
}

interface EarlierKey extends Pick<SwapRequest, 'type' | 'refundAddress'> {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
}

async function earlierKeys(context: Context): Promise<ReadonlyMap<string, EarlierKey[]>> {
  const found = new Map<string, EarlierKey[]>();
  const { profile } = await profileOwner(context);
  const ledger = await context.ledger();
  for await (const { key, request, requestedAt } of ledger.keyed(profile, KEY_PREFIX)) {
    const content = { ...request, amount: request.asked };
    if (!isRowKey(key) || isKeyOf(key, content)) continue;
    const hash = contentHash(content);
    const keys = found.get(hash) ?? [];
    keys.push({ key, requestedAt, type: request.type, refundAddress: request.refundAddress });
    found.set(hash, keys);
  }
  for (const keys of found.values()) keys.sort((a, b) => a.requestedAt - b.requestedAt);
  return found;
}
