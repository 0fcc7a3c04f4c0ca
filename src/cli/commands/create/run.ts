import { SwapctlError } from '../../../base/errors.ts';
import { onLedger } from '../../../core/swaps/create-records.ts';
import { createSwap } from '../../../core/swaps/create-swap.ts';
import { lateError } from '../../../core/swaps/created.ts';
import { announce, type Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import { loadQr } from '../../terminal/qr.ts';
import { createStyle } from '../../terminal/style.ts';
import { usualInterval, usualQr } from '../shared/stored-setting.ts';
import { draftSteps, openFlags } from './draft.ts';
import { type CreateFlags, termsOf, withLike, withSaved } from './flags.ts';
import { noteWayBack, printUnsent, reviewDraft } from './review.ts';
import { showCreated } from './show.ts';

/** Creates a swap, or returns that of its key: asks, checks, reviews, records, sends once and shows it. */
export async function runCreate(context: Context, given: CreateFlags): Promise<void> {
  // An invalid stored setting must not be discovered only after the order exists.
  if (given.watch) usualInterval(context);
  const qr = given.qr ?? usualQr(context);
  const flags = withSaved(context, await withLike(context, { ...given, qr }));
  let shown: CreateFlags = flags;
  let isSent = false;
  const ports = onLedger(context);
  const open = openFlags(context, flags, (answers) => {
    shown = answers;
  });
  const created = await createSwap(ports, open, {
    ...termsOf(flags),
    confirm: async (review) => {
      shown = review.asked;
      if (flags.dryRun) return printUnsent(context, review);
      await loadDisplay(flags);
      const answer = await reviewDraft(context, review);
      if (answer !== null && 'changed' in answer) shown = answer.changed;
      return answer;
    },
    steps: {
      ...draftSteps(context),
      announce: async () => {
        isSent = true;
        announce(context, await context.service());
      },
      meanwhile: (request) => withProgress(context.streams, 'Creating the swap', request),
      replay: (entry) => {
        context.streams.note('This idempotency key was used before; showing the swap that it created.');
        return ports.records.replayed(entry, flags.labels);
      },
      ...(flags.wait ? { granted: (id, error) => waitForApproval(context, id, error) } : {}),
    },
  }).catch(async (error: unknown) => {
    if (!isSent) await noteWayBack(context, shown, error);
    throw error;
  });
  if (created === null) return;
  try {
    await showCreated(context, shown, created);
  } catch (error) {
    throw lateError(error, created.swap);
  }
}

/**
 * Loads what shows an order: colour, a code to scan, the live view. An upgrade may replace the program's files while the
 * answer to a create is awaited, and an order whose number cannot be shown is lost; a failure here costs nothing yet.
 */
async function loadDisplay({ watch }: Pick<CreateFlags, 'watch'>): Promise<void> {
  await Promise.all([createStyle(true), loadQr(), ...(watch ? [import('../../terminal/live.ts')] : [])]);
}

const APPROVAL_POLL_INTERVAL_MS = 2_000;

/** Resolves once an approval is granted; throws once it can no longer be, or `--timeout` is reached. */
async function waitForApproval(context: Context, id: string, wanted: unknown): Promise<void> {
  const { streams } = context;
  const ledger = await context.ledger();
  streams.note(
    `Waiting for approval ${id}. To grant it, run \`swapctl policy approvals grant ${id}\`.`,
    true,
  );
  await withProgress(streams, `Waiting for approval ${id}`, async () => {
    for (;;) {
      const state = (await ledger.approvals.byId(id, context.now()))?.state;
      if (state === 'granted') return;
      if (state !== 'pending')
        throw new SwapctlError(
          'approval_required',
          `Approval ${id} is ${state ?? 'gone'}. Nothing was sent.`,
          { hint: 'Run the command again to request another approval.', retryable: true },
        );
      if (context.monotonic() >= context.deadline()) throw wanted;
      await context.sleep(APPROVAL_POLL_INTERVAL_MS);
    }
  });
}
