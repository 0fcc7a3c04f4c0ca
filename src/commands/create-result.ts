import type { Context } from '../context.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { shown } from '../swap/text.ts';
import { renderCreated } from '../terminal/render-created.ts';
import { swapView } from '../terminal/render-swap.ts';
import { indented } from '../terminal/width.ts';
import type { CreateFlags } from './create.ts';
import { isFundable } from './create-echo.ts';
import { equivalentCommand } from './create-equivalent.ts';
import type { CompleteFlags } from './create-flags.ts';
import type { CreatedSwap } from './create-once.ts';
import { WATCH_INTERVAL_MS } from './status.ts';
import { tellChange, verdictOn, watchSwaps } from './watching.ts';

/** Shows where to send the deposit, and follows the swap where `--watch` asks for it. */
export async function showCreated(context: Context, flags: CreateFlags, created: CreatedSwap): Promise<void> {
  const { streams } = context;
  const { swap, trouble } = created;
  if (flags.watch && streams.format === 'json') await tellChange(context, swap, undefined);
  else {
    const { depositDoubt, depositWindowMs } = created;
    const view = {
      ...{ swap, depositWindowMs, fundable: canBeFunded(swap), now: context.now() },
      qr: flags.qr && depositDoubt === null,
    };
    await streams.print({
      ...swapView(swap, view.now),
      screen: async (style, width) => shown`\n${await renderCreated(view, style, width)}`,
    });
    // Who was asked has to see what to pay, wherever the answer went.
    if (streams.format !== 'screen' && isWatched(context, flags))
      streams.noteRendered(
        shown`\n${await renderCreated(view, await streams.noteStyle(), streams.noteWidth)}\n`,
      );
  }
  if (swap.deposit.memo === null && created.depositMemoNeeded) await streams.warn(MEMO_MISSING);
  if (created.depositDoubt !== null) await streams.warn(`${created.depositDoubt}. ${ASK_FIRST}`);
  if (isWatched(context, flags) && isComplete(flags)) await tellEquivalent(context, flags);
  if (trouble !== null) throw trouble;
  if (flags.watch && swap.order !== null) await follow(context, flags, swap, swap.order);
}

function isWatched({ streams, flags: { quiet } }: Context, { yes }: CreateFlags): boolean {
  return streams.interactive && !yes && quiet !== true;
}

async function follow(context: Context, flags: CreateFlags, swap: SwapResult, order: string): Promise<void> {
  const service = await context.service();
  const options = { intervalMs: WATCH_INTERVAL_MS };
  const swaps = await watchSwaps(context, service, [order], options, [swap]);
  const verdict = verdictOn(swaps, flags.exitStatus, true);
  if (verdict !== null) throw verdict;
}

const MEMO_MISSING =
  'the network of the deposit needs a memo, and the service gave none. Ask the service before you send anything.';
const ASK_FIRST = 'Ask the service before you send anything.';

/** A stored answer is judged again: what was fundable when it came may have been changed since. */
function canBeFunded({ deposit }: SwapResult): boolean {
  return (
    isFundable(deposit.address, 256) &&
    deposit.amount !== null &&
    (deposit.memo === null || isFundable(deposit.memo, 512))
  );
}

function isComplete(flags: CreateFlags): flags is CompleteFlags {
  return [flags.from, flags.to, flags.amount, flags.lastSource, flags.type, flags.address].every(
    (value) => value !== null,
  );
}

async function tellEquivalent(context: Context, flags: CompleteFlags): Promise<void> {
  const { streams } = context;
  const style = await streams.noteStyle();
  const command = equivalentCommand(flags, context.flags, streams.noteWidth - INDENT.length);
  streams.noteRendered(
    shown`\n ${style.dim(shown`The same swap again, without questions:`)}\n${indented(command, INDENT)}`,
  );
}

const INDENT = shown`   `;
