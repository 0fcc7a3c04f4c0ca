import { InterruptedError, SwapctlError } from '../../../base/errors.ts';
import { shown } from '../../../base/text.ts';
import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { isPlainOrder } from '../../../core/swap/agreement/fundable.ts';
import type { CreatedSwap } from '../../../core/swaps/create.ts';
import { orderDetails } from '../../../core/swaps/created.ts';
import { serviceTime } from '../../../core/swaps/lookup.ts';
import type { Context } from '../../context.ts';
import { type DetailLine, flatRows, renderDetails } from '../../terminal/details.ts';
import { renderCreated } from '../../views/created.ts';
import { sideText } from '../../views/swap.ts';
import { requestBudget } from '../shared/stored-setting.ts';
import { exitStatusError, printChange, watchSwaps } from '../shared/watch.ts';
import type { CreateFlags } from './flags.ts';

/**
 * Shows where to send the deposit, and follows the swap with `--watch`. An order whose result cannot be written to
 * standard output is written to standard error in full.
 */
export async function showCreated(context: Context, flags: CreateFlags, created: CreatedSwap): Promise<void> {
  const { swap, notices, ledgerError } = created;
  const isScreen = context.streams.format === 'screen';
  try {
    if (!isScreen) for (const notice of notices) await context.streams.warn(notice);
    // A script takes output on standard output as a success.
    if (ledgerError === null || isScreen) await printCreated(context, flags, created);
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    await noteLost(context, swap);
    if (ledgerError !== null) throw ledgerError;
    throw error instanceof SwapctlError ? notShown(error, swap) : error;
  }
  if (ledgerError !== null) {
    await noteLost(context, swap);
    throw ledgerError;
  }
  if (flags.watch && swap.order !== null) await followCreated(context, flags, swap, swap.order);
}

async function printCreated(context: Context, flags: CreateFlags, created: CreatedSwap): Promise<void> {
  const { streams } = context;
  const { swap, notices, replayed } = created;
  if (flags.watch && streams.format === 'json') await printChange(context, swap, null);
  else {
    const view = {
      swap,
      notices,
      qr: flags.qr !== false,
      now: serviceTime(context, await context.service()),
      isWatched: flags.watch,
    };
    const result = { ...swap, replayed };
    await streams.print({
      json: () => result,
      rows: () => flatRows(result),
      screen: async (style, width) => shown`\n${await renderCreated(view, style, width)}`,
    });
    // A person who confirmed must see what to pay, even if standard output is redirected.
    if (streams.format !== 'screen' && isWatched(context, flags))
      streams.noteRendered(
        shown`\n${await renderCreated(view, await streams.noteStyle(), streams.noteWidth)}\n`,
      );
  }
}

/** Notes the order and what to pay where: otherwise they would be lost. */
async function noteLost({ streams }: Context, { order, deposit, fundable }: SwapResult): Promise<void> {
  const lines: readonly DetailLine[] = [
    ['Order', order],
    ['Amount', sideText({ ...deposit, network: null })],
    ['Network', deposit.network],
    ['Address', deposit.address],
    ['Memo', deposit.memo],
    ['', fundable ? null : 'Do not send any money before you have asked the service.', undefined, 'prose'],
  ];
  streams.noteRendered(renderDetails(lines, await streams.noteStyle(), streams.noteWidth));
}

/** Not `write_failed`: a script that repeats the command on that would create a second order. */
function notShown({ message }: SwapctlError, swap: SwapResult): SwapctlError {
  const { order } = swap;
  const words = `Order ${order} was created, but it could not be shown. ${message}`;
  return new SwapctlError('outcome_unknown', words, {
    outcome: 'done',
    hint: 'It is in the ledger; do not create it again.',
    details: orderDetails(swap),
    actions:
      order !== null && isPlainOrder(order)
        ? [{ command: ['swapctl', 'status', order], why: 'see the order' }]
        : [],
  });
}

function isWatched({ streams, flags: { quiet } }: Context, { yes }: CreateFlags): boolean {
  return streams.interactive && !yes && quiet !== true;
}

async function followCreated(context: Context, flags: CreateFlags, swap: SwapResult, order: string) {
  // Otherwise the live block would follow the instructions directly.
  if (context.streams.format === 'screen') await context.streams.write(shown`\n`);
  const watched = {
    profiles: [{ ports: context, orders: [order] }],
    orders: [order],
    alreadyPrinted: [swap],
  };
  const { swaps, failures } = await watchSwaps(context, watched, {
    intervalMs: null,
    budget: requestBudget(context),
  });
  const [failed] = failures;
  if (failed !== undefined) throw failed.error;
  const verdict = exitStatusError(swaps, flags.exitStatus, true);
  if (verdict !== null) throw verdict;
}
