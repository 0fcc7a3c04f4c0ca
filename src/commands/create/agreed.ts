import type { Context } from '../../context.ts';
import { InterruptedError, SwapctlError } from '../../errors.ts';
import { completeFlags, hasQuestions } from './complete.ts';
import type { CheckedSwap } from './draft.ts';
import { draftSwap } from './draft.ts';
import type { CompleteFlags, CreateFlags } from './options.ts';
import { fellTooFar, repriced } from './reprice.ts';
import { reviewDraft } from './review.ts';

/** A swap that passed every check, with the flags that ask for it. */
export interface Drafted {
  readonly complete: CompleteFlags;
  readonly draft: CheckedSwap;
}

/** Asks for what is open and drafts the swap; what is against it is asked about where there were questions before. */
export async function firstDraft(context: Context, flags: CreateFlags): Promise<Drafted> {
  const complete = await completeFlags(context, flags);
  try {
    return { complete, draft: await draftSwap(context, complete) };
  } catch (error) {
    return changed(context, complete, hasQuestions(context, flags), error);
  }
}

/**
 * The draft that was said yes to, at a price no older than 15 s or no worse than what was reviewed: what got worse in
 * the meantime is reviewed again, or refused where nobody can be asked.
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

/** Nobody should lose ten answers because the price moved: a person is told and asked what to change. */
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
