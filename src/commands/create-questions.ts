import { findCoin } from '../client/spelling.ts';
import type { Context } from '../context.ts';
import { StorageError, SwapctlError } from '../errors.ts';
import type { Decimal } from '../swap/amount.ts';
import { checkAmount, compareDecimals } from '../swap/amount.ts';
import { coinLabel } from '../swap/coin-ref.ts';
import { tooManyDecimals } from '../swap/decimals.ts';
import { memoPolicy } from '../swap/memo.ts';
import type { Coin, CoinOnNetwork, Quote, RateType } from '../swap/swap.ts';
import { visible } from '../swap/text.ts';
import type { Choice } from '../terminal/prompter.ts';
import { checkedAddress, checkedDestination } from './destination.ts';

/** A coin with its network decided. */
export interface Leg {
  readonly coin: string;
  readonly network: string;
}

type Side = 'deposit' | 'receive';
type LastSource = 'deposit' | 'receive';

const MOST_RECENT = 5;
/** Amounts tried to learn the bounds of a pair, which the service tells only with a price. */
const PROBES: readonly Decimal[] = ['1', '0.01', '100', '10000'];

/** One searchable list of coins with their networks, the ones used last first. */
export async function askCoin(context: Context, side: Side, other: Leg | null): Promise<Leg> {
  const { coins } = await context.catalogue();
  const recent = await recentLegs(context, side);
  const rank = new Map(recent.map((label, index) => [label, index]));
  const choices = coins
    .flatMap((coin) => coin[side].map(({ network, memoRequired }) => choiceOf(coin, network, memoRequired)))
    .filter(({ value }) => other === null || coinLabel(value) !== coinLabel(other))
    .map((choice) => ({ choice, place: rank.get(coinLabel(choice.value)) ?? MOST_RECENT }))
    .sort((a, b) => a.place - b.place)
    .map(({ choice }) => choice);
  return context.prompter.search<Leg>({
    message: side === 'deposit' ? 'Coin to send' : 'Coin to receive',
    source: (term) => matching(choices, term),
  });
}

function choiceOf(coin: Coin, network: string, memo: boolean): Choice<Leg> {
  const label = coinLabel({ coin: coin.code, network: network === coin.code ? null : network });
  return {
    name: visible(`${label}  ${coin.name}${memo ? '  (memo)' : ''}`),
    value: { coin: coin.code, network },
  };
}

/** Codes that begin with the term come before names that hold it. */
function matching(choices: readonly Choice<Leg>[], term: string): readonly Choice<Leg>[] {
  const wanted = term.trim().toLowerCase();
  if (wanted === '') return choices;
  const hits = choices.filter(
    ({ name, value }) =>
      name.toLowerCase().includes(wanted) || coinLabel(value).toLowerCase().includes(wanted),
  );
  const first = hits.filter(({ value }) => coinLabel(value).toLowerCase().startsWith(wanted));
  return [...first, ...hits.filter((hit) => !first.includes(hit))];
}

async function recentLegs(context: Context, side: Side): Promise<string[]> {
  try {
    const entries = await (await context.ledger()).all();
    const labels = entries.flatMap(({ request }) => (request === null ? [] : [coinLabel(request[side])]));
    return [...new Set(labels)].slice(0, MOST_RECENT);
  } catch (error) {
    // A list without recent coins is still a list; the create itself will tell what is wrong with the ledger.
    if (error instanceof StorageError) return [];
    throw error;
  }
}

/** The network of a coin that was named without one: the only one, or the one chosen. */
export async function askNetwork(context: Context, ref: CoinOnNetwork, side: Side): Promise<Leg> {
  const { coins } = await context.catalogue();
  const { coin, networks, network } = findCoin(coins, ref, side);
  const only = network ?? (networks.length === 1 ? networks[0] : undefined);
  if (only !== undefined) return { coin: coin.code, network: only.network };
  return context.prompter.select<Leg>({
    message: `Network on which you ${side === 'deposit' ? 'send' : 'receive'} ${visible(coin.code)}`,
    choices: networks.map((item) => choiceOf(coin, item.network, item.memoRequired)),
  });
}

/** The amount, sent or received, taken once it is within the bounds of a quote, which is shown. */
export async function askAmount(
  context: Context,
  from: Leg,
  to: Leg,
  type: RateType,
  known: LastSource | null,
): Promise<{ amount: Decimal; lastSource: LastSource }> {
  const lastSource = known ?? (await askSource(context, from, to));
  const leg = lastSource === 'deposit' ? from : to;
  const bounds = await boundsText(context, from, to, type);
  let quote: Quote | undefined;
  const amount = await context.prompter.input({
    message: `Amount of ${visible(leg.coin)} to ${lastSource === 'deposit' ? 'send' : 'receive'}${bounds}`,
    validate: async (text) => {
      const problem = amountProblem(text, leg);
      if (problem !== null) return problem;
      const answer = await tryQuote(context, { from, to, amount: text, lastSource, type });
      if (typeof answer === 'string') return answer;
      quote = answer;
      return withinBounds(answer);
    },
  });
  if (quote !== undefined) {
    const { rate } = quote;
    context.streams.note(
      visible(
        `  ${quote.amount} ${from.coin} → ${quote.receive} ${to.coin}  (1 ${from.coin} = ${rate} ${to.coin})`,
      ),
    );
  }
  return { amount, lastSource };
}

function askSource(context: Context, from: Leg, to: Leg): Promise<LastSource> {
  return context.prompter.select<LastSource>({
    message: 'Which amount do you want to fix?',
    choices: [
      { name: visible(`the ${from.coin} you send`), value: 'deposit' },
      { name: visible(`the ${to.coin} you receive`), value: 'receive' },
    ],
  });
}

