import type { Context } from '../../../context.ts';
import type { SwapContent } from '../../shared/create/content.ts';
import { profileOwner } from '../../shared/lookup.ts';
import { contentHash, isKeyOf, isRowKey, KEY_PREFIX } from './row-key.ts';

/**
 * Keys that a version before gave to rows, by their content. It made them of the text of a row, so that another spelling
 * of the same row had another key: such an order is found by what it was asked for, and stands for one row.
 */
export class EarlierKeys {
  readonly #context: Context;
  #left: Promise<ReadonlyMap<string, string[]>> | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The next key of a content, the oldest first; null where none is left. Throws `storage_failed`. */
  async next(content: SwapContent): Promise<string | null> {
    this.#left ??= earlierKeys(this.#context);
    return (await this.#left).get(contentHash(content))?.shift() ?? null;
  }
}

async function earlierKeys(context: Context): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, { key: string; requestedAt: number }[]>();
  const { profile } = await profileOwner(context);
  const ledger = await context.ledger();
  for await (const { key, request, requestedAt } of ledger.keyed(profile, KEY_PREFIX)) {
    const content = { ...request, amount: request.asked };
    if (!isRowKey(key) || isKeyOf(key, content)) continue;
    const hash = contentHash(content);
    found.set(hash, [...(found.get(hash) ?? []), { key, requestedAt }]);
  }
  const oldestFirst = (keys: readonly { key: string; requestedAt: number }[]) =>
    keys.toSorted((a, b) => a.requestedAt - b.requestedAt).map(({ key }) => key);
  return new Map([...found].map(([hash, keys]) => [hash, oldestFirst(keys)]));
}
