import type { Context } from '../../context.ts';
import { attempt, InterruptedError, SwapctlError } from '../../errors.ts';
import { refuseUnlessAllowed } from '../../ledger/policy/judge.ts';
import { type CheckedSwap, draftSwap } from '../../swaps/check.ts';
import { decisionOf } from '../../swaps/decision.ts';
import { changeWords, hasWorsened, type Price, type PriceQuestion, priceSwap } from '../../swaps/price.ts';
import { withProgress } from '../../terminal/progress.ts';
import { shown, visible } from '../../text.ts';
import { decisionView } from '../../views/policy.ts';
import { askAddress, askMemo, askRefundAddress, memoNeed } from '../shared/addresses/ask.ts';
import { refuseSecretLabels } from '../shared/labels.ts';
import { assetName, fetchedCoins } from '../shared/questions.ts';
import { amountProblem, askAmount, askRateType } from './ask-amount.ts';
import { askCoin, askNetwork } from './ask-coin.ts';
import { completeFlags, hasQuestions } from './complete.ts';
import {
  type CompleteFlags,
  type CreateFlags,
  type GuidedFlags,
  refuseSavedElsewhere,
  withOrder,
  withSaved,
} from './flags.ts';
import { reviewDraft } from './review.ts';

async function draftOf(context: Context, flags: CompleteFlags): Promise<CheckedSwap> {
  const coins = await fetchedCoins(context);
  await refuseSavedElsewhere(context, flags);
  return draftSwap(context, coins, flags, (question) => askPrice(context, question));
}

/** {@link priceSwap}, with progress shown during this time. */
function askPrice(context: Context, question: PriceQuestion): Promise<Price> {
  return withProgress(context.streams, 'Getting a quote', () => priceSwap(question));
}

type Field = 'send' | 'receive' | 'amount' | 'rate' | 'address' | 'memo' | 'refund' | 'nothing';

/**
 * Asks for changes until the changed draft is accepted; each refusal is shown. So ten answers are not lost because the
 * price moved, or because the service could not respond (`failure`).
 */
async function changedDraft(
  context: Context,
  before: CompleteFlags,
  failure: SwapctlError | null = null,
): Promise<{ complete: CompleteFlags; draft: CheckedSwap }> {
  for (let complete = before, last = failure; ; ) {
    complete = await changeField(context, complete, last);
    const asked = complete;
    const draft = await attempt(() => draftOf(context, asked));
    if (!(draft instanceof SwapctlError)) return { complete, draft };
    await context.streams.warn(draft.message);
    last = draft;
  }
}

/**
 * Asks which field to change, then for that field and for those that depend on it: a new payout coin needs a new
 * address and memo, a new deposit coin a new refund address.
 */
async function changeField(
  context: Context,
  complete: CompleteFlags,
  failure: SwapctlError | null,
): Promise<GuidedFlags> {
  const from = await askNetwork(context, complete.from, 'deposit');
  const to = await askNetwork(context, complete.to, 'receive');
  const flags: GuidedFlags = { ...complete, from, to };
  const hasMemo = flags.memo !== null || (await memoNeed(context, to, flags.address)) !== 'none';
  const fields = fieldsOf(flags, hasMemo, failure);
  const field = await context.prompter.search<Field>({
    message: shown`What do you want to change?`,
    source: (term) => fields.filter(({ name }) => name.toLowerCase().includes(term.trim().toLowerCase())),
  });
  switch (field) {
    case 'send':
      return changeSend(context, flags);
    case 'receive':
      return changeReceive(context, flags);
    case 'amount':
      return { ...flags, ...(await askAmount(context, flags, null)) };
    case 'rate':
      return stillPriced(context, { ...flags, type: await askRateType(context, flags, flags.type) });
    case 'address':
      return withAddress(context, flags);
    case 'memo':
      return { ...flags, ...(await askMemo(context, { to, address: flags.address, optionalToo: true })) };
    case 'refund':
      return { ...flags, ...(await askRefundAddress(context, from)) };
    case 'nothing':
      return flags;
  }
}

function fieldsOf(flags: GuidedFlags, hasMemo: boolean, failure: SwapctlError | null) {
  const { from, to, amount, lastSource, type, address, memo, refundAddress } = flags;
  const line = (value: Field, words: string, now: string) => ({
    name: visible(`${words} (now ${now})`),
    short: visible(words),
    value,
  });
  const nothing = {
    name: failure === null ? shown`nothing, return to the review` : shown`nothing, try again`,
    short: shown`nothing`,
    value: 'nothing' as const,
  };
  // If the service could not respond, none of the person's answers is wrong.
  const isFirst = failure?.retryable === true;
  return [
    ...(isFirst ? [nothing] : []),
    line('send', 'coin to send', assetName(from)),
    line('receive', 'coin to receive', assetName(to)),
    line('amount', 'amount', `${amount} ${lastSource === 'deposit' ? from.coin : to.coin}`),
    line('rate', 'rate', type === 'fixed' ? 'fixed' : 'floating'),
    line('address', 'payout address', address),
    ...(hasMemo ? [line('memo', 'memo', memo ?? 'none')] : []),
    line('refund', 'refund address', refundAddress ?? 'none'),
    ...(isFirst ? [] : [nothing]),
  ];
}

