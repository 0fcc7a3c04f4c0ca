import type { JsonNumber } from '../../../partner-api/json.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../state/assumptions.ts';
import type { Exchange } from './exchange.ts';
import { decimalAt, listAt, memberAt } from './exchange.ts';
import type { Findings } from './result.ts';
import { jsonNumber } from './result.ts';

/** Largest limit that an overlay takes. */
const MAX_PAGE = 10_000;

/** Learns how long pages of the coin list are. */
export class PagesSeen {
  #defaultLimit: number | undefined;
  #isListWhole = false;
  #listing: 'deposit' | 'receive' | 'refuse' | undefined;
  /** Largest limit that gave as many coins, or all there are. */
  #taken = 0;
  #refused = Number.POSITIVE_INFINITY;
  /** Coins on a page that is shorter than its limit, though there are more. */
  #cut: number | undefined;

  see({ endpoint, ok, status, parameters, json }: Exchange): void {
    if (endpoint !== 'get-all-coins') return;
    const method = parameters.get('method');
    const isFirst = (parameters.get('page') ?? '1') === '1';
    if (method === undefined && !parameters.has('search')) {
      if (ok) this.#listing = memberAt(json, 'withdrawCoins') === undefined ? 'deposit' : 'receive';
      else if (status === 400 && parameters.size === 0) this.#listing = 'refuse';
    }
    const limit = wholeNumber(parameters.get('limit'));
    if (status === 400 && limit !== undefined && limit > 0 && isFirst && (method === '1' || method === '2'))
      this.#refused = Math.min(this.#refused, limit);
    if (!ok || !isFirst) return;
    const count = ['depositCoins', 'withdrawCoins'].reduce((sum, name) => sum + listAt(json, name).length, 0);
    const total = wholeNumber(decimalAt(json, 'pagination.totalCount')) ?? count;
    if (limit === undefined && !parameters.has('limit')) {
      if (count < total) this.#defaultLimit = count;
      else this.#isListWhole = true;
    } else if (limit !== undefined) {
      if (count < Math.min(limit, total)) this.#cut = Math.max(this.#cut ?? 0, count);
      else this.#taken = Math.max(this.#taken, limit);
    }
  }

  tell(findings: Findings): void {
    const limit = this.#defaultLimit;
    const first = 'swapctl api get-all-coins -f method=1';
    if (limit !== undefined)
      findings.decides('default limit', {
        name: 'defaultLimit',
        value: jsonNumber(limit),
        words: String(limit),
        isPlain: limit === DEFAULT_LIMIT,
      });
    else findings.lacks('default limit', this.#isListWhole ? 'all coins fit on a page' : first);
    if (this.#listing === undefined) findings.lacks('listing without a method', 'swapctl api get-all-coins');
    else
      findings.decides('listing without a method', {
        name: 'defaultListing',
        value: this.#listing,
        words: this.#listing,
        isPlain: this.#listing === 'deposit',
      });
    this.#tellLargest(findings);
  }

  #tellLargest(findings: Findings): void {
    const point = 'largest limit';
    const decide = (value: JsonNumber | null, words: string, isPlain: boolean) =>
      findings.decides(point, { name: 'maxLimit', value, words, isPlain });
    if (this.#cut !== undefined) {
      decide(jsonNumber(this.#cut), `${this.#cut}, larger ones are cut`, false);
      findings.decisions['overMaxLimit'] = 'cut';
    } else if (Number.isFinite(this.#refused)) {
      const largest = Math.min(
        MAX_PAGE,
        this.#taken < this.#refused ? Math.max(1, this.#taken) : this.#refused - 1,
      );
      const isExact = largest === this.#refused - 1;
      decide(
        jsonNumber(largest),
        isExact ? String(largest) : `from ${largest} to ${this.#refused - 1}`,
        largest === MAX_LIMIT,
      );
      if (!isExact)
        findings.lacks(
          'the largest limit exactly',
          `swapctl api get-all-coins -f method=1 -f limit=${largest + 1}`,
        );
    } else if (this.#taken > MAX_LIMIT) decide(null, `${this.#taken} is taken`, false);
    else findings.lacks(point, `swapctl api get-all-coins -f method=1 -f limit=${MAX_LIMIT + 1}`);
  }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
