import { shown, type Visible, visible } from '../../base/text.ts';
import {
  compareDecimals,
  type Decimal,
  differenceOf,
  isZero,
  productOf,
  shortenBound,
} from '../../core/swap/amount.ts';
import { percentWords } from '../../core/swap/price-change.ts';
import { coinLabel, type Environment, type Quote } from '../../core/swap/swap.ts';
import { type DetailLine, flatRows, renderDetails } from '../terminal/details.ts';
import type { View } from '../terminal/streams.ts';
import type { Style } from '../terminal/style.ts';
import { type ItemColumn, renderItems } from '../terminal/table.ts';
import { displayWidth } from '../terminal/width.ts';
import { environmentMark } from './status.ts';

/** A quote with the profile that requested it. */
export type QuoteResult = Quote & {
  /** When the answer came: RFC 3339, UTC. */
  readonly at: string;
  /** Percent by which the rate differs from the one at the minimum; null without `--impact`. */
  readonly impact: Decimal | null;
  readonly profile: string;
  readonly environment: Environment;
};

export function quoteView(quote: QuoteResult): View {
  return {
    json: () => quote,
    rows: () => flatRows(quote),
    screen: (style, width) =>
      shown`${title(quote, style)}${renderDetails(quoteLines(quote, style), style, width)}`,
  };
}

/** Both rate types side by side, the fixed one first. */
export function comparisonView(quotes: readonly QuoteResult[]): View {
  return {
    json: () => quotes,
    rows: () =>
      quotes.map(({ type, amount, receive, rate, min, max }) => [type, amount, receive, rate, min, max]),
    screen: async (style, width) => {
      const [first] = quotes;
      if (first === undefined) return '';
      const [from, to] = [first.from.coin, first.to.coin];
      const columns: ItemColumn<QuoteResult>[] = [
        { title: 'RATE', paint: style.bold, cell: ({ type }) => rateName(type) },
        { title: `SEND ${from}`, align: 'right', cell: ({ amount }) => amount },
        { title: `RECEIVE ${to}`, align: 'right', paint: style.green, cell: ({ receive }) => receive },
        { title: `1 ${from} =`, align: 'right', cell: ({ rate }) => rate },
      ];
      return shown`${title(first, style, false)}${await renderItems(quotes, columns, style, width)}${style.dim(bounds(quotes, width))}\n`;
    },
  };
}

/** A rate type in words: `fixed rate`, `floating rate`, or `unknown rate` for null. */
export function rateName(type: Quote['type'] | null): string {
  if (type === null) return 'unknown rate';
  return type === 'fixed' ? 'fixed rate' : 'floating rate';
}

function title(quote: QuoteResult, style: Style, withRate = true): Visible {
  const pair = visible(`${coinLabel(quote.from)} → ${coinLabel(quote.to)}`);
  const rate = withRate ? visible(`  ${rateName(quote.type)}`) : '';
  const place = environmentMark(style, quote.environment);
  return shown` ${style.bold(pair)}${rate}  ${style.dim(shown`·`)} ${place}\n`;
}

function quoteLines(quote: QuoteResult, style: Style): readonly DetailLine[] {
  const { from, to } = quote;
  return [
    ['You send', `${quote.amount} ${from.coin}`, quote.lastSource === 'receive' ? style.bold : undefined],
    ['You receive', `${quote.receive} ${to.coin}`, style.green],
    ['Rate', `1 ${from.coin} = ${quote.rate} ${to.coin}`],
    feeLine(quote),
    ...(quote.impact === null ? [] : [impactLine(quote.impact)]),
    ['Minimum', `${quote.min} ${from.coin}`],
    ['Maximum', quote.max === null ? 'none' : `${quote.max} ${from.coin}`],
  ];
}

/** The fee as the service states it, or about what is missing from rate × amount, which may be rounded. */
export function feeLine(quote: Pick<Quote, 'amount' | 'rate' | 'receive' | 'fee' | 'to'>): DetailLine {
  const { amount, rate, receive, fee, to } = quote;
  if (fee !== null) return ['Fee', `${fee} (stated by the service)`];
  const full = productOf([amount, rate]);
  const missing = shortenBound(differenceOf(full, receive), FEE_PLACES, 'down');
  const isLess = compareDecimals(receive, full) < 0 && !isZero(missing);
  return ['Fees', isLess ? `about ${missing} ${to.coin}` : null];
}

const FEE_PLACES = 8;

export function impactLine(impact: Decimal): DetailLine {
  return ['Price impact', `${percentWords(impact)} compared with the rate at the minimum`];
}

const NARROW_PLACES = 6;

/** The limits of a deposit: in full if they fit, otherwise rounded inwards, so that both stay within them. */
function bounds(quotes: readonly QuoteResult[], width: number): Visible {
  const full = boundsLine(quotes, (bound) => bound);
  if (displayWidth(full) <= width) return full;
  return boundsLine(quotes, (bound, direction) => shortenBound(bound, NARROW_PLACES, direction));
}

function boundsLine(
  quotes: readonly QuoteResult[],
  text: (bound: Decimal, direction: 'up' | 'down') => string,
): Visible {
  const texts = quotes.map(({ min, max }) =>
    max === null ? `${text(min, 'up')}` : `${text(min, 'up')} to ${text(max, 'down')}`,
  );
  const parts =
    new Set(texts).size === 1
      ? texts.slice(0, 1)
      : quotes.map((quote, index) => `${texts[index]} (${quote.type})`);
  return visible(` Deposits from ${parts.join(' or ')} ${quotes[0]?.from.coin ?? ''}`);
}
