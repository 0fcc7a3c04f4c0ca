import type { Command } from 'commander';
import { announce, type Context } from '../context.ts';
import { SwapctlError, UsageError } from '../errors.ts';
import { shellQuote } from '../files.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Asset } from '../swap/swap.ts';
import { checkRefund, passRefund } from '../swaps/door.ts';
import { type JudgedSwap, shownSwap } from '../swaps/lookup.ts';
import type { Service } from '../swaps/ports.ts';
import { checkedRefund, confirmedRefund, recordRefundAddress, swapToRefund } from '../swaps/refund.ts';
import { type DetailLine, flatRows, renderDetails } from '../terminal/details.ts';
import { withProgress } from '../terminal/progress.ts';
import { looksSecret, shown } from '../text.ts';
import { swapView } from '../views/swap.ts';
import { askRefundAddress } from './shared/addresses/ask.ts';
import { refuseOtherNetwork, savedForRefund } from './shared/addresses/saved.ts';
import {
  approvalArgument,
  approvalOption,
  type Flags,
  orderArgument,
  readFlags,
} from './shared/arguments.ts';
import { printDryRun } from './shared/dry-run.ts';
import { confirmed, withoutBlanks } from './shared/questions.ts';

/** Maximum length of an address that a hint repeats, in characters. */
const MAX_REPEATED = 200;

export function refundCommand(command: Command, context: () => Context, run = runRefund): void {
  command
    .description('Set or replace the address to which the deposit of a swap is sent back if the swap fails.')
    .argument('<order>', 'order number')
    .argument(
      '[address]',
      'refund address on the network of the deposit, or @name of a saved one; prompted for on a terminal',
    )
    .option(
      '-y, --yes',
      'skip the confirmation, except on a terminal when the swap does not match what was agreed',
    )
    .option('--dry-run', 'check everything and show the request instead of sending it')
    .option('--approval <id>', 'approval of this request, if the policy requires one', approvalArgument)
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl refund KQWZPA bc1q…\n  $ swapctl refund KQWZPA bc1q… --yes --json',
    )
    .action((order: string, address: string | undefined, flags: Flags) => {
      const started = context();
      return run(started, refundOptions(started, order, address, flags));
    });
}

/** Parsed arguments of `swapctl refund`; an address of null is asked for. */
type RefundOptions = ReturnType<typeof refundOptions>;

function refundOptions(context: Context, order: string, address: string | undefined, flags: Flags) {
  const { on } = readFlags(flags);
  return {
    order: orderArgument(order),
    address: address === undefined ? null : withoutBlanks(context, 'refund address', address),
    ...{ yes: on('yes'), dryRun: on('dryRun'), approval: approvalOption(flags['approval']) },
  };
}

/** Sets the refund address after reading the swap, and checks the address that the service confirms. */
async function runRefund(context: Context, options: RefundOptions): Promise<void> {
  const { streams } = context;
  if (!streams.interactive && (options.address === null || !(options.yes || options.dryRun))) {
    throw new UsageError(
      options.address === null ? 'Missing refund address.' : 'Without a terminal, refund needs --yes.',
      `swapctl refund ${shellQuote(options.order)} ${options.address === null || options.address.length > MAX_REPEATED || looksSecret(options.address) ? '<address>' : shellQuote(options.address)} --yes`,
    );
  }
  const service = await context.service();
  const found = await swapToRefund(context, service, options.order);
  const { order, entry, judged, deposit } = found;
  const typed = await refundAddress(context, options, deposit);
  if (typed === null) throw new SwapctlError('declined', 'No refund address was given; nothing was changed.');
  const { address, warnings } = await checkedRefund(service, found, typed);
  const atDoor = {
    ...{ order, address, deposit, approval: options.approval },
    amount: judged.swap.deposit.amount,
    labels: entry?.labels ?? {},
  };
  if (options.dryRun) {
    for (const warning of warnings) await streams.warn(warning);
    const request = {
      endpoint: 'update-refund-address',
      content: { id: order, refundAddress: address },
    } as const;
    return printDryRun(context, service, request, await checkRefund(context, atDoor));
  }
  await review(context, service, { judged, entry, address, warnings, yes: options.yes });
  announce(context, service);
  const answered = await withProgress(streams, 'Setting the refund address', () =>
    passRefund(context, service, atDoor),
  );
  const message = await confirmedRefund(answered, deposit.network, { order, address });
  const ledgerError = await recordRefundAddress(context, found, address);
  await printUpdate(context, service, { order, address, message, judged });
  if (ledgerError !== null) throw ledgerError;
}

/** The address that was given, directly or as `@name`, or typed at the prompt; null for none. */
async function refundAddress(
  context: Context,
  { order, address }: RefundOptions,
  from: Asset,
): Promise<string | null> {
  if (address === null) return (await askRefundAddress(context, from, order)).refundAddress;
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
          ...judged.findings.map(({ words }) => ['Mismatches', words, style.yellow, 'prose'] as const),
        ],
        style,
        width,
      ),
  });
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
      ['Current refund address', entry?.refundAddress ?? 'none known'],
      ['New refund address', address, style.bold],
    ];
    streams.noteRendered(shown`\n${renderDetails(lines, style, streams.noteWidth)}`);
  }
  for (const warning of warnings) await streams.warn(warning);
  // --yes was given for the swap as agreed; a person at a terminal can review this one.
  const isAsAgreed = judged.doubts.length === 0 && entry?.outcome !== 'unknown';
  if (yes && (isAsAgreed || !streams.interactive)) return;
  await confirmed(context, 'Set this refund address?', 'nothing was changed');
}
