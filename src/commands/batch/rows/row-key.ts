import { createHash } from 'node:crypto';
import { UsageError } from '../../../errors.ts';
import type { AskedSwap } from '../../shared/create/asked.ts';

/**
 * Gives each row its key: its own, or one made of its content and its number among equal rows. The content is coins,
 * networks, amount by its value, side, address and memo. What may be added to a file that was sent in part is not in it
 * (labels, rate type, bounds, a refund address): a row never gets another key, and a second order, by that.
 */
export class RowKeys {
  /** How often each content has been seen; and of each key of a row's own, the row that it stands in. */
  readonly #equal = new Map<string, number>();
  readonly #own = new Map<string, number>();

  /** The key of the next row. Throws a usage error for a key of its own that an earlier row has. */
  keyOf(row: number, asked: AskedSwap, own: string | null): string {
    if (own === null) {
      const content = contentHash(asked);
      const number = (this.#equal.get(content) ?? 0) + 1;
      this.#equal.set(content, number);
      return `batch-${content}-${number}`;
    }
    const earlier = this.#own.get(own);
    if (earlier !== undefined) throw new UsageError(`Row ${earlier} has the same key.`);
    this.#own.set(own, row);
    return own;
  }
}

function contentHash({ from, to, amount, lastSource, address, memo }: AskedSwap): string {
  const code = (text: string | null) => text?.toUpperCase() ?? null;
  const value = amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
  const content = [code(from.coin), code(from.network), code(to.coin), code(to.network)];
  const text = JSON.stringify([...content, value, lastSource, address, memo]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
