import { hash } from 'node:crypto';
import { UsageError } from '../../../errors.ts';
import type { CoinOnNetwork, SwapRequest } from '../../../swap/swap.ts';
import type { AskedSwap } from '../../../swaps/check.ts';
import type { SwapContent } from '../../../swaps/idempotency.ts';
import { contentText } from '../../../swaps/idempotency.ts';

/** The key of a row, which it brought or which was made of its content. */
export interface RowKey {
  readonly key: string;
  readonly isOwn: boolean;
}

/**
 * Gives each row its key: its own, or one made of its content and its number among equal rows. The content is coins,
 * networks, amount, side, address and memo by their meaning, however they are written. What may be added to a file that
 * was sent in part is not in it (labels, rate type, bounds, a refund address): a row never gets another key, and a
 * second order, by that.
 */
export class RowKeys {
  /** How often each content has been seen; and of each key of a row's own, the row that it stands in. */
  readonly #equal = new Map<string, number>();
  readonly #own = new Map<string, number>();

  /**
   * The key of the next row; `sent` is null for one that a check refused, which then counts as it is written. Throws a
   * usage error for a key of its own that an earlier row has.
   */
  keyOf(row: number, asked: AskedSwap, sent: SwapContent | null, own: string | null): RowKey {
    if (own === null) {
      const content = contentHash(sent ?? asWritten(asked));
      const number = (this.#equal.get(content) ?? 0) + 1;
      this.#equal.set(content, number);
      return { key: `${KEY_PREFIX}${content}-${number}`, isOwn: false };
    }
    const earlier = this.#own.get(own);
    if (earlier !== undefined) throw new UsageError(`Row ${earlier} has the same key.`);
    this.#own.set(own, row);
    return { key: own, isOwn: true };
  }
}

/** What every key begins with that a row did not bring. */
const KEY_PREFIX = 'batch-';

/** Whether a key was made of this content. */
export function isKeyOf(key: string | null, sent: SwapContent): boolean {
  return key?.startsWith(`${KEY_PREFIX}${contentHash(sent)}-`) ?? false;
}

function contentHash(sent: SwapContent): string {
  return hash('sha256', contentText(sent)).slice(0, 32);
}

/** The request of a row whose coins and addresses the service does not take, or no longer: it may have its order. */
function asWritten(asked: AskedSwap): SwapRequest {
  const asset = ({ coin, network }: CoinOnNetwork) => ({ coin, network: network ?? coin });
  return { ...asked, deposit: asset(asked.from), receive: asset(asked.to) };
}
