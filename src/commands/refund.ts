import type { Command } from 'commander';
import { badResponse } from '../client/decode.ts';
import { confirmsRefund, unconfirmedRefund } from '../client/writes.ts';
import type { Context } from '../context.ts';
import { announce } from '../context.ts';
import { StorageError, SwapctlError, UsageError } from '../errors.ts';
import { shellQuote } from '../files.ts';
import type { Entry } from '../ledger/entry.ts';
import { memoPolicy } from '../swap/memo.ts';
import type { Asset, Swap } from '../swap/swap.ts';
import { checkedAddress } from '../swaps/destination.ts';
import type { JudgedSwap } from '../swaps/lookup.ts';
import { judgedSwap, shownSwap, warnOfFindings } from '../swaps/lookup.ts';
import type { Service } from '../swaps/ports.ts';
import type { DetailLine } from '../terminal/details.ts';
import { flatRows, renderDetails } from '../terminal/details.ts';
import { withProgress } from '../terminal/progress.ts';
import { looksSecret, shown } from '../text.ts';
import { swapView } from '../views/swap.ts';
import { askRefundAddress } from './shared/addresses/ask-refund.ts';
import { refuseOtherNetwork, savedForRefund } from './shared/addresses/saved.ts';
import { orderArgument } from './shared/arguments.ts';
import { withoutBlanks } from './shared/trimmed.ts';

/** Parsed arguments of `swapctl refund`. */
export interface RefundOptions {
  readonly order: string;
  /** Null to be asked for. */
  readonly address: string | null;
  readonly yes: boolean;
}

/** Longest address that a hint repeats, in characters. */
const MAX_REPEATED = 200;

/** Declares `swapctl refund`. */
export function refundCommand(command: Command, context: () => Context, run = runRefund): void {
  command
    .description('Set or replace the address to which the deposit of a swap is sent back if the swap fails.')
    .argument('<order>', 'order number')
    .argument(
      '[address]',
      'refund address on the network of the deposit, or @name of a saved one; asked for on a terminal',
    )
    .option('-y, --yes', 'do not ask, unless the swap is not as agreed and there is a terminal')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl refund KQWZPA bc1q…\n  $ swapctl refund KQWZPA bc1q… --yes --json',
    )
    .action((order: string, address: string | undefined, flags: Record<string, unknown>) => {
      const started = context();
      return run(started, {
        order: orderArgument(order),
        address: address === undefined ? null : withoutBlanks(started, 'refund address', address),
        yes: flags['yes'] === true,
      });
    });
}

/** Sets the refund address after reading the swap, and checks the address that the service confirms. */
async function runRefund(context: Context, options: RefundOptions): Promise<void> {
  const { streams } = context;
  if (!streams.interactive && (options.address === null || !options.yes)) {
    throw new UsageError(
      options.address === null ? 'Name the refund address.' : 'Without a terminal, refund needs --yes.',
      `swapctl refund ${shellQuote(options.order)} ${options.address === null || options.address.length > MAX_REPEATED || looksSecret(options.address) ? '<address>' : shellQuote(options.address)} --yes`,
    );
  }
  const service = await context.service();
  const { client } = service;
  const owner = await context.owner();
  const ledger = await context.ledger();
  const entry = await ledger.byOrder(owner, options.order);
  const order = entry?.order ?? options.order;
  const { value: swap, httpStatus } = await client.transaction(order);
  const judged = await judgedSwap(service, entry, swap);
  await warnOfFindings(context, entry, judged);
  const look = { swap: judged.swap, doubts: judged.doubts, at: context.now() };
  await ledger.seen(owner, look);
  // The deposit was sent where the create agreed, whatever the service says of it by now.
  const network = entry?.request?.deposit.network ?? swap.deposit.network;
  if (network === null) throw badResponse('it does not say on which network the deposit is', httpStatus);
  const coin = entry?.request?.deposit.coin ?? swap.deposit.coin ?? 'the deposit';
  const typed = await refundAddress(context, options, { coin, network });
  if (typed === null) throw new SwapctlError('declined', 'No refund address was given; nothing was changed.');
  const { address, warnings } = await checkedAddress({
    network,
    address: typed,
    environment: service.environment,
    what: 'refund',
  });
  await review(context, service, {
    judged,
    entry,
    address,
    warnings: [...warnings, ...concerns(swap, network)],
    yes: options.yes,
  });
  announce(context, service);
  const answered = await withProgress(streams, 'Setting the refund address', () =>
    client.updateRefundAddress(order, address),
  );
  if (!(await confirmsRefund(answered.value, network, { order, address })))
    throw unconfirmedRefund(answered, address, order);
  const ledgerError = await ledgerFailure(() =>
    ledger.refundAddressSet(owner, { ...look, at: context.now() }, address),
  );
  await printUpdate(context, service, { order, address, message: answered.value.message, judged });
  if (ledgerError !== null) throw ledgerError;
}