function amountProblem(text: string, leg: Leg): string | null {
  const verdict = checkAmount(text);
  if (!verdict.ok) return `Refused: ${verdict.reason}.`;
  const excess = tooManyDecimals(text, leg.coin, leg.network);
  return excess === undefined
    ? null
    : `${leg.coin} has ${excess.places} decimals on ${leg.network}; ${excess.fits} fits.`;
}

function withinBounds({ amount, min, max }: Quote): true | string {
  if (compareDecimals(amount, min) < 0)
    return visible(`The minimum is ${min}, this needs a deposit of ${amount}.`);
  if (compareDecimals(amount, max) > 0)
    return visible(`The maximum is ${max}, this needs a deposit of ${amount}.`);
  return true;
}

type QuoteQuestion = { from: Leg; to: Leg; amount: Decimal; lastSource: LastSource; type: RateType };

async function tryQuote(context: Context, question: QuoteQuestion): Promise<Quote | string> {
  try {
    const { client } = await context.service();
    return await client.quote(question);
  } catch (error) {
    if (error instanceof SwapctlError && error.code !== 'interrupted') return visible(error.message);
    throw error;
  }
}

async function boundsText(context: Context, from: Leg, to: Leg, type: RateType): Promise<string> {
  for (const amount of PROBES) {
    const quote = await tryQuote(context, { from, to, amount, lastSource: 'deposit', type });
    if (typeof quote !== 'string')
      return visible(` (deposits from ${quote.min} to ${quote.max} ${from.coin})`);
  }
  return '';
}

/** Fixed and floating rate side by side. */
export async function askRateType(
  context: Context,
  from: Leg,
  to: Leg,
  amount: Decimal,
  lastSource: LastSource,
): Promise<RateType> {
  const line = async (type: RateType, words: string): Promise<Choice<RateType>> => {
    const quote = await tryQuote(context, { from, to, amount, lastSource, type });
    const price =
      typeof quote === 'string' ? quote : `${quote.amount} ${from.coin} → ${quote.receive} ${to.coin}`;
    return { name: visible(`${words}  ${price}`), value: type };
  };
  const choices = await Promise.all([line('float', 'floating'), line('fixed', 'fixed   ')]);
  return context.prompter.select<RateType>({ message: 'Rate', choices, default: 'float' });
}

/** The payout address, taken once it passes the rules of its network. */
export async function askAddress(context: Context, to: Leg): Promise<string> {
  const { environment } = await context.profile();
  const { checkAddress } = await import('../swap/addresses/check.ts');
  const empty = await checkAddress(to.network, '');
  const form = !empty.ok && empty.expected !== undefined ? ` (${empty.expected})` : '';
  return context.prompter.input({
    message: `Payout address for ${visible(to.coin)} on ${visible(to.network)}${form}`,
    validate: (address) =>
      problemOf(() =>
        checkedDestination({
          ...to,
          address,
          memo: null,
          memoNeeded: false,
          waived: true,
          environment,
          what: 'payout',
        }),
      ),
  });
}

async function problemOf(check: () => Promise<unknown>): Promise<true | string> {
  try {
    await check();
    return true;
  } catch (error) {
    if (error instanceof SwapctlError) return error.message;
    throw error;
  }
}

/** What is known when the memo is asked for. */
export interface MemoQuestion {
  readonly to: Leg;
  readonly address: string;
  readonly memo: string | null;
  readonly memoWaived: boolean;
}

/** The memo where the network or the service wants one and neither the flags nor the address has it. */
export async function askMemo(
  context: Context,
  coins: readonly Coin[],
  { to, address, memo, memoWaived }: MemoQuestion,
): Promise<{ memo: string | null; memoWaived: boolean }> {
  const memoNeeded = findCoin(coins, to, 'receive').network?.memoRequired ?? false;
  if (memo !== null || memoWaived || !(memoNeeded || memoPolicy(to.network) === 'required'))
    return { memo, memoWaived };
  const { environment } = await context.profile();
  const check = (text: string) =>
    problemOf(() =>
      checkedDestination({
        ...to,
        address,
        memo: text === '' ? null : text,
        memoNeeded,
        waived: text === '',
        environment,
        what: 'payout',
      }),
    );
  if ((await needsNone({ to, address, memoNeeded }, environment)) === true) return { memo, memoWaived };
  for (;;) {
    const text = await context.prompter.input({
      message: `Memo for ${visible(to.coin)} on ${visible(to.network)} (empty: none)`,
      validate: check,
    });
    if (text !== '') return { memo: text, memoWaived: false };
    const sure = await context.prompter.confirm({
      message:
        'Many receivers, exchanges above all, lose a payout without its memo. Does yours need none for certain?',
      default: false,
    });
    if (sure) return { memo: null, memoWaived: true };
  }
}

/** Whether the address brings its memo along, as an X-address does. */
function needsNone(
  { to, address, memoNeeded }: { to: Leg; address: string; memoNeeded: boolean },
  environment: 'sandbox' | 'live',
): Promise<true | string> {
  return problemOf(() =>
    checkedDestination({
      ...to,
      address,
      memo: null,
      memoNeeded,
      waived: false,
      environment,
      what: 'payout',
    }),
  );
}

/** The refund address, which may be left out. */
export async function askRefundAddress(context: Context, from: Leg): Promise<string | null> {
  const { environment } = await context.profile();
  const text = await context.prompter.input({
    message: `Refund address for ${visible(from.coin)} on ${visible(from.network)}, if the swap fails (empty: none)`,
    validate: (address) =>
      address === ''
        ? true
        : problemOf(() => checkedAddress({ ...from, address, environment, what: 'refund' })),
  });
  return text === '' ? null : text;
}
