import { errorJson, fullSentence, SwapctlError } from '../../../base/errors.ts';
import { shown, type Visible, visible } from '../../../base/text.ts';
import { clockTime, rfc3339 } from '../../../base/time.ts';
import { compareDecimals, type Decimal } from '../../../core/swap/amount.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import { pacedService, sharedBudget } from '../../../core/swaps/request-budget.ts';
import type { Context } from '../../context.ts';
import { untilInterrupted } from '../../terminal/progress.ts';
import type { Style } from '../../terminal/style.ts';
import { displayWidth } from '../../terminal/width.ts';
import type { QuoteResult } from '../../views/quote.ts';
import { requestBudget } from '../shared/stored-setting.ts';
import { sparkline } from './sparkline.ts';

const MAX_BARS = 40;
const MIN_BARS = 5;

/** A rate at which watching ends: this rate or higher, or this rate or lower. */
export interface RateTarget {
  readonly side: 'above' | 'below';
  readonly rate: Decimal;
}

interface QuoteWatch {
  readonly intervalMs: number;
  readonly target: RateTarget | null;
}

/** Prints each change of a quote until Ctrl-C, `--timeout` or the target; `still_open` if that was not reached. */
export function watchQuote(context: Context, ask: () => Promise<QuoteResult>, options: QuoteWatch) {
  return untilInterrupted(context, 'Stopped.', () => followRate(context, ask, options));
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
    if (quote !== null && target !== null && isReached(quote.rate, target)) return;
    if (context.monotonic() + intervalMs > end) break;
    await context.sleep(intervalMs);
  }
  if (target !== null) throw notReached(target, rates.at(-1) ?? null);
}

function isReached(rate: Decimal, target: RateTarget): boolean {
  const difference = compareDecimals(rate, target.rate);
  return target.side === 'above' ? difference >= 0 : difference <= 0;
}

function notReached({ side, rate }: RateTarget, last: Decimal | null): SwapctlError {
  const seen = last === null ? 'no quote was received' : `last rate ${last}`;
  const words = `The rate did not reach ${rate} or ${side === 'above' ? 'higher' : 'lower'} in time: ${seen}.`;
  const details = { [side]: rate, rate: last };
  const hint = 'Use a longer --timeout.';
  return new SwapctlError('still_open', words, { outcome: 'done', retryable: true, hint, details });
}

async function askOrNote(context: Context, ask: () => Promise<QuoteResult>, end: number) {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SwapctlError) || !error.retryable || error.code === 'interrupted') throw error;
    // The last check had no time left for a response, so it did not fail.
    if (context.monotonic() >= end) return null;
    const { streams, flags } = context;
    const retry = { type: 'retry', at: rfc3339(context.now()), order: null, error: errorJson(error, flags) };
    if (streams.format === 'json') await streams.printLine(retry);
    else streams.note(`${fullSentence(error.message)} Retrying.`);
    return null;
  }
}

async function show({ streams }: Context, quote: QuoteResult, rates: readonly Decimal[]): Promise<void> {
  const { at } = quote;
  if (streams.format === 'json') return streams.printLine({ type: 'quote', at, quote });
  await streams.print({
    json: () => quote,
    rows: () => [[at, quote.amount, quote.receive, quote.rate]],
    screen: (style, width) => rateLine(quote, rates, style, width),
  });
}

/** The current rate with the latest ones as bars, as many as fit. */
function rateLine(quote: QuoteResult, rates: readonly Decimal[], style: Style, width: number): Visible {
  const { from, to, rate, at } = quote;
  const time = visible(clockTime(at));
  const words = visible(`1 ${from.coin} = ${rate} ${to.coin}`);
  const room = Math.min(MAX_BARS, width - displayWidth(shown` ${time}  ${words}  `));
  const bars =
    room < MIN_BARS || !style.hasBlocks ? '' : shown`  ${style.cyan(visible(sparkline(rates.slice(-room))))}`;
  return shown` ${style.dim(time)}  ${words}${bars}\n`;
}

/** A wait for the service's limit that is noted, in milliseconds. */
const NOTED_WAIT_MS = 5_000;

/**
 * A service whose requests wait for their turns in the request budget of the profile's key, which `status --watch` and
 * `listen` share. If the ledger cannot be used, this process has a separate budget, with one notice.
 */
export async function budgetedQuotes(context: Context, service: Service): Promise<Service> {
  let isNoted = false;
  const limit = await sharedBudget(context, requestBudget(context), ({ message }) => {
    if (!isNoted) context.streams.note(`${message} This command uses its own request budget.`, true);
    isNoted = true;
  });
  let notedUntil = 0;
  const onWait = (milliseconds: number) => {
    const until = context.now() + milliseconds;
    if (limit.waitsFor() !== 'service' || milliseconds < NOTED_WAIT_MS || until <= notedUntil) return;
    notedUntil = until;
    const time = clockTime(rfc3339(until));
    context.streams.note(`Waiting for the service's rate limit; continues at ${time}.`);
  };
  const timeLeft = () => context.deadline() - context.monotonic();
  return pacedService(service, { limit, timeLeft, onWait });
}
