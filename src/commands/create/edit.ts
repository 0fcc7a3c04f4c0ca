import type { Context } from '../../context.ts';
import { InterruptedError, SwapctlError } from '../../errors.ts';
import type { CheckedSwap } from '../../swaps/check.ts';
import { shown, visible } from '../../text.ts';
import { askMemo, memoNeed } from '../shared/addresses/ask-memo.ts';
import { askAddress } from '../shared/addresses/ask-payout.ts';
import { askRefundAddress } from '../shared/addresses/ask-refund.ts';
import { assetName } from '../shared/asset.ts';
import { amountProblem, askAmount, askRateType } from './ask-amount.ts';
import { askCoin, askNetwork } from './ask-coin.ts';
import { draftSwap } from './draft.ts';
import type { CompleteFlags, GuidedFlags } from './options.ts';

type Field = 'send' | 'receive' | 'amount' | 'rate' | 'address' | 'memo' | 'refund' | 'nothing';

/**
 * Asks for changes until the changed draft is accepted; each refusal is shown. So ten answers are not lost because the
 * price moved or, with `failed`, because the service could not answer.
 */
export async function changedDraft(
  context: Context,
  before: CompleteFlags,
  failed = false,
): Promise<{ complete: CompleteFlags; draft: CheckedSwap }> {
  for (let complete = before, again = failed; ; again = true) {
    complete = await changeField(context, complete, again);
    try {
      return { complete, draft: await draftSwap(context, complete) };
    } catch (error) {
      if (!(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
      await context.streams.warn(error.message);
    }
  }
}

/**
 * Asks which field to change, then for that field and for those that depend on it: a new payout coin needs a new
 * address and memo, a new deposit coin a new refund address.
 */
async function changeField(context: Context, complete: CompleteFlags, again: boolean): Promise<GuidedFlags> {
  const from = await askNetwork(context, complete.from, 'deposit');
  const to = await askNetwork(context, complete.to, 'receive');
  const flags: GuidedFlags = { ...complete, from, to };
  const hasMemo = flags.memo !== null || (await memoNeed(context, to, flags.address)) !== 'none';
  const fields = fieldsOf(flags, hasMemo, again);
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

function fieldsOf(flags: GuidedFlags, hasMemo: boolean, again: boolean) {
  const { from, to, amount, lastSource, type, address, memo, refundAddress } = flags;
  const line = (value: Field, words: string, now: string) => ({
    name: visible(`${words} (now ${now})`),
    short: visible(words),
    value,
  });
  return [
    line('send', 'coin to send', assetName(from)),
    line('receive', 'coin to receive', assetName(to)),
    line('amount', 'amount', `${amount} ${lastSource === 'deposit' ? from.coin : to.coin}`),
    line('rate', 'rate', type === 'fixed' ? 'fixed' : 'floating'),
    line('address', 'payout address', address),
    ...(hasMemo ? [line('memo', 'memo', memo ?? 'none')] : []),
    line('refund', 'refund address', refundAddress ?? 'none'),
    {
      name: again ? shown`nothing, try again` : shown`nothing, return to the review`,
      short: shown`nothing`,
      value: 'nothing' as const,
    },
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
  // --min-receive counted the coin that is no longer received.
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

/** Keeps the amount where the pair still accepts it; else shows the reason and asks for another. */
async function stillPriced(context: Context, flags: GuidedFlags): Promise<GuidedFlags> {
  const problem = await amountProblem(context, flags);
  if (problem === null) return flags;
  context.streams.note(`  ${problem}`, true);
  return { ...flags, ...(await askAmount(context, flags, null)) };
}
