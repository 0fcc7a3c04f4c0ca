import type { Command } from 'commander';
import type { QuoteRequest } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { RateType } from '../../swap/swap.ts';
import type { Service } from '../../swaps/ports.ts';
import { withProgress } from '../../terminal/progress.ts';
import { rfc3339 } from '../../time.ts';
import type { QuoteResult } from '../../views/quote.ts';
import { comparisonView, quoteView } from '../../views/quote.ts';
import {
  amountArgument,
  chosenRateType,
  coinArgument,
  rateArgument,
  secondsArgument,
} from '../shared/arguments.ts';
import { quotePair } from '../shared/pair/quote-pair.ts';
import { refuseSameSides } from '../shared/pair/same-sides.ts';
import { usualInterval, usualRateType } from '../shared/stored-setting.ts';
import { withoutBlanks } from '../shared/trimmed.ts';
import type { RateTarget } from './watch.ts';

/** A request whose rate type, where it is null, is the stored one, else floating. */
type Wanted = Omit<QuoteRequest, 'type'> & { readonly type: RateType | null };

/** Parsed arguments of `swapctl quote`. */
export interface QuoteOptions {
  readonly request: Wanted;
  /** Both rate types; the request's own does not count then. */
  readonly compare: boolean;
  readonly watch: boolean;
  /** Pause between two looks, in milliseconds; null is as it is stored, else ten seconds. */
  readonly intervalMs: number | null;
  /** The rate at which `--watch` ends; null to go on until Ctrl-C or `--timeout`. */
  readonly target: RateTarget | null;
}

/** Declares `swapctl quote`. */
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
    .option('-w, --watch', 'watch the rate until Ctrl-C')
    .option('-i, --interval <seconds>', 'seconds between checks (default: 10)', secondsArgument)
    .option('--above <rate>', 'with --watch: stop at this rate or higher')
    .option('--below <rate>', 'with --watch: stop at this rate or lower')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl quote BTC ETH 0.1\n  $ swapctl quote BTC USDT:TRC20 0.1 --fixed\n  $ swapctl quote BTC USDT:TRX 1000 --receive --json | jq -r .amount\n  $ swapctl quote BTC ETH 0.1 --watch --above 28.5 --timeout 12h && swapctl create BTC ETH 0.1',
    )
    .action((from: string, to: string, amount: string, flags: Record<string, unknown>) => {
      if (
        flags['compare'] === true &&
        (flags['watch'] === true || flags['fixed'] === true || flags['float'] === true)
      ) {
        throw new UsageError(
          '--compare shows both rate types once; it goes with none of --fixed, --float and --watch.',
        );
      }
      const pair = { from: coinArgument(from), to: coinArgument(to) };
      refuseSameSides(pair.from, pair.to);
      if (flags['interval'] !== undefined && flags['watch'] !== true)
        throw new UsageError('--interval goes with --watch.');
      const target = rateTarget(flags);
      const started = context();
      const request: Wanted = {
        ...pair,
        amount: amountArgument(withoutBlanks(started, 'amount', amount)),
        lastSource: flags['receive'] === true ? 'receive' : 'deposit',
        type: chosenRateType(flags),
      };
      return run(started, {
        request,
        compare: flags['compare'] === true,
        watch: flags['watch'] === true,
        intervalMs: typeof flags['interval'] === 'number' ? flags['interval'] : null,
        target,
      });
    });
}

function rateTarget(flags: Record<string, unknown>): RateTarget | null {
  const { above, below } = flags;
  if (above !== undefined && below !== undefined) throw new UsageError('Choose one of --above and --below.');
  const given = above ?? below;
  if (typeof given !== 'string') return null;
  if (flags['watch'] !== true) throw new UsageError('--above and --below go with --watch.');
  return { side: above === undefined ? 'below' : 'above', rate: rateArgument(given) };
}

/** Prints a quote, two of them, or one after the other. */
export async function runQuote(context: Context, options: QuoteOptions): Promise<void> {
  const service = await context.service();
  const usual = options.request.type ?? usualRateType(context);
  const ask = (type: QuoteRequest['type']) => priced(context, service, { ...options.request, type });
  if (options.watch) {
    const { watchQuote } = await import('./watch.ts');
    const { budgeted } = await import('./budgeted.ts');
    let request: QuoteRequest = { ...options.request, type: usual };
    const next = async () => {
      const quote = await priced(context, service, request);
      // A network that was filled in, or a spelling that was mended, costs a refusal only once.
      request = { ...request, from: quote.from, to: quote.to };
      return quote;
    };
    const intervalMs = options.intervalMs ?? usualInterval(context);
    return watchQuote(context, await budgeted(context, next), { intervalMs, target: options.target });
  }
  const progress = 'Asking for a price';
  if (!options.compare) {
    return context.streams.print(quoteView(await withProgress(context.streams, progress, () => ask(usual))));
  }
  const both = await withProgress(context.streams, progress, () => Promise.all([ask('fixed'), ask('float')]));
  await context.streams.print(comparisonView(both));
}

async function priced(context: Context, service: Service, request: QuoteRequest): Promise<QuoteResult> {
  const quote = await quotePair(context, service, request);
  const at = rfc3339(context.now());
  return { ...quote, at, profile: service.profile, environment: service.environment };
}
