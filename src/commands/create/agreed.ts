import type { Context } from '../../context.ts';
import { InterruptedError, SwapctlError } from '../../errors.ts';
import type { CheckedSwap } from '../shared/create/check.ts';
import { fellTooFar } from '../shared/create/price-moved.ts';
import { completeFlags, hasQuestions } from './complete.ts';
import { draftSwap } from './draft.ts';
import type { CompleteFlags, CreateFlags } from './options.ts';
import { repriced } from './reprice.ts';
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
 * The draft that a person or `--yes` accepted, at a price that is at most 15 s old or no worse than the reviewed one. A
 * price that got worse is reviewed again, or refused where there is no terminal.
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
  const isAsked = context.streams.interactive && !complete.yes;
  if ((await reviewDraft(context, draft, complete)) === 'change') {
    const { changedDraft } = await import('./edit.ts');
    return { ...(await changedDraft(context, complete)), agreed: false };
  }
  try {
    const now = await repriced(context, draft);
    if (now === null) return { ...drafted, agreed: true };
    if (now.worse && !isAsked) throw fellTooFar(draft, now.draft);
    return { complete, draft: now.draft, agreed: !now.worse };
  } catch (error) {
    return { ...(await changed(context, complete, isAsked, error)), agreed: false };
  }
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
