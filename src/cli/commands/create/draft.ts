import { InterruptedError, SwapctlError } from '../../../base/errors.ts';
import { shown, visible } from '../../../base/text.ts';
import { refuseUnlessAllowed } from '../../../core/ledger/policy/evaluate.ts';
import { onLedger } from '../../../core/swaps/create-records.ts';
import { type CreateSteps, checkCreate, type OpenRequest } from '../../../core/swaps/create-swap.ts';
import { priceSwap } from '../../../core/swaps/price.ts';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import { GoneBack } from '../../terminal/questions.ts';
import { askAddress, askMemo, askRefundAddress, memoNeed } from '../shared/addresses/ask.ts';
import { escapable } from '../shared/in-turn.ts';
import { assetName, fetchedCoins } from '../shared/questions.ts';
import { decisionView } from '../shared/review-text.ts';
import { usualRateType } from '../shared/stored-setting.ts';
import { amountProblem, askAmount, askRateType } from './ask-amount.ts';
import { askCoin, askNetwork } from './ask-coin.ts';
import { completeFlags, hasQuestions } from './complete.ts';
import {
  type CompleteFlags,
  type CreateFlags,
  type GuidedFlags,
  requireSavedAddressOnNetwork,
  termsOf,
  withLike,
  withSaved,
} from './flags.ts';

/** How a draft is made on a terminal: with progress, and saved addresses only on their own network. */
export function draftSteps(context: Context): Pick<CreateSteps<CompleteFlags>, 'coins' | 'price'> {
  return {
    coins: async (asked) => {
      const coins = await fetchedCoins(context);
      await requireSavedAddressOnNetwork(context, asked);
      return coins;
    },
    price: (question) => withProgress(context.streams, 'Getting a quote', () => priceSwap(question)),
  };
}

type Field = 'send' | 'receive' | 'amount' | 'rate' | 'address' | 'memo' | 'refund' | 'nothing';

/** {@link askChange}; Esc leads from a question to the choice of the field, and from there back with nothing changed. */
export async function changeField(
  context: Context,
  complete: CompleteFlags,
  failure: SwapctlError | null = null,
): Promise<CompleteFlags> {
  const asking = escapable(context);
  try {
    return await askChange(asking.context, complete, failure);
  } catch (error) {
    if (!(error instanceof GoneBack)) throw error;
    return asking.answered() > 0 ? changeField(context, complete, failure) : complete;
  }
}

/**
 * Asks which field to change, then for that field and for those that depend on it: a new payout coin needs a new
 * address and memo, a new deposit coin a new refund address.
 */
async function askChange(context: Context, complete: CompleteFlags, failure: SwapctlError | null) {
  const from = await askNetwork(context, complete.from, 'deposit');
  const to = await askNetwork(context, complete.to, 'receive');
  const flags: GuidedFlags = { ...complete, from, to };
  const hasMemo = flags.memo !== null || (await memoNeed(context, to, flags.address)) !== 'none';
  const fields = fieldsOf(flags, hasMemo, failure);
  const field = await context.prompter.search<Field>({
    message: shown`What do you want to change?`,
    source: (term) => fields.filter(({ name }) => name.toLowerCase().includes(term.trim().toLowerCase())),
  });
  const changes: Readonly<Record<Field, () => Promise<CompleteFlags>>> = {
    send: () => changeSend(context, flags),
    receive: () => changeReceive(context, flags),
    amount: async () => ({ ...flags, ...(await askAmount(context, flags, null)) }),
    rate: async () => stillPriced(context, { ...flags, type: await askRateType(context, flags, flags.type) }),
    address: () => withAddress(context, flags),
    memo: async () => ({ ...flags, ...(await askMemo(context, to, flags.address, true)) }),
    refund: async () => ({ ...flags, ...(await askRefundAddress(context, from)) }),
    nothing: async () => flags,
  };
  return changes[field]();
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
  const { address, savedPayout, memo } = await askAddress(context, flags.to);
  const answer = memo ?? (await askMemo(context, flags.to, address, true));
  return { ...flags, address, savedPayout, ...answer };
}

/** Keeps the amount if the pair still accepts it; otherwise shows the reason and asks for another. */
async function stillPriced(context: Context, flags: GuidedFlags): Promise<GuidedFlags> {
  const problem = await amountProblem(context, flags);
  if (problem === null) return flags;
  context.streams.note(`  ${problem}`, true);
  return { ...flags, ...(await askAmount(context, flags, null)) };
}

/**
 * The flags as a request: what is missing is asked for (a usage error without a terminal), and a refused draft may be
 * changed, so that no answers are lost. `onAnswers` gets the flags with the answers so far.
 */
export function openFlags(
  context: Context,
  flags: CreateFlags,
  onAnswers: (answers: CreateFlags) => void = () => undefined,
): OpenRequest<CompleteFlags> {
  const { interactive: isInteractive } = context.streams;
  let mayChange = hasQuestions(context, flags);
  return {
    known: { ...flags, type: flags.type ?? (isInteractive ? null : usualRateType(context)) },
    isInteractive,
    complete: () => completeFlags(context, flags, onAnswers),
    corrected: async (refused, error, wasReviewed) => {
      mayChange ||= wasReviewed;
      if (!mayChange || !(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
      const words = wasReviewed ? 'The price could not be confirmed; nothing was sent. ' : '';
      await context.streams.warn(`${words}${error.message}`);
      const changed = await changeField(context, refused, error);
      onAnswers(changed);
      return changed;
    },
  };
}

/** Shows the decision about a create; throws the error that the create would end with. */
export async function checkPolicy(context: Context, given: CreateFlags): Promise<void> {
  const flags = withSaved(context, await withLike(context, { ...given, dryRun: true }));
  const { decision } = await checkCreate(onLedger(context), openFlags(context, flags), {
    ...termsOf(flags),
    confirm: null,
    steps: draftSteps(context),
  });
  if (decision === null) return;
  await context.streams.print(decisionView(decision));
  refuseUnlessAllowed(decision, null);
}
