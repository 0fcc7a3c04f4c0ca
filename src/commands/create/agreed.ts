import type { Context } from '../../context.ts';
import { InterruptedError, SwapctlError } from '../../errors.ts';
import type { CheckedSwap } from '../../swaps/check.ts';
import { changeWords, hasWorsened } from '../../swaps/price.ts';
import { completeFlags, hasQuestions } from './complete.ts';
import { askPrice, draftSwap } from './draft.ts';
import type { CompleteFlags, CreateFlags } from './options.ts';
import { reviewDraft } from './review.ts';

/** A swap that passed every check, with the flags that ask for it. */
export interface Drafted {
  readonly complete: CompleteFlags;
  readonly draft: CheckedSwap;
}

/** Asks for missing flags and drafts the swap; where questions were asked, a refused draft is asked about again. */
export async function firstDraft(context: Context, flags: CreateFlags): Promise<Drafted> {
  const complete = await completeFlags(context, flags);
  try {
    return { complete, draft: await draftSwap(context, complete) };
  } catch (error) {
    return changed(context, complete, hasQuestions(context, flags), error);
  }
}

/**
 * The draft that a person or `--yes` accepted. A person's yes is for the price on the screen, so the swap is priced again
 * then, and a price that got worse by more than the tolerance is reviewed again.
 */
export async function agreedDraft(context: Context, first: Drafted): Promise<Drafted> {
  for (let drafted = first; ; ) {
    const next = await reviewed(context, drafted);
    if (next.agreed) return next;
    drafted = next;
  }
}

async function reviewed(context: Context, drafted: Drafted): Promise<Drafted & { readonly agreed: boolean }> {
  const { complete, draft } = drafted;
  if ((await reviewDraft(context, draft, complete)) === 'change') {
    const { changedDraft } = await import('./edit.ts');
    return { ...(await changedDraft(context, complete)), agreed: false };
  }
  // With --yes the quote is the step before this one, and no time has passed.
  if (complete.yes) return { ...drafted, agreed: true };
  try {
    const now = await repriced(context, draft);
    return { complete, draft: now.draft, agreed: !now.worse };
  } catch (error) {
    return { ...(await changed(context, complete, true, error)), agreed: false };
  }
}

/** A draft at the price of this moment, and whether it is worse by more than the tolerance; what changed is noted. */
async function repriced(
  context: Context,
  before: CheckedSwap,
): Promise<{ readonly draft: CheckedSwap; readonly worse: boolean }> {
  const { service, request, asked, minReceive } = before;
  const { quote, amount } = await askPrice(context, { ...request, service, asked, minReceive });
  const priced: CheckedSwap = { ...before, quote, request: { ...request, amount } };
  const words = changeWords(before, priced);
  const worse = hasWorsened(before, priced);
  if (words !== null && worse) await context.streams.warn(`the price has changed: ${words}.`);
  else if (words !== null) context.streams.note(`The price has changed: ${words}.`, true);
  // A worse price becomes the reviewed one.
  return { draft: worse ? { ...priced, reviewed: quote.receive } : priced, worse };
}

/** Tells a person why the draft was refused and asks what to change: ten answers must not be lost to a moved price. */
async function changed(
  context: Context,
  complete: CompleteFlags,
  isAsked: boolean,
  error: unknown,
): Promise<Drafted> {
  if (!isAsked || !(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
  await context.streams.warn(error.message);
  const { changedDraft } = await import('./edit.ts');
  return changedDraft(context, complete, true);
}