/** The address that was given, by itself or as `@name`, or that a person is asked for; null for none. */
async function refundAddress(
  context: Context,
  { address }: RefundOptions,
  from: Asset,
): Promise<string | null> {
  if (address === null) return (await askRefundAddress(context, from)).refundAddress;
  const saved = savedForRefund(context, address);
  if (saved !== null) await refuseOtherNetwork(context, saved, from, 'deposit');
  return saved?.address ?? address;
}

async function printUpdate(
  { streams }: Context,
  { profile, environment }: Service,
  updated: Pick<Review, 'judged' | 'address'> & { readonly order: string; readonly message: string | null },
): Promise<void> {
  const { order, address, message, judged } = updated;
  const result = { order, refundAddress: address, message, profile, environment, doubts: judged.doubts };
  await streams.print({
    json: () => result,
    rows: () => flatRows({ ...result, doubts: judged.doubts.join(' ') }),
    screen: (style, width) =>
      renderDetails(
        [
          ['Order', order],
          ['Refund address', address, style.cyan],
          ['Service', message],
          ...judged.findings.map(({ words }) => ['Not as agreed', words, style.yellow, 'prose'] as const),
        ],
        style,
        width,
      ),
  });
}

/** Writes to the ledger and returns its failure: the address is set by now, and the result must be shown. */
async function ledgerFailure(write: () => Promise<unknown>): Promise<StorageError | null> {
  try {
    await write();
    return null;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return new StorageError(
      `The refund address is set, but the ledger could not be written. ${error.message}`,
      'Run the same command again once the ledger can be written.',
      'done',
    );
  }
}

function concerns(swap: Swap, network: string): string[] {
  const warnings: string[] = [];
  if (swap.final)
    warnings.push(`The swap is final (${swap.status}); a new refund address may have no effect.`);
  if (memoPolicy(network) === 'required') {
    warnings.push(
      `${network} often needs a memo, and the service has no field for one: use an address that needs none, not a deposit address of an exchange.`,
    );
  }
  return warnings;
}

interface Review {
  readonly judged: JudgedSwap;
  readonly entry: Entry | null;
  readonly address: string;
  readonly warnings: readonly string[];
  readonly yes: boolean;
}

async function review(
  context: Context,
  service: Service,
  { judged, entry, address, warnings, yes }: Review,
): Promise<void> {
  const { streams } = context;
  const style = await streams.noteStyle();
  if (!yes || streams.interactive) {
    const result = shownSwap(context, service, entry, judged);
    streams.noteRendered(shown`\n${await swapView(result, context.now()).screen(style, streams.noteWidth)}`);
    const lines: readonly DetailLine[] = [
      ['Refund address now', entry?.refundAddress ?? 'none that swapctl knows of'],
      ['New refund address', address, style.bold],
    ];
    streams.noteRendered(shown`\n${renderDetails(lines, style, streams.noteWidth)}`);
  }
  for (const warning of warnings) await streams.warn(warning);
  // --yes was given for the swap that was agreed, and a person at a terminal can look at this one.
  const isAsAgreed = judged.doubts.length === 0 && entry?.outcome !== 'unknown';
  if (yes && (isAsAgreed || !streams.interactive)) return;
  if (await context.prompter.confirm({ message: shown`Set this refund address?`, default: false })) return;
  throw new SwapctlError('declined', 'Declined; nothing was changed.');
}
