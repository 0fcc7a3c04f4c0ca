import { rfc3339 } from '../../../base/time.ts';
import type { Entry } from '../../ledger/entry.ts';
import { compareDecimals, type Decimal, ExactSum } from '../../swap/amount.ts';
import type { Asset, Side } from '../../swap/swap.ts';
import type { UnpricedSwap } from '../check.ts';
import type { ReviewedPrice } from '../create-swap.ts';

/** The sum of the amounts of one coin on one network and side, and the number of rows that it is from. */
export interface BatchTotal extends Asset {
  readonly side: Side;
  readonly rows: number;
  readonly amount: Decimal;
  /** At least one of its amounts is computed from the price of the review, and not given by the file. */
  readonly estimated: boolean;
}

/** A row with one of the largest deposits of its coin. */
export interface LargeRow {
  readonly row: number;
  readonly deposit: Asset & { readonly amount: Decimal };
  readonly receive: Asset & { readonly amount: Decimal };
  readonly address: string;
  readonly memo: string | null;
}

export type BatchFigures = ReturnType<Totals['figures']>;

/** Number of rows shown in the review for each coin. */
const MAX_LARGEST = 3;
const MAX_WARNINGS = 100;

type Total = Pick<BatchTotal, 'side' | 'coin' | 'network'> & {
  readonly sum: ExactSum;
  rows: number;
  estimated: boolean;
};

/** Adds up the rows for the review, in memory that does not grow with their number. */
export class Totals {
  #rows = 0;
  #toCreate = 0;
  #repeated = 0;
  #existing = 0;
  #unknown = 0;
  #lastExisting: number | null = null;
  #moreWarnings = 0;
  readonly #warnings: { row: number; warning: string }[] = [];
  readonly #totals = new Map<string, Total>();
  readonly #largest = new Map<string, LargeRow[]>();
  readonly #labelKeys = new Set<string>();

  /** Counts a row whose key has an order, or may have one. */
  addExisting({ outcome, requestedAt }: Pick<Entry, 'outcome' | 'requestedAt'>): void {
    this.#rows += 1;
    if (outcome === 'unknown') this.#unknown += 1;
    else {
      this.#existing += 1;
      this.#lastExisting = Math.max(this.#lastExisting ?? 0, requestedAt);
    }
  }

  add(
    { row, isRepeat }: { readonly row: number; readonly isRepeat: boolean },
    { request }: UnpricedSwap,
    price: ReviewedPrice,
    warnings: readonly string[],
  ): void {
    this.#rows += 1;
    this.#toCreate += 1;
    if (isRepeat) this.#repeated += 1;
    const { deposit, receive, address, memo, lastSource } = request;
    this.#sum('deposit', deposit, price.deposit, lastSource === 'deposit');
    this.#sum('receive', receive, price.receive, lastSource === 'receive');
    const large: LargeRow = {
      row,
      deposit: { ...deposit, amount: price.deposit },
      receive: { ...receive, amount: price.receive },
      address,
      memo,
    };
    const key = JSON.stringify(deposit);
    const largest = [...(this.#largest.get(key) ?? []), large]
      .sort((a, b) => compareDecimals(b.deposit.amount, a.deposit.amount) || a.row - b.row)
      .slice(0, MAX_LARGEST);
    this.#largest.set(key, largest);
    for (const warning of warnings)
      if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push({ row, warning });
      else this.#moreWarnings += 1;
  }

  /** Notes the keys of a row's labels, which are columns of the result. */
  addLabels(keys: readonly string[]): void {
    for (const key of keys) this.#labelKeys.add(key);
  }

  #sum(side: Side, { coin, network }: Asset, amount: Decimal, isExact: boolean): void {
    const key = JSON.stringify([side, coin, network]);
    const none = { side, coin, network, rows: 0, estimated: false };
    const total = this.#totals.get(key) ?? { ...none, sum: new ExactSum() };
    this.#totals.set(key, total);
    total.rows += 1;
    total.sum.add(amount);
    total.estimated ||= !isExact;
  }

  get labelKeys(): readonly string[] {
    return [...this.#labelKeys].sort();
  }

  figures() {
    const totals = [...this.#totals.values()].map(({ sum, ...total }) => ({ ...total, amount: sum.amount }));
    return {
      rows: this.#rows,
      toCreate: this.#toCreate,
      /** Of those to create, rows that get a new order in addition to an earlier one. */
      repeated: this.#repeated,
      /** Rows that already have their order. */
      existing: this.#existing,
      /** When the newest existing order was created. */
      lastExistingAt: this.#lastExisting === null ? null : rfc3339(this.#lastExisting),
      unknown: this.#unknown,
      totals: totals.sort((a, b) => a.side.localeCompare(b.side)),
      largest: [...this.#largest.values()].flat(),
      warnings: this.#warnings,
      moreWarnings: this.#moreWarnings,
    };
  }
}
