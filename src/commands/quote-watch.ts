import type { Context } from '../context.ts';
import { SwapctlError } from '../errors.ts';
import type { Decimal } from '../swap/amount.ts';
import { toSmallestUnit } from '../swap/amount.ts';
import type { QuoteResult } from '../terminal/render-quote.ts';
import { rfc3339 } from '../terminal/time.ts';
import { errorDetails } from './watching.ts';

const BARS = '▁▂▃▄▅▆▇█';
const MOST_BARS = 40;
const RATE_PLACES = 40;

/** Asks for the quote again and again, until Ctrl-C or `--timeout`; one line or object for each change. */
export async function watchQuote(
  context: Context,
  ask: () => Promise<QuoteResult>,
  intervalMs: number,
): Promise<void> {
  const rates: Decimal[] = [];
  const end =
    context.flags.timeout === undefined ? Number.POSITIVE_INFINITY : context.now() + context.flags.timeout;
  let last: string | undefined;
  for (;;) {
    const quote = await askOrTell(context, ask);
    const seen = JSON.stringify(quote);
    if (quote !== null && seen !== last) {
      last = seen;
      rates.push(quote.rate);
      await show(context, quote, rates);
    }
    if (context.now() + intervalMs > end) return;
    await context.sleep(intervalMs);
  }
}

async function askOrTell(context: Context, ask: () => Promise<QuoteResult>): Promise<QuoteResult | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SwapctlError) || !error.retryable) throw error;
    if (context.streams.format === 'json') {
      await context.streams.printLine({
        type: 'retry',
        at: rfc3339(context.now()),
        order: null,
        error: errorDetails(error),
      });
    } else context.streams.note(`${error.message} Still trying.`);
    return null;
  }
}

async function show(context: Context, quote: QuoteResult, rates: readonly Decimal[]): Promise<void> {
  const { streams } = context;
  if (streams.format === 'json') return streams.printLine(quote);
  const at = rfc3339(context.now());
  const cells = [at, quote.amount, quote.receive, quote.rate];
  if (streams.format === 'pipe') return streams.write(`${cells.join('\t')}\n`);
  await streams.write(
    ` ${at.slice(11, 19)}  1 ${quote.from.coin} = ${quote.rate} ${quote.to.coin}  ${sparkline(rates)}\n`,
  );
}

/** The last rates as bars between their least and their greatest. */
export function sparkline(rates: readonly Decimal[]): string {
  const units = rates.slice(-MOST_BARS).map((rate) => toSmallestUnit(cut(rate), RATE_PLACES));
  const least = units.reduce((a, b) => (b < a ? b : a), units[0] ?? 0n);
  const span = units.reduce((a, b) => (b > a ? b : a), least) - least;
  const top = BigInt(BARS.length - 1);
  return units
    .map((unit) => BARS.charAt(span === 0n ? 3 : Number.parseInt(String(((unit - least) * top) / span), 10)))
    .join('');
}

/** A picture needs no more digits than the scale has. */
function cut(rate: Decimal): Decimal {
  const [whole = '0', fraction = ''] = rate.split('.');
  return fraction === '' ? whole : `${whole}.${fraction.slice(0, RATE_PLACES)}`;
}
