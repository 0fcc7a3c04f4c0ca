import { createHash } from 'node:crypto';
import { UsageError } from '../../../errors.ts';
import type { CoinOnNetwork } from '../../../swap/swap.ts';
import type { AskedSwap } from '../../shared/create/asked.ts';
import type { SwapContent } from '../../shared/create/content.ts';
import { contentText, withoutZeros } from '../../shared/create/content.ts';

/** The key that a row gets, and the one that a version before would have given it: an order may stand under either. */
export interface RowKey {
  readonly key: string;
  readonly before: string | null;
}

/**
 * Gives each row its key: its own, or one made of its content and its number among equal rows. The content is coins,
 * networks, amount, side, address and memo as they are sent, however they are written. What may be added to a file that
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
      return { key: this.#numbered(content), before: this.#numbered(hashOf(writtenText(asked))) };
    }
    const earlier = this.#own.get(own);
    if (earlier !== undefined) throw new UsageError(`Row ${earlier} has the same key.`);
    this.#own.set(own, row);
    return { key: own, before: null };
  }

  #numbered(content: string): string {
    const number = (this.#equal.get(content) ?? 0) + 1;
    this.#equal.set(content, number);
    return `${KEY}${content}-${number}`;
  }
}

const KEY = 'batch-';

/** Whether a key was made of this content. */
export function isKeyOf(key: string | null, sent: SwapContent): boolean {
  return key?.startsWith(`${KEY}${contentHash(sent)}-`) ?? false;
}

/** Never that of a text as written, or a key of the version before could be taken for that of another row. */
function contentHash(sent: SwapContent): string {
  return hashOf(`sent ${contentText(sent)}`);
}

/** The content of a row whose coins and addresses the service does not take, or no longer: it may have its order. */
function asWritten(asked: AskedSwap): SwapContent {
  const asset = ({ coin, network }: CoinOnNetwork) => ({ coin, network: network ?? coin });
  return { ...asked, deposit: asset(asked.from), receive: asset(asked.to) };
}

/** The content as the version before took it: as it stands in the file. */
function writtenText({ from, to, amount, lastSource, address, memo }: AskedSwap): string {
  const code = (text: string | null) => text?.toUpperCase() ?? null;
  const codes = [code(from.coin), code(from.network), code(to.coin), code(to.network)];
  return JSON.stringify([...codes, withoutZeros(amount), lastSource, address, memo]);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
