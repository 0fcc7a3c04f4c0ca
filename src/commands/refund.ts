import type { Command } from 'commander';
import type { Context, Service } from '../context.ts';
import { announce } from '../context.ts';
import { SwapctlError, UsageError } from '../errors.ts';
import { swapResult } from '../ledger/swap-result.ts';
import type { Swap } from '../swap/swap.ts';
import { visible } from '../swap/text.ts';
import { swapView } from '../terminal/render-swap.ts';
import { flatRows, renderSheet } from '../terminal/sheet.ts';
import { orderArgument } from './arguments.ts';
import { checkedAddress } from './destination.ts';
import { ownerOf } from './swap-lookup.ts';

/** What `swapctl refund` was asked for. */
export interface RefundOptions {
  readonly order: string;
  /** Null to be asked for. */
  readonly address: string | null;
  readonly yes: boolean;
}

/** Declares `swapctl refund`. */
export function refundCommand(program: Command, context: () => Context, run = runRefund): void {
  program
    .command('refund')
    .summary('set or replace the refund address of a swap')
    .description('Set or replace the address to which the deposit of a swap is sent back if the swap fails.')
    .argument('<order>', 'order number')
    .argument('[address]', 'refund address on the network of the deposit; asked for on a terminal')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl refund KQWZPA bc1q…\n  $ swapctl refund KQWZPA bc1q… --yes --json',
    )
    .action((order: string, address: string | undefined, flags: Record<string, unknown>) =>
      run(context(), { order: orderArgument(order), address: address ?? null, yes: flags['yes'] === true }),
    );
}

/** Sets the refund address after a look at the swap, and checks what the service says it has set. */
export async function runRefund(context: Context, options: RefundOptions): Promise<void> {
  const { streams } = context;
  if (!streams.interactive && (options.address === null || !options.yes)) {
    throw new UsageError(
      options.address === null ? 'Name the refund address.' : 'Without a terminal, refund needs --yes.',
      `swapctl refund ${options.order} ${options.address ?? '<address>'} --yes`,
    );
  }
  const service = await context.service();
  const swap = await service.client.transaction(options.order);
  const owner = await ownerOf(context, service);
  const ledger = await context.ledger();
  const known = (await ledger.seen(owner, swap, context.now()))?.refundAddress ?? null;
  const network = swap.deposit.network ?? '';
  const typed =
    options.address ??
    (await context.prompter.input({
      message: `Refund address for ${swap.deposit.coin ?? 'the deposit'} on ${network}`,
    }));
  const { address, warnings } = await checkedAddress({
    network,
    address: typed,
    environment: service.environment,
    what: 'refund',
  });
  await review(context, service, {
    swap,
    known,
    address,
    warnings: [...warnings, ...(await concerns(swap, network))],
    yes: options.yes,
  });
  announce(context, service);
  const answer = await service.client.updateRefundAddress(options.order, address);
  if (answer.refundAddress !== address) throw notWhatWasAsked(answer.refundAddress, address, options.order);
  await ledger.refundAddressSet(owner, swap, address, context.now());
  const result = {
    order: options.order,
    refundAddress: address,
    message: answer.message,
    profile: service.profile,
    environment: service.environment,
  };
  await streams.print({
    json: () => result,
    rows: () => flatRows(result),
    screen: (style) =>
      renderSheet(
        [
          ['Order', options.order],
          ['Refund address', address, style.cyan],
          ['Service', answer.message],
        ],
        style,
      ),
  });
}

async function concerns(swap: Swap, network: string): Promise<string[]> {
  const { memoPolicy } = await import('../swap/memo.ts');
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
  readonly swap: Swap;
  readonly known: string | null;
  readonly address: string;
  readonly warnings: readonly string[];
  readonly yes: boolean;
}

async function review(
  context: Context,
  service: Service,
  { swap, known, address, warnings, yes }: Review,
): Promise<void> {
  const { streams } = context;
  const style = await streams.noteStyle();
  if (!yes || streams.interactive) {
    const { profile, environment } = service;
    const shown = swapResult(swap, { refundAddress: known, profile, environment });
    streams.note(await swapView(shown, context.now()).screen(style, streams.width));
    streams.note(
      renderSheet(
        [
          ['Refund address now', known ?? 'none that swapctl knows of'],
          ['New refund address', address, style.bold],
        ],
        style,
      ),
    );
  }
  for (const warning of warnings) streams.note(style.yellow(`warning: ${visible(warning)}`), true);
  if (yes) return;
  if (await context.prompter.confirm({ message: 'Set this refund address?', default: false })) return;
  throw new SwapctlError('declined', 'Declined; nothing was changed.');
}

function notWhatWasAsked(got: string | null, wanted: string, order: string): SwapctlError {
  return new SwapctlError(
    'bad_response',
    `The service answered with another refund address than the one sent for ${order}.`,
    {
      outcome: 'unknown',
      retryable: true,
      hint: 'Ask the service which address is set before the swap fails; run the same command again.',
      details: { sent: wanted, answered: got },
    },
  );
}
