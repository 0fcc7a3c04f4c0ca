import { attempt, type ErrorCode, fullSentence, SwapctlError } from '../../../base/errors.ts';
import { shown, type Visible, visible } from '../../../base/text.ts';
import { checkAmount, compareDecimals, type Decimal, isZero } from '../../../core/swap/amount.ts';
import { tooManyDecimals } from '../../../core/swap/decimals.ts';
import type { Asset, Quote, RateType, Side, SwapRequest } from '../../../core/swap/swap.ts';
import { boundsOf, boundsText } from '../../../core/swaps/limits.ts';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import type { Choice } from '../../terminal/questions.ts';
import { displayWidth, padded } from '../../terminal/width.ts';
import { askTrimmed } from '../shared/ask-line.ts';
import { assetName } from '../shared/questions.ts';
import { usualRateType } from '../shared/stored-setting.ts';

/** A price question with both networks decided; the amount is that of the side named by `lastSource`. */
export interface Pricing extends Pick<SwapRequest, 'amount' | 'lastSource' | 'type'> {
  readonly from: Asset;
  readonly to: Asset;
}

/** Asks for the amount of a side until it is within the bounds, which are shown, as is the quote while it is typed. */
export async function askAmount(
  context: Context,
  pair: Pick<Pricing, 'from' | 'to' | 'type'>,
  known: Side | null,
): Promise<Pick<Pricing, 'amount' | 'lastSource'>> {
  const { from, to } = pair;
  const lastSource = known ?? (await askSource(context, from, to));
  const asset = lastSource === 'deposit' ? from : to;
  const bounds = await withProgress(context.streams, 'Getting the limits', () => pairBounds(context, pair));
  const about = bounds === null ? '' : ` (you can send ${boundsText(bounds, from.coin)})`;
  // If a service refuses an amount without naming the limit, the limit is known from earlier quotes.
  const outside = (text: Decimal) =>
    bounds !== null && lastSource === 'deposit' ? boundsProblem(text, bounds, from) : null;
  const quoteFor = rememberLast((amount: Decimal) => tryQuote(context, { ...pair, amount, lastSource }));
  const amount = await askTrimmed(context, 'amount', {
    message: withRoom(
      visible(`Amount of ${asset.coin} to ${lastSource === 'deposit' ? 'send' : 'receive'}${about}`),
      context.streams.noteWidth,
    ),
    validate: async (text) =>
      typedProblem(text, asset) ?? outside(text) ?? quoteProblem(await quoteFor(text), from) ?? true,
    preview: async (text) => {
      // An amount that is half typed is not refused yet.
      if (typedProblem(text, asset) !== null) return shown``;
      const near = outside(text);
      if (near !== null) return visible(near);
      const quote = await quoteFor(text);
      const problem = quoteProblem(quote, from);
      return 'problem' in quote || problem !== null ? visible(problem ?? '') : quoteLine(quote, from, to);
    },
  });
  const quote = await quoteFor(amount);
  if (!('problem' in quote)) context.streams.note(`  ${quoteLine(quote, from, to)}`);
  return { amount, lastSource };
}

/** A question with room for its answer: on a narrow terminal the answer gets a line of its own. */
function withRoom(message: Visible, width: number): Visible {
  return displayWidth(message) + AMOUNT_ROOM > width ? shown`${message}\n ` : message;
}

const AMOUNT_ROOM = 24;

/** Keeps the last quote, so that the one that was previewed is used; after a failure the same amount asks again. */
function rememberLast(ask: (text: string) => Promise<Priced>): (text: string) => Promise<Priced> {
  let last: { text: string; answer: Promise<Priced> } | null = null;
  return async (text) => {
    if (last?.text !== text) last = { text, answer: ask(text) };
    const priced = await last.answer;
    if ('problem' in priced && priced.failed && last?.text === text) last = null;
    return priced;
  };
}

function askSource(context: Context, from: Asset, to: Asset): Promise<Side> {
  return context.prompter.select<Side>({
    message: shown`Which amount do you want to enter?`,
    choices: [
      { name: visible(`the ${from.coin} you send`), value: 'deposit' },
      { name: visible(`the ${to.coin} you receive`), value: 'receive' },
    ],
  });
}

