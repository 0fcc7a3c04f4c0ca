import { attempt, fullSentence, restated, SwapctlError } from '../../base/errors.ts';
import type { Client, QuoteRequest } from '../client/client.ts';
import type { RequestTurns } from '../client/turns.ts';
import { compareDecimals, type Decimal, isZero } from '../swap/amount.ts';
import { coinLabel, type Quote } from '../swap/swap.ts';

export interface Quoting {
  readonly client: Pick<Client, 'quote'>;
}

/** The smallest and the largest deposit of a pair; the latter is null if there is no maximum. */
type Limits = Pick<Quote, 'min' | 'max'>;

type CoinPair = Pick<Quote, 'from' | 'to'>;

/** Amounts that are tried to learn the limits of a pair, which the service returns only with a price. */
const PROBES: readonly Decimal[] = ['1', '0.01', '100', '10000', '0.0001', '1000000'];

/** The limits of a pair's deposit, from the first of the amounts for which `ask` gets a quote; null if none does. */
export async function boundsOf(
  ask: (amount: Decimal) => Promise<Quote | null>,
  amounts: readonly Decimal[] = PROBES,
): Promise<Limits | null> {
  for (const amount of amounts) {
    const quote = await ask(amount);
    if (quote !== null) return quote;
  }
  return null;
}

/** The limits of a deposit in words, the maximum only if the service has one. */
export function boundsText({ min, max }: Limits, coin: string): string {
  return max === null ? `from ${min} ${coin}` : `${min} to ${max} ${coin}`;
}

/** Refuses a deposit outside the limits of a pair. Throws `amount_below_min` or `amount_above_max`. */
export function checkBounds(limits: Limits, amount: Decimal, pair: CoinPair): void {
  const code = missedLimit(limits, amount);
  if (code === null) return;
  const asked = { ...pair, amount, lastSource: 'deposit' as const };
  throw new SwapctlError(code, `${problemWords(code, asked)}. ${limitsWords(pair, limits)}`, {
    details: limitDetails(asked, limits),
  });
}

/** The error of a refused amount with the pair's limits, as far as they can be learned; any other error as it is. */
export async function withBounds(error: SwapctlError, { client }: Quoting, request: QuoteRequest) {
  const { code } = error;
  if (code !== 'amount_below_min' && code !== 'amount_above_max') return error;
  const limits = await probeLimits(client, request, code);
  const isLow = code === 'amount_below_min';
  const hint = `Choose a ${isLow ? 'larger' : 'smaller'} amount.`;
  const problem = problemWords(code, request);
  if (limits !== null)
    return restated(error, `${problem}. ${limitsWords(request, limits)}`, {
      hint,
      details: limitDetails(request, limits),
    });
  const stated = boundIn(error.message, request.from.coin);
  const bound = stated === null ? '' : ` of ${stated} ${request.from.coin}`;
  const details = { amount: request.amount, [isLow ? 'minimum' : 'maximum']: stated };
  return restated(error, `${problem}${bound} for ${pairWords(request)}.`, { hint, details });
}

type LimitCode = 'amount_below_min' | 'amount_above_max';

/** Maximum time that a refusal waits for each quote that may explain it, in milliseconds. */
const MAX_WAIT_MS = 5000;

/** The limits by quotes of other amounts, if they explain the refusal. A failed quote ends the search without error. */
async function probeLimits(client: Quoting['client'], request: QuoteRequest, code: LimitCode) {
  let hasFailed = false;
  const ask = async (amount: Decimal): Promise<Quote | null> => {
    if (hasFailed) return null;
    const quote = await attempt(() => client.quote({ ...request, amount, lastSource: 'deposit' }, ONE_TRY));
    if (!(quote instanceof SwapctlError)) return quote;
    hasFailed = quote.code !== 'amount_below_min' && quote.code !== 'amount_above_max';
    return null;
  };
  const limits = await boundsOf(ask, probesFor(request, code));
  if (limits === null || request.lastSource === 'receive') return limits;
  return missedLimit(limits, request.amount) === code ? limits : null;
}

function missedLimit({ min, max }: Limits, amount: Decimal): LimitCode | null {
  if (compareDecimals(amount, min) < 0) return 'amount_below_min';
  return max !== null && compareDecimals(amount, max) > 0 ? 'amount_above_max' : null;
}

/** Amounts on the other side of the limit that was missed, the nearest first. */
function probesFor({ amount, lastSource }: QuoteRequest, code: LimitCode): readonly Decimal[] {
  if (lastSource === 'receive') return PROBES;
  const rising = [...PROBES].sort(compareDecimals);
  return code === 'amount_below_min'
    ? rising.filter((probe) => compareDecimals(probe, amount) > 0)
    : rising.filter((probe) => compareDecimals(probe, amount) < 0).reverse();
}

/** The turn of a request that is sent once, immediately. */
const ONE_TRY: RequestTurns = {
  limit: { tryTake: async () => 0, observe: async () => undefined },
  timeLeft: () => MAX_WAIT_MS,
  repeats: () => false,
};

function problemWords(code: LimitCode, asked: Omit<QuoteRequest, 'type'>): string {
  const { amount, lastSource, from, to } = asked;
  const limit = code === 'amount_below_min' ? 'below the minimum' : 'above the maximum';
  return lastSource === 'deposit'
    ? `${amount} ${from.coin} is ${limit}`
    : `The deposit for ${amount} ${to.coin} is ${limit}`;
}

function limitsWords(pair: CoinPair, { min, max }: Limits): string {
  const { coin } = pair.from;
  const upTo = isZero(min) ? `up to ${max}` : `${min} to ${max}`;
  return fullSentence(
    `The limits of ${pairWords(pair)} are ${max === null ? `${min} ${coin} or more` : `${upTo} ${coin}`}`,
  );
}

function pairWords({ from, to }: CoinPair): string {
  return [from, to]
    .map((side) => coinLabel({ ...side, network: side.network === side.coin ? null : side.network }))
    .join(' → ');
}

function limitDetails({ amount, from }: Pick<QuoteRequest, 'amount' | 'from'>, { min, max }: Limits) {
  return { amount, coin: from.coin, minimum: min, maximum: max };
}

/** The plain decimal at the end of the service's words, where some services put the limit; of the deposit's coin. */
function boundIn(message: string, coin: string): Decimal | null {
  const [, bound, unit] =
    /(?:^|[\s:(=])((?:0|[1-9][0-9]*)(?:\.[0-9]+)?)(?:\s+([A-Z0-9]{2,12}))?[\s).]*$/.exec(message) ?? [];
  return bound === undefined || (unit !== undefined && unit !== coin.toUpperCase()) ? null : bound;
}
