import type { Command } from 'commander';
import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { shown } from '../../../base/text.ts';
import { looksSecret } from '../../../core/swap/secret-forms.ts';
import type { Asset } from '../../../core/swap/swap.ts';
import { serviceTime, shownSwap } from '../../../core/swaps/lookup.ts';
import { namedOrder } from '../../../core/swaps/named-swap.ts';
import * as refunds from '../../../core/swaps/refund.ts';
import { refundsOnLedger } from '../../../core/swaps/refund-records.ts';
import { announce, type Context } from '../../context.ts';
import { type DetailLine, flatRows, renderDetails } from '../../terminal/details.ts';
import { withProgress } from '../../terminal/progress.ts';
import { swapView } from '../../views/swap.ts';
import { askRefundAddress } from '../shared/addresses/ask.ts';
import { refuseOtherNetwork, savedForRefund } from '../shared/addresses/saved.ts';
import * as args from '../shared/arguments.ts';
import { printDryRun } from '../shared/dry-run.ts';
import { confirmed, withoutBlanks } from '../shared/questions.ts';
import { serviceLines } from '../shared/review-text.ts';

/** Maximum length of an order or address that a hint repeats, in characters. */
const MAX_REPEATED = 200;

export function refundCommand(command: Command, context: () => Context, run = runRefund): void {
  command
    .description('Set or replace the address to which the deposit of a swap is sent back if the swap fails.')
    .argument('<order>', args.ORDER)
    .argument(
      '[address]',
      'refund address on the network of the deposit, or @name of a saved one; prompted for on a terminal',
    )
    .option(
      '-y, --yes',
      'skip the confirmation, except on a terminal when the swap does not match what was agreed',
    )
    .option('--dry-run', 'check everything and show the request instead of sending it')
    .option('--approval <id>', 'approval of this request, if the policy requires one', args.approvalArgument)
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl refund KQWZPA bc1q…\n  $ swapctl refund KQWZPA bc1q… --yes --json',
    )
    .action((order: string, address: string | undefined, flags: args.Flags) =>
      run(context(), refundOptions(context(), order, address, flags)),
    );
}

/** Parsed arguments of `swapctl refund`; an address of null is asked for. */
type RefundOptions = ReturnType<typeof refundOptions>;

function refundOptions(context: Context, order: string, address: string | undefined, flags: args.Flags) {
  const { on } = args.readFlags(flags);
  return {
    order: args.swapArgument(order),
    address: address === undefined ? null : withoutBlanks(context, 'refund address', address),
    yes: on('yes'),
    dryRun: on('dryRun'),
    approval: args.approvalOption(flags['approval']),
  };
}

/** Sets the refund address after reading the swap, and checks the address that the service confirms. */
async function runRefund(context: Context, options: RefundOptions): Promise<void> {
  const { streams } = context;
  if (!streams.interactive && (options.address === null || !(options.yes || options.dryRun))) {
    const word = (text: string | null, name: string) =>
      text === null || text.length > MAX_REPEATED || looksSecret(text) ? name : shellQuote(text);
    throw new UsageError(
      options.address === null ? 'Missing refund address.' : 'Without a terminal, refund needs --yes.',
      `swapctl refund ${word(options.order, '<order>')} ${word(options.address, '<address>')} --yes`,
    );
  }
  // --yes was given for the swap as agreed; a person at a terminal can review this one.
  const needsAnswer = ({ compared, entry }: refunds.SwapToRefund) =>
    !options.yes || (streams.interactive && (compared.doubts.length > 0 || entry?.outcome === 'unknown'));
  const { order } = await namedOrder(context, options.order, { whose: 'own', warns: true });
  const ports = refundsOnLedger(context, (request) =>
    withProgress(streams, 'Setting the refund address', request),
  );
  const found = await refunds.swapToRefund(ports, order);
  const typed = await refundAddress(context, { ...options, order }, found.deposit);
  if (typed === null) throw new SwapctlError('declined', 'No refund address was given; nothing was changed.');
  const { address, warnings } = await refunds.checkedRefund(found, typed);
  const wanted = { address, approval: options.approval };
  if (!options.dryRun) await showReview(context, found, address);
  for (const warning of warnings) await streams.warn(warning);
  if (options.dryRun) {
    const content = { id: found.order, refundAddress: address };
    const decision = await refunds.refundDecision(ports, found, wanted);
    return printDryRun(context, found.service, { endpoint: 'update-refund-address', content }, decision);
  }
  if (needsAnswer(found)) await confirmed(context, 'Set this refund address?', 'nothing was changed');
  announce(context, found.service);
  const set = await refunds.setRefundAddress(ports, found, wanted);
  await printUpdate(context, found, set);
  if (set.ledgerError !== null) throw set.ledgerError;
}

/** The address that was given, directly or as `@name`, or typed at the prompt; null for none. */
async function refundAddress(context: Context, { order, address }: RefundOptions, from: Asset) {
  if (address === null) return (await askRefundAddress(context, from, order)).refundAddress;
  const saved = savedForRefund(context, address);
  if (saved !== null) await refuseOtherNetwork(context, saved, from, 'deposit');
  return saved?.address ?? address;
}

async function printUpdate(
  { streams }: Context,
  { service: { profile, environment }, order, compared }: refunds.SwapToRefund,
  { address, message }: refunds.ConfirmedRefund,
): Promise<void> {
  const result = { order, refundAddress: address, message, profile, environment, doubts: compared.doubts };
  await streams.print({
    json: () => result,
    rows: () => flatRows({ ...result, doubts: compared.doubts.join(' ') }),
    screen: (style, width) =>
      renderDetails(
        [
          ['Order', order],
          ['Refund address', address, style.cyan],
          ['Service', message],
          ...compared.found.map(({ words }) => ['Mismatches', words, style.yellow, 'prose'] as const),
        ],
        style,
        width,
      ),
  });
}

/** Shows the swap and both addresses; `--quiet` hides them where no one is asked. */
async function showReview(
  context: Context,
  { service, compared, entry }: refunds.SwapToRefund,
  address: string,
): Promise<void> {
  const { streams } = context;
  if (context.flags.quiet === true && !streams.interactive) return;
  const style = await streams.noteStyle();
  const result = shownSwap(context, service, entry, compared);
  streams.noteRendered(
    shown`\n${await swapView(result, serviceTime(context, service)).screen(style, streams.noteWidth)}`,
  );
  const lines: readonly DetailLine[] = [
    ['Current refund address', entry?.refundAddress ?? 'none known'],
    ['New refund address', address, style.bold],
    ...serviceLines(service, style),
  ];
  streams.noteRendered(shown`\n${renderDetails(lines, style, streams.noteWidth)}`);
}