function quoteLine({ amount, receive, rate }: Quote, from: Asset, to: Asset): Visible {
  return visible(`${amount} ${from.coin} → ${receive} ${to.coin}  (1 ${from.coin} = ${rate} ${to.coin})`);
}

function typedProblem(text: string, asset: Asset): string | null {
  const verdict = checkAmount(text);
  if (!verdict.ok) return `Invalid amount: ${verdict.reason}.`;
  const excess = tooManyDecimals(text, asset.coin, asset.network);
  if (excess === undefined) return null;
  const has = `${assetName(asset)} has ${excess.places} decimals`;
  return isZero(excess.fits) ? `${has}; this amount is too small to pay.` : `${has}; try ${excess.fits}.`;
}

function quoteProblem(priced: Priced, from: Asset): string | null {
  if (!('problem' in priced)) return boundsProblem(priced.amount, priced, from);
  return priced.failed
    ? `${priced.problem} Press Enter to try again; the amount itself is fine.`
    : priced.problem;
}

type Bounds = Pick<Quote, 'min' | 'max'>;

function boundsProblem(deposit: Decimal, { min, max }: Bounds, from: Asset): string | null {
  if (compareDecimals(deposit, min) < 0)
    return `The minimum deposit is ${min} ${from.coin}, but this is ${deposit}.`;
  if (max !== null && compareDecimals(deposit, max) > 0)
    return `The maximum deposit is ${max} ${from.coin}, but this is ${deposit}.`;
  return null;
}

/**
 * A sentence about what is wrong with an amount for a pair, or null; asks the service for a quote. A failure of the
 * service is noted; it does not mean that the amount is wrong.
 */
export async function amountProblem(context: Context, pricing: Pricing): Promise<string | null> {
  const { from, to, amount, lastSource } = pricing;
  const typed = typedProblem(amount, lastSource === 'deposit' ? from : to);
  if (typed !== null) return typed;
  const priced = await tryQuote(context, pricing);
  if (!('problem' in priced) || !priced.failed) return quoteProblem(priced, from);
  context.streams.note(`  ${priced.problem}`, true);
  return null;
}

/** A quote, or the reason why there is none: the request was refused, or the service failed. */
type Priced = Quote | { readonly problem: string; readonly failed: boolean };

async function tryQuote(context: Context, question: Pricing): Promise<Priced> {
  const quote = await attempt(async () => (await context.service()).client.quote(question));
  if (!(quote instanceof SwapctlError)) return quote;
  if (REQUEST_ERROR_CODES.has(quote.code)) return { problem: quote.message, failed: false };
  return { problem: `No quote: ${fullSentence(quote.message)}`, failed: true };
}

const REQUEST_ERROR_CODES: ReadonlySet<ErrorCode> = new Set([
  'amount_below_min',
  'amount_above_max',
  'validation_failed',
  'rejected',
  'not_found',
]);

async function pairBounds(
  context: Context,
  pair: Pick<Pricing, 'from' | 'to' | 'type'>,
): Promise<Bounds | null> {
  let failed = false;
  return boundsOf(async (amount) => {
    // Otherwise a service that fails once would be waited for six times.
    if (failed) return null;
    const quote = await tryQuote(context, { ...pair, amount, lastSource: 'deposit' });
    if (!('problem' in quote)) return quote;
    failed = quote.failed;
    return null;
  });
}

export async function askRateType(
  context: Context,
  pricing: Omit<Pricing, 'type'>,
  current: RateType = usualRateType(context),
): Promise<RateType> {
  const quotes = await withProgress(context.streams, 'Getting both rates', () =>
    Promise.all(RATES.map(([type]) => tryQuote(context, { ...pricing, type }))),
  );
  const choices = RATES.map(([value, words], index): Choice<RateType> => {
    const quote = quotes[index];
    const price =
      quote === undefined || 'problem' in quote
        ? (quote?.problem ?? '')
        : `${quote.amount} ${pricing.from.coin} → ${quote.receive} ${pricing.to.coin}`;
    return { name: shown`${padded(words, RATE_WIDTH)}  ${visible(price)}`, short: words, value };
  });
  return context.prompter.select<RateType>({ message: shown`Rate`, choices, default: current });
}

const RATES: readonly (readonly [RateType, Visible])[] = [
  ['float', shown`floating`],
  ['fixed', shown`fixed`],
];
const RATE_WIDTH = 'floating'.length;
