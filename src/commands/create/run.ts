import { announce, type Context } from '../../context.ts';
import { approvalId, SwapctlError } from '../../errors.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { Labels } from '../../swap/labels.ts';
import { type CreatedSwap, createOnce } from '../../swaps/create.ts';
import { lateError } from '../../swaps/created.ts';
import { decisionOf } from '../../swaps/decision.ts';
import { refuseSecretMemo } from '../../swaps/destination.ts';
import { entryOfKey, labelsNotice, refuseAnotherSwap, stillUnknown } from '../../swaps/idempotency.ts';
import { swapOfKey } from '../../swaps/replayed.ts';
import { withProgress } from '../../terminal/progress.ts';
import { loadQr } from '../../terminal/qr.ts';
import { createStyle } from '../../terminal/style.ts';
import { refuseSecretLabels } from '../shared/labels.ts';
import { usualInterval, usualQr, usualRateType } from '../shared/stored-setting.ts';
import { agreedDraft, type Drafted, firstDraft, repricedDraft } from './draft.ts';
import { type CreateFlags, withOrder, withSaved } from './flags.ts';
import { printUnsent } from './review.ts';
import { showCreated } from './show.ts';

/**
 * Creates a swap: returns an earlier one with the same key, or else asks, checks, reviews, records, sends once and
 * shows it.
 */
export async function createSwap(context: Context, given: CreateFlags): Promise<void> {
  // An invalid stored setting must not be discovered only after the order exists.
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
  if (flags.dryRun) return printUnsent(context, first.draft, await decisionOf(context, first.draft, flags));
  await loadDisplay(flags);
  const agreed = await agreedDraft(context, first);
  const { complete } = agreed;
  const created = await createApproved(context, agreed, ({ draft, complete: { approval } }) =>
    createOnce(context, draft, {
      ...flags,
      approval,
      announce: () => announce(context, draft.service),
      meanwhile: (request) => withProgress(context.streams, 'Creating the swap', request),
      broughtBack: (entry) => broughtBack(context, entry, flags.labels),
    }),
  );
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

/**
 * The swap that was created with this idempotency key; null if none was. Throws `outcome_unknown` if one may have been,
 * and a usage error if the key belongs to another swap. Dry runs too, since their request would not be sent.
 */
async function earlierSwap(context: Context, flags: CreateFlags): Promise<CreatedSwap | null> {
  const { idempotencyKey: key } = flags;
  if (key === null) return null;
  const entry = await entryOfKey(context, key);
  if (entry === null) return null;
  const asWritten = !context.streams.interactive;
  const type = flags.type ?? (asWritten ? usualRateType(context) : null);
  await refuseAnotherSwap(context, entry, { ...flags, type }, asWritten);
  if (entry.outcome === 'unknown') throw stillUnknown(entry);
  return broughtBack(context, entry, flags.labels);
}

/** The swap of a used key as it is now; see {@link swapOfKey}. */
async function broughtBack(context: Context, entry: Entry, labels: Labels): Promise<CreatedSwap> {
  context.streams.note('This idempotency key was used before; showing the swap that it created.');
  const notice = labelsNotice(entry, labels);
  if (notice !== null) await context.streams.warn(notice);
  return swapOfKey(context, entry);
}

/** Pause between two checks of an approval, in milliseconds. */
const CHECK_EVERY_MS = 2_000;

/**
 * Creates a swap. With `--wait`, if the policy requires an approval, waits for it, prices the swap again and then
 * creates it. Throws what `create` throws.
 */
async function createApproved(
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

/** The approval that an error requires; null for any other error. */
function approvalOf(error: unknown): string | null {
  if (!(error instanceof SwapctlError) || error.code !== 'approval_required') return null;
  return approvalId(error.details ?? {});
}

/** Resolves once an approval is granted; throws once it can no longer be, or `--timeout` is reached. */
async function granted(context: Context, id: string, wanted: unknown): Promise<void> {
  const { streams } = context;
  const ledger = await context.ledger();
  streams.note(`Waiting for approval ${id}. To grant it, run \`swapctl approvals grant ${id}\`.`, true);
  await withProgress(streams, `Waiting for approval ${id}`, async () => {
    for (;;) {
      const state = (await ledger.approvals.byId(id, context.now()))?.state;
      if (state === 'granted') return;
      if (state !== 'pending')
        throw new SwapctlError(
          'approval_required',
          `Approval ${id} is ${state ?? 'gone'}. Nothing was sent.`,
          {
            hint: 'Run the command again to request another approval.',
            retryable: true,
          },
        );
      if (context.monotonic() >= context.deadline()) throw wanted;
      await context.sleep(CHECK_EVERY_MS);
    }
  });
}
