import type { Decimal, PricePoint } from '../../swap/amount.ts';
import { compareDecimals, interpolate, isZero, productOf, shortenBound } from '../../swap/amount.ts';
import { assetDecimals } from '../../swap/decimals.ts';
import { fellBeyond, roseBeyond } from '../../swap/price-change.ts';
import type { Quote, SwapRequest } from '../../swap/swap.ts';

/** Requests a quote for an amount; null if the service refuses it. */
type AskReceive = (amount: Decimal) => Promise<Decimal | null>;

/** Number of amounts of a range that are quoted individually before interpolating, which costs as many quotes. */
const MAX_SINGLE = 2;
/** Part of the tolerance by which a quote may differ from the line: the rest allows for price changes until sending. */
const LINE_TOLERANCE_PART = '0.25';

/** Decimals of an interpolated price, unless the quotes around it have more. */
const MAX_ABOUT_PLACES = 8;

/** Prices of the amounts between two of which one is twice the other. */
interface Range {
  readonly ends: readonly [Decimal, Decimal];
  singles: number;
  /** Null if prices are not on a line, or that is not known yet. */
  line: readonly [PricePoint, PricePoint] | null;
  isNoLine: boolean;
}

/**
 * What is known about a pair at a floating rate. A network fee comes on top of the rate, and large amounts may have another
 * rate, so one quote says nothing about other amounts. Amounts are therefore divided into ranges, each twice the one below,
 * and interpolated between the quotes of both ends, if a quote in between is on that line.
 */
export class PairPrices {
  readonly #pair: Pick<SwapRequest, 'deposit' | 'receive'>;
  readonly #tolerance: Decimal;
  readonly #ranges = new Map<Decimal, Range>();
  #bounds: Pick<Quote, 'min' | 'max'> = { min: '0', max: null };
  /** The smallest amount when the first quote came: bounds may move with the price, and the ranges must not. */
  #lowest: Decimal | null = null;

  constructor(pair: Pick<SwapRequest, 'deposit' | 'receive'>, tolerance: Decimal) {
    this.#pair = pair;
    this.#tolerance = tolerance;
  }

  get bounds(): Pick<Quote, 'min' | 'max'> {
    return this.#bounds;
  }

  /** Notes bounds that a quote or a refusal gave. */
  noteBounds(bounds: Partial<Pick<Quote, 'min' | 'max'>>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    if (isZero(this.#bounds.min)) return;
    this.#lowest ??= this.#payable(this.#bounds.min, 'up');
  }

  /** The interpolated price of an amount; null if it needs a separate quote. */
  async receiveFor(amount: Decimal, ask: AskReceive): Promise<Decimal | null> {
    const range = this.#rangeOf(amount);
    if (range === null || range.isNoLine) return null;
    if (range.line !== null) return this.#interpolate(range.line, amount);
    range.singles += 1;
    if (range.singles <= MAX_SINGLE) return null;
    // All three at nearly the same time, because the price moves.
    const [low, middle, high] = await pricePoints(ask, [range.ends[0], amount, range.ends[1]]);
    if (low !== undefined && middle !== undefined && high !== undefined && this.#isOnLine(low, middle, high))
      range.line = [low, high];
    else range.isNoLine = true;
    return middle?.receive ?? null;
  }

  #isOnLine(low: PricePoint, { amount, receive }: PricePoint, high: PricePoint): boolean {
    const expected = this.#interpolate([low, high], amount);
    const most = productOf([this.#tolerance, LINE_TOLERANCE_PART]);
    return !fellBeyond(receive, expected, most) && !roseBeyond(receive, expected, most);
  }

  #interpolate(line: readonly [PricePoint, PricePoint], amount: Decimal): Decimal {
    const { coin, network } = this.#pair.receive;
    return interpolate(
      line,
      amount,
      Math.min(assetDecimals(coin, network) ?? MAX_ABOUT_PLACES, MAX_ABOUT_PLACES),
    );
  }

  /** The range of an amount; null if the bounds are not known yet, or the range would exceed them. */
  #rangeOf(amount: Decimal): Range | null {
    const { max } = this.#bounds;
    let low = this.#lowest;
    if (low === null || isZero(this.#tolerance) || compareDecimals(amount, low) < 0) return null;
    let high = twice(low);
    while (compareDecimals(high, amount) < 0) [low, high] = [high, twice(high)];
    const known = this.#ranges.get(low);
    if (known !== undefined) return known;
    if (max !== null && compareDecimals(high, max) > 0) high = this.#payable(max, 'down');
    if (compareDecimals(low, high) >= 0) return null;
    const range = { ends: [low, high] as const, singles: 0, line: null, isNoLine: false };
    this.#ranges.set(low, range);
    return range;
  }

  /** A bound with no more decimals than can be paid. */
  #payable(bound: Decimal, direction: 'up' | 'down'): Decimal {
    const { coin, network } = this.#pair.deposit;
    const places = assetDecimals(coin, network);
    return places === undefined ? bound : shortenBound(bound, places, direction);
  }
}

function twice(amount: Decimal): Decimal {
  return productOf([amount, '2']);
}

async function pricePoints(ask: AskReceive, amounts: readonly Decimal[]): Promise<readonly PricePoint[]> {
  const points: PricePoint[] = [];
  for (const amount of amounts) {
    const receive = await ask(amount);
    if (receive === null) break;
    points.push({ amount, receive });
  }
  return points;
}
