import { findCoin } from '../../../client/find-coin.ts';
import type { Context } from '../../../context.ts';
import { memoPolicy } from '../../../swap/memo.ts';
import type { Asset } from '../../../swap/swap.ts';
import { checkedDestination } from '../../../swaps/destination.ts';
import { shown, visible } from '../../../text.ts';
import { assetName, fetchedCoins } from '../asset.ts';
import { problemOf } from '../problem.ts';

/** Facts known when the memo is asked for. */
export interface MemoQuestion {
  readonly to: Asset;
  readonly address: string;
  /** Ask for a memo that is optional too. */
  readonly optionalToo: boolean;
}

/** Answer about a memo: a memo; or none, which `memoWaived` tells apart from a network that needs none. */
export interface MemoAnswer {
  readonly memo: string | null;
  readonly memoWaived: boolean;
}

/** No memo, on a network that needs none. */
export const NO_MEMO: MemoAnswer = { memo: null, memoWaived: false };

/**
 * The memo of a payout: demanded where the network or the service wants one and the address brings none along,
 * offered where it can have one, and not spoken of where there is none.
 */
export async function askMemo(
  context: Context,
  { to, address, optionalToo }: MemoQuestion,
): Promise<MemoAnswer> {
  const need = await memoNeed(context, to, address);
  if (need === 'demanded') return demandMemo(context, to, address);
  if (need === 'none' || !optionalToo) return NO_MEMO;
  const memo = await context.prompter.input({
    message: visible(`Memo for ${assetName(to)}, if the recipient gave you one (optional)`),
    whenEmpty: shown`none`,
    validate: (text) =>
      text === '' || payoutProblem(context, to, address, { memo: text, memoNeeded: false, waived: false }),
  });
  return memo === '' ? NO_MEMO : { memo, memoWaived: false };
}

/** Whether a payout to an address must, can or cannot have a memo beside it. */
export async function memoNeed(
  context: Context,
  to: Asset,
  address: string,
): Promise<'demanded' | 'optional' | 'none'> {
  const memoNeeded = await serviceNeedsMemo(context, to);
  const fits = async (memo: string | null) =>
    (await payoutProblem(context, to, address, { memo, memoNeeded, waived: false })) === true;
  if (memoNeeded || memoPolicy(to.network) === 'required') return (await fits(null)) ? 'none' : 'demanded';
  // A shielded Zcash address takes a memo and a transparent one does not, so the address is asked, not the network.
  return memoPolicy(to.network) === 'optional' && (await fits('1')) ? 'optional' : 'none';
}

async function serviceNeedsMemo(context: Context, to: Asset): Promise<boolean> {
  return findCoin(await fetchedCoins(context), to, 'receive').network?.memoRequired ?? false;
}

async function demandMemo(context: Context, to: Asset, address: string): Promise<MemoAnswer> {
  const memoNeeded = await serviceNeedsMemo(context, to);
  for (;;) {
    const memo = await context.prompter.input({
      message: visible(`Memo for ${assetName(to)}, exactly as the recipient gave it (optional)`),
      whenEmpty: shown`none`,
      validate: (text) =>
        text === '' || payoutProblem(context, to, address, { memo: text, memoNeeded, waived: false }),
    });
    if (memo !== '') return { memo, memoWaived: false };
    context.streams.note(
      '  Many recipients, exchanges in particular, lose a payout that arrives without its memo.',
      true,
    );
    const message = shown`Are you sure that the recipient does not need a memo?`;
    if (await context.prompter.confirm({ message, default: false })) return { memo: null, memoWaived: true };
  }
}

/** What is wrong with a payout address and its memo, as a sentence; true where nothing is. */
export async function payoutProblem(
  context: Context,
  to: Asset,
  address: string,
  memo: { memo: string | null; memoNeeded: boolean; waived: boolean },
): Promise<true | string> {
  const { environment } = await context.profile();
  return problemOf(() => checkedDestination({ ...to, ...memo, address, environment, what: 'payout' }));
}
