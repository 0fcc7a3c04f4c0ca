import type { Command } from 'commander';
import { attempt, SwapctlError, UsageError } from '../../../base/errors.ts';
import { someOf } from '../../../base/text.ts';
import { rfc3339 } from '../../../base/time.ts';
import type { QuoteRequest } from '../../../core/client/client.ts';
import { findNetwork } from '../../../core/swap/networks/networks.ts';
import type { CoinOnNetwork, Quote, Side } from '../../../core/swap/swap.ts';
import { openNetworks, refuseSameSides } from '../../../core/swaps/pair.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import { priceImpact, quotePair } from '../../../core/swaps/price.ts';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import { comparisonView, type QuoteResult, quoteView } from '../../views/quote.ts';
import * as args from '../shared/arguments.ts';
import { withoutBlanks } from '../shared/questions.ts';
import { usualInterval, usualRateType } from '../shared/stored-setting.ts';
import type { RateTarget } from './watch.ts';

export function quoteCommand(command: Command, context: () => Context, run = runQuote): void {
  command
    .description('Show what you receive for an amount, or with --receive what you have to send for it.')
    .argument('<from>', 'coin to send, COIN or COIN:NETWORK')
    .argument('<to>', 'coin to receive, COIN or COIN:NETWORK')
    .argument('<amount>', 'amount to send, such as 0.1')
    .option('-r, --receive', 'amount is what you want to receive')
    .option('-f, --fixed', 'fixed rate')
    .option('--float', 'floating rate (the default)')
    .option('--compare', 'show both rate types side by side')
    .option('--impact', 'show the price impact: the rate compared with the rate at the minimum')
    .option('-w, --watch', 'watch the rate until Ctrl-C')
    .option('-i, --interval <seconds>', 'seconds between checks (default: 10)', args.secondsArgument)
    .option('--above <rate>', 'with --watch: stop at this rate or higher')
    .option('--below <rate>', 'with --watch: stop at this rate or lower')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl quote BTC ETH 0.1\n  $ swapctl quote BTC USDT:TRC20 0.1 --fixed\n  $ swapctl quote BTC USDT:TRX 1000 --receive --json | jq -r .amount\n  $ swapctl quote BTC ETH 0.1 --watch --above 28.5 --timeout 12h && swapctl create BTC ETH 0.1',
    )
    .action((first: string, second: string, third: string, flags: args.Flags) => {
      const words = [first, second, third];
      const wordy = args.wordyPairError('swapctl quote', words);
      if (wordy !== null) throw wordy;
      const [from = '', to = '', amount = ''] = args.amountLast(words);
      const options = quoteOptions(args.coinArgument(from), args.coinArgument(to), flags);
      const typed = args.amountArgument(withoutBlanks(context(), 'amount', amount));
      return run(context(), { ...options, request: { ...options.request, amount: typed } });
    });
}

/** Parsed arguments of `swapctl quote`; a rate type of null is the stored default, else floating. */
type QuoteOptions = ReturnType<typeof quoteOptions> & { readonly request: Pick<QuoteRequest, 'amount'> };

function quoteOptions(from: CoinOnNetwork, to: CoinOnNetwork, flags: args.Flags) {
  const { on, number } = args.readFlags(flags);
  const [compare, impact, watch] = [on('compare'), on('impact'), on('watch')];
  if (compare && (watch || on('fixed') || on('float')))
    throw new UsageError('--compare cannot be combined with --fixed, --float or --watch.');
  if (impact && (compare || watch))
    throw new UsageError('--impact cannot be combined with --compare or --watch.');
  refuseSameSides(from, to);
  const intervalMs = number('interval');
  if (intervalMs !== null && !watch) throw new UsageError('--interval requires --watch.');
  const target = rateTarget(flags);
  const lastSource: Side = on('receive') ? 'receive' : 'deposit';
  const request = { from, to, lastSource, type: args.chosenRateType(flags) };
  return { request, compare, impact, watch, intervalMs, target };
}

/** The rate at which `--watch` ends; null to continue until Ctrl-C or `--timeout`. */
function rateTarget(flags: args.Flags): RateTarget | null {
  const { text, on } = args.readFlags(flags);
  const [above, below] = [text('above'), text('below')];
  if (above !== null && below !== null) throw new UsageError('--above and --below cannot be combined.');
  const given = above ?? below;
  if (given === null) return null;
  if (!on('watch')) throw new UsageError('--above and --below require --watch.');
  return { side: above === null ? 'below' : 'above', rate: args.rateArgument(given) };
}

/** Prints a quote, both rate types side by side, or a line for each change. */
export async function runQuote(context: Context, options: QuoteOptions): Promise<void> {
  const service = await context.service();
  const usual = options.request.type ?? usualRateType(context);
  const ask = (type: QuoteRequest['type']) => priced(context, service, { ...options.request, type });
  if (options.watch) {
    const { budgetedQuotes, watchQuote } = await import('./watch.ts');
    const paced = await budgetedQuotes(context, service);
    let request: QuoteRequest = { ...options.request, type: usual };
    let isFirst = true;
    const next = async () => {
      const quote = await priced(context, paced, request);
      if (isFirst) await noteOpenNetworks(context, quote);
      isFirst = false;
      // The networks and spellings that the first quote settled are kept, so that only it may need a second request.
      request = { ...request, from: quote.from, to: quote.to };
      return quote;
    };
    const intervalMs = options.intervalMs ?? usualInterval(context);
    return watchQuote(context, next, { intervalMs, target: options.target });
  }
  const progress = `Getting a quote from ${service.host}`;
  if (!options.compare) {
    const quote = await withProgress(context.streams, progress, async () => {
      const plain = await ask(usual);
      return options.impact ? { ...plain, impact: await priceImpact(service, plain) } : plain;
    });
    if (options.impact && quote.impact === null)
      context.streams.note('The service gave no rate at the minimum, so the price impact is unknown.', true);
    await context.streams.print(quoteView(quote));
    return noteOpenNetworks(context, quote);
  }
  const both = await withProgress(context.streams, progress, () => Promise.all([ask('fixed'), ask('float')]));
  await context.streams.print(comparisonView(both));
  await noteOpenNetworks(context, both[0]);
}

/**
 * Notes the networks to choose from where the service chose: they may differ in price. The stored coin list is enough
 * at any age. Without one the service is asked, but not about a coin of a chain of that name, whose default is clear.
 */
async function noteOpenNetworks(context: Context, { from, to }: Pick<Quote, 'from' | 'to'>): Promise<void> {
  const open = [from, to].filter(({ network }) => network === null);
  if (context.flags.quiet === true || open.length === 0) return;
  const stored = await context.storedCoins();
  const isClear = stored.length === 0 && open.every(({ coin }) => findNetwork(coin) !== undefined);
  if (isClear) return;
  const coins = stored.length > 0 ? stored : await attempt(() => context.pairCoins(from.coin, to.coin));
  // The price is right without it.
  if (coins instanceof SwapctlError) return;
  for (const { coin, choices } of openNetworks(coins, { from, to }))
    context.streams.note(
      `${coin} has ${choices.length} networks; the service priced its default. Choose one: ${someOf(choices)}.`,
    );
}

async function priced(context: Context, service: Service, request: QuoteRequest): Promise<QuoteResult> {
  const quote = await quotePair(context, service, request);
  const at = rfc3339(context.now());
  return { ...quote, at, impact: null, profile: service.profile, environment: service.environment };
}
