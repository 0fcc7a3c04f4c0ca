import type { Context } from '../../context.ts';
import { approvalId, SwapctlError } from '../../errors.ts';
import type { CreatedSwap } from '../../swaps/create.ts';
import { withProgress } from '../../terminal/progress.ts';
import { type Drafted, repricedDraft } from './draft.ts';

/** Pause between two checks of an approval, in milliseconds. */
const CHECK_EVERY_MS = 2_000;

/**
 * Creates a swap; with `--wait`, where the policy wants an approval, waits for it, prices the swap again and creates it
 * then. Throws what `create` throws.
 */
export async function createApproved(
  context: Context,
  drafted: Drafted,
  create: (drafted: Drafted) => Promise<CreatedSwap>,
): Promise<CreatedSwap> {
  try {
    return await create(drafted);
  } catch (error) {
    const id = drafted.complete.wait ? approvalOf(error) : null;
    if (id === null) throw error;
    await granted(context, id, error);
    const { draft, complete } = await repricedDraft(context, drafted);
    return create({ draft, complete: { ...complete, approval: { id } } });
  }
}

/** The approval that an error asks for; null for any other error. */
function approvalOf(error: unknown): string | null {
  if (!(error instanceof SwapctlError) || error.code !== 'approval_required') return null;
  return approvalId(error.details ?? {});
}

/** Resolves once an approval is granted; throws once it can no longer be, or `--timeout` is reached. */
async function granted(context: Context, id: string, wanted: unknown): Promise<void> {
  const { streams } = context;
  const ledger = await context.ledger();
  streams.note(`Waiting for approval ${id}: \`swapctl approvals grant ${id}\` grants it.`, true);
  await withProgress(streams, `Waiting for approval ${id}`, async () => {
    for (;;) {
      const state = (await ledger.approvals.byId(id, context.now()))?.state;
      if (state === 'granted') return;
      if (state !== 'pending')
        throw new SwapctlError(
          'approval_required',
          `Approval ${id} is ${state ?? 'gone'}. Nothing was sent.`,
          {
            hint: 'Run the command again to ask for another approval.',
            retryable: true,
          },
        );
      if (context.monotonic() >= context.deadline()) throw wanted;
      await context.sleep(CHECK_EVERY_MS);
    }
  });
}
