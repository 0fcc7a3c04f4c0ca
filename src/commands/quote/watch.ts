import type { Context } from '../../context.ts';
import { errorJson, fullSentence, SwapctlError } from '../../errors.ts';
import type { Decimal } from '../../swap/amount.ts';
import { compareDecimals } from '../../swap/amount.ts';
import type { Style } from '../../terminal/style.ts';
import { displayWidth } from '../../terminal/width.ts';
import type { Visible } from '../../text.ts';
import { shown, visible } from '../../text.ts';
import { clockTime, rfc3339 } from '../../time.ts';
import type { QuoteResult } from '../../views/quote.ts';
import { sparkline } from '../../views/sparkline.ts';
import { untilInterrupted } from '../shared/interrupt.ts';

const MAX_BARS = 40;
const MIN_BARS = 5;

/** A rate that is waited for: at least this much above, at most this much below. */
export interface RateTarget {
  readonly side: 'above' | 'below';
  readonly rate: Decimal;
}

/** Interval between two looks, and when to stop. */
export interface QuoteWatch {
  /** Pause between two looks, in milliseconds. */
  readonly intervalMs: number;
  readonly target: RateTarget | null;
}

/**
 * Asks for the quote again and again, until Ctrl-C, `--timeout`, or the rate that is waited for; one line or object for
 * each change. Throws `still_open` where the time is up before the rate is there.
 */
export function watchQuote(
  context: Context,
  ask: () => Promise<QuoteResult>,
  options: QuoteWatch,
): Promise<void> {
  const words = 'Interrupted; the rate is no longer followed.';
  return untilInterrupted(context, words, () => followRate(context, ask, options));
}

async function followRate(
  context: Context,
  ask: () => Promise<QuoteResult>,
  { intervalMs, target }: QuoteWatch,
): Promise<void> {
  const rates: Decimal[] = [];
  const end = context.deadline();
  let last: string | undefined;
  for (;;) {
    const quote = await askOrNote(context, ask, end);
    const seen = quote === null ? undefined : JSON.stringify({ ...quote, at: null });
    if (quote !== null && seen !== last) {
      last = seen;
      rates.push(quote.rate);
      rates.splice(0, rates.length - MAX_BARS);
      await show(context, quote, rates);
    }
    if (quote !== null && target !== null && isThere(quote.rate, target)) return;
    if (context.monotonic() + intervalMs > end) break;
    await context.sleep(intervalMs);
  }
  if (target !== null) throw notThere(target, rates.at(-1) ?? null);
}

function isThere(rate: Decimal, target: RateTarget): boolean {
  const difference = compareDecimals(rate, target.rate);
  return target.side === 'above' ? difference >= 0 : difference <= 0;
}

function notThere({ side, rate }: RateTarget, last: Decimal | null): SwapctlError {
  const seen = last === null ? 'no rate was learned' : `it is ${last}`;
  return new SwapctlError('still_open', `The rate did not come to ${rate} or ${side} in time; ${seen}.`, {
    retryable: true,
    hint: 'Wait longer with a larger --timeout.',
    details: { [side]: rate, rate: last },
  });
}

async function askOrNote(
  context: Context,
  ask: () => Promise<QuoteResult>,
  end: number,
): Promise<QuoteResult | null> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SwapctlError) || !error.retryable || error.code === 'interrupted') throw error;
    // The last look has no time left for its answer, so it is not a missed one.
    if (context.monotonic() >= end) return null;
    if (context.streams.format === 'json') {
      await context.streams.printLine({
        type: 'retry',
        at: rfc3339(context.now()),
        order: null,
        error: errorJson(error, context.flags),
      });
    } else context.streams.note(`${fullSentence(error.message)} Still trying.`);
    return null;
  }
}

async function show(context: Context, quote: QuoteResult, rates: readonly Decimal[]): Promise<void> {
  const { streams } = context;
  const { at } = quote;
  if (streams.format === 'json') return streams.printLine({ type: 'quote', at, quote });
  await streams.print({
    json: () => quote,
    rows: () => [[at, quote.amount, quote.receive, quote.rate]],
    screen: (style, width) => rateLine(quote, at, rates, style, width),
  });
}

/** The rate of a moment with the last ones as bars, as many as the terminal has room for. */
function rateLine(
  { from, to, rate }: QuoteResult,
  at: string,
  rates: readonly Decimal[],
  style: Style,
  width: number,
): Visible {
  const time = visible(clockTime(at));
  const words = visible(`1 ${from.coin} = ${rate} ${to.coin}`);
  const room = Math.min(MAX_BARS, width - displayWidth(shown` ${time}  ${words}  `));
  const bars =
    room < MIN_BARS || !style.blocks ? '' : shown`  ${style.cyan(visible(sparkline(rates.slice(-room))))}`;
  return shown` ${style.dim(time)}  ${words}${bars}\n`;
}
