import { coinLabel } from '../swap/coin-ref.ts';
import type { Environment, Quote } from '../swap/swap.ts';
import { visible } from '../swap/text.ts';
import { flatRows, renderSheet } from './sheet.ts';
import type { View } from './streams.ts';
import type { Style } from './style.ts';

/** A quote with the profile that asked for it. */
export type QuoteResult = Quote & { readonly profile: string; readonly environment: Environment };

/** One quote. */
export function quoteView(quote: QuoteResult): View {
  return {
    json: () => quote,
    rows: () => flatRows(quote),
    screen: (style) => `${title(quote, style)}${renderSheet(quoteLines(quote, style), style)}`,
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
      const { renderTable } = await import('./table.ts');
      const from = visible(first.from.coin);
      const to = visible(first.to.coin);
      const rows = quotes.map((quote) => [rateName(quote.type), quote.amount, quote.receive, quote.rate]);
      const columns = [
        { title: 'RATE', paint: style.bold },
        { title: `SEND ${from}`, align: 'right' as const },
        { title: `RECEIVE ${to}`, align: 'right' as const, paint: style.green },
        { title: `1 ${from} =`, align: 'right' as const },
      ];
      return `${title(first, style, false)}${await renderTable(columns, rows, style, width)}${bounds(quotes, style)}`;
    },
  };
}

/** `fixed` and `float` as a person would say them. */
export function rateName(type: Quote['type'] | null): string {
  if (type === null) return 'unknown rate';
  return type === 'fixed' ? 'fixed rate' : 'floating rate';
}

function title(quote: QuoteResult, style: Style, withRate = true): string {
  const pair = `${visible(coinLabel(quote.from))} → ${visible(coinLabel(quote.to))}`;
  const place = quote.environment === 'sandbox' ? style.yellow('sandbox') : style.red('LIVE');
  return ` ${style.bold(pair)}${withRate ? `  ${rateName(quote.type)}` : ''}  ${style.dim('·')} ${place}\n`;
}

function quoteLines(quote: QuoteResult, style: Style) {
  const { from, to } = quote;
  return [
    ['You send', `${quote.amount} ${from.coin}`, quote.lastSource === 'receive' ? style.bold : undefined],
    ['You receive', `${quote.receive} ${to.coin}`, style.green],
    ['Rate', `1 ${from.coin} = ${quote.rate} ${to.coin}`],
    ['Minimum', `${quote.min} ${from.coin}`],
    ['Maximum', `${quote.max} ${from.coin}`],
  ].map(
    ([label, value, paint]) => [label, value, paint ?? String] as [string, string, (text: string) => string],
  );
}

function bounds(quotes: readonly QuoteResult[], style: Style): string {
  const coin = visible(quotes[0]?.from.coin ?? '');
  const texts = [
    ...new Set(quotes.map(({ min, max }) => `between ${visible(min)} and ${visible(max)} ${coin}`)),
  ];
  return style.dim(` Deposits ${texts.join(', ')}\n`);
}