async function changeSend(context: Context, flags: GuidedFlags): Promise<GuidedFlags> {
  const from = await askCoin(context, 'deposit', flags.to);
  const pair = { from, to: flags.to, type: flags.type };
  const priced =
    flags.lastSource === 'receive'
      ? await stillPriced(context, { ...flags, from })
      : { ...flags, from, ...(await askAmount(context, pair, null)) };
  const refund = flags.refundAddress === null ? {} : await askRefundAddress(context, from);
  return { ...priced, ...refund };
}

async function changeReceive(context: Context, flags: GuidedFlags): Promise<GuidedFlags> {
  const to = await askCoin(context, 'receive', flags.from);
  const pair = { from: flags.from, to, type: flags.type };
  // --min-receive was in the coin that is no longer received.
  const changed = { ...flags, to, minReceive: to.coin === flags.to.coin ? flags.minReceive : null };
  const priced =
    flags.lastSource === 'deposit'
      ? await stillPriced(context, changed)
      : { ...changed, ...(await askAmount(context, pair, null)) };
  return withAddress(context, priced);
}

async function withAddress(context: Context, flags: GuidedFlags): Promise<GuidedFlags> {
  const { address, payoutSaved, memo } = await askAddress(context, flags.to);
  const answer = memo ?? (await askMemo(context, { to: flags.to, address, optionalToo: true }));
  return { ...flags, address, payoutSaved, ...answer };
}

/** Keeps the amount if the pair still accepts it; otherwise shows the reason and asks for another. */
async function stillPriced(context: Context, flags: GuidedFlags): Promise<GuidedFlags> {
  const problem = await amountProblem(context, flags);
  if (problem === null) return flags;
  context.streams.note(`  ${problem}`, true);
  return { ...flags, ...(await askAmount(context, flags, null)) };
}

/** A swap that passed every check, with the flags that ask for it. */
export interface Drafted {
  readonly complete: CompleteFlags;
  readonly draft: CheckedSwap;
  /** The draft as it was on the screen, if it was priced again since. */
  readonly shown?: CheckedSwap;
}

/** Asks for missing flags and drafts the swap; if questions were asked, asks how to change a refused draft. */
export async function firstDraft(context: Context, flags: CreateFlags): Promise<Drafted> {
  const complete = await completeFlags(context, flags);
  try {
    return { complete, draft: await draftOf(context, complete) };
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
    return { ...(await changedDraft(context, complete)), agreed: false };
  }
  // With --yes the quote was the previous step, so no time has passed.
  if (complete.yes) return { ...drafted, agreed: true };
  try {
    const now = await repriced(context, draft);
    return { complete, draft: now.draft, shown: draft, agreed: !now.worse };
  } catch (error) {
    const failed = 'The price could not be confirmed; nothing was sent. ';
    return { ...(await changed(context, complete, true, error, failed)), agreed: false };
  }
}

/** The draft at the current price; one that got worse is reviewed again, or refused if no one can be asked. */
export async function repricedDraft(
  context: Context,
  { complete, draft, shown = draft }: Drafted,
): Promise<Drafted> {
  const now = await repriced(context, shown);
  if (!now.worse) return { complete, draft: now.draft };
  if (context.streams.interactive)
    return agreedDraft(context, { complete: { ...complete, yes: false }, draft: now.draft });
  throw new SwapctlError('rejected', 'The price fell by more than the tolerance. Nothing was sent.', {
    hint: 'Run the command again to use the current price.',
    retryable: true,
  });
}

/** A draft at the current price, and whether that is worse by more than the tolerance; a change is noted. */
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

/** Shows why the draft was refused and asks what to change: ten answers must not be lost because the price moved. */
async function changed(
  context: Context,
  complete: CompleteFlags,
  isAsked: boolean,
  error: unknown,
  words = '',
): Promise<Drafted> {
  if (!isAsked || !(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
  await context.streams.warn(`${words}${error.message}`);
  return changedDraft(context, complete, error);
}

/** Shows the decision about a create; throws the error that the create would end with. */
export async function checkPolicy(context: Context, given: CreateFlags): Promise<void> {
  await refuseSecretLabels(context, given.labels);
  const flags = withSaved(context, await withOrder(context, { ...given, dryRun: true }));
  const { draft } = await firstDraft(context, flags);
  const decision = await decisionOf(context, draft, flags);
  await context.streams.print(decisionView(decision));
  refuseUnlessAllowed(decision);
}
