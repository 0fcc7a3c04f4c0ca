import { announce, type Context } from '../../context.ts';
import { type CreatedSwap, createOnce } from '../../swaps/create.ts';
import { lateError } from '../../swaps/created.ts';
import { refuseSecretMemo } from '../../swaps/destination.ts';
import { withProgress } from '../../terminal/progress.ts';
import { loadQr } from '../../terminal/qr.ts';
import { createStyle } from '../../terminal/style.ts';
import { refuseSecretLabels } from '../shared/labels.ts';
import { usualInterval, usualQr } from '../shared/stored-setting.ts';
import { agreedDraft, firstDraft } from './agreed.ts';
import { broughtBack, earlierSwap } from './idempotency.ts';
import { withOrder } from './like.ts';
import type { CreateFlags } from './options.ts';
import { printDryRun } from './review.ts';
import { withSaved } from './saved.ts';
import { showCreated } from './show.ts';

/** Creates a swap: an earlier one of the same key, or else asks, checks, reviews, records, sends once and shows. */
export async function createSwap(context: Context, given: CreateFlags): Promise<void> {
  // A stored setting that cannot be used must not be found out once the order is made.
  if (given.watch) usualInterval(context);
  const qr = given.qr ?? usualQr(context);
  await refuseSecretMemo(given.memo, given.to?.network ?? given.to?.coin ?? null);
  await refuseSecretLabels(context, given.labels);
  const flags = withSaved(context, await withOrder(context, { ...given, qr }));
  const earlier = await earlierSwap(context, flags);
  if (earlier !== null) return show(earlier, () => showCreated(context, flags, earlier));
  // A ledger that cannot be used stops the create anyway, so it is opened before any question is asked.
  if (!flags.dryRun) await context.ledger();
  const first = await firstDraft(context, flags);
  if (flags.dryRun) return printDryRun(context, first.draft);
  await loadDisplay(flags);
  const { complete, draft } = await agreedDraft(context, first);
  const created = await createOnce(context, draft, {
    ...flags,
    announce: () => announce(context, draft.service),
    meanwhile: (request) => withProgress(context.streams, 'Creating the swap', request),
    broughtBack: (entry) => broughtBack(context, entry),
  });
  await show(created, () => showCreated(context, complete, created));
}

/** Shows what was created; a failure from here on names the order. */
async function show(created: CreatedSwap, work: () => Promise<void>): Promise<void> {
  try {
    await work();
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
