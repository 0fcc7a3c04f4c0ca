import type { Context } from '../../../context.ts';
import { UsageError } from '../../../errors.ts';
import type { SavedAddress } from '../../../settings/saved-addresses.ts';
import type { Asset } from '../../../swap/swap.ts';
import { checkedAddress, checkedDestination } from '../../../swaps/destination.ts';
import { shown, type Visible, visible } from '../../../text.ts';
import { assetName } from '../asset.ts';
import { problemOf } from '../problem.ts';
import { askTrimmed } from '../trimmed.ts';
import { type MemoAnswer, memoNeed, NO_MEMO, payoutProblem } from './ask-memo.ts';
import { formOf, OWN_LINE } from './form.ts';
import { offered, savedFor } from './offer.ts';
import { type GivenMemo, memoBeside, refuseOtherNetwork, savedAddressOf } from './saved.ts';
import { usedPayouts } from './used.ts';

/** A payout address that was asked for. */
export interface PayoutAnswer {
  readonly address: string;
  /** What `@name` stood for. */
  readonly payoutSaved: SavedAddress | null;
  /** The memo that goes with it, where that is known without a question. */
  readonly memo: MemoAnswer | null;
}

/**
 * Asks for the payout address until it passes the rules of its network; the question names the forms of these. Saved
 * addresses and those of earlier swaps are offered first, if they go with the memo that is `given`. One that is chosen
 * passes the same checks as one that is typed.
 */
export async function askAddress(
  context: Context,
  to: Asset,
  given: GivenMemo = { memo: null, memoWaived: false },
): Promise<PayoutAnswer> {
  const question = visible(`Payout address for ${assetName(to)}${await formOf(to.network)}`);
  const fits = ({ memo }: { readonly memo: string | null }) =>
    memo === null || (!given.memoWaived && (given.memo === null || given.memo === memo));
  const offer = {
    used: (await usedPayouts(context, to)).filter(fits),
    saved: (await savedFor(context, to, 'receive')).filter(fits),
  };
  const read = (text: string) => payoutAnswer(context, to, text, given);
  const validate = (text: string) => problemOf(() => read(text));
  const typed = await offered(context, question, offer, validate, false);
  if (typed?.kind === 'used') {
    const { address, memo } = typed.used;
    return {
      address,
      payoutSaved: null,
      memo: await knownMemo(context, to, address, memo ?? given.memo, given),
    };
  }
  return read(typed?.kind === 'typed' ? typed.text : await askTyped(context, question, validate));
}

/** The answer that a text stands for; throws what is wrong with it. */
async function payoutAnswer(
  context: Context,
  to: Asset,
  text: string,
  given: GivenMemo,
): Promise<PayoutAnswer> {
  const payoutSaved = savedAddressOf(context, text);
  const address = payoutSaved?.address ?? text;
  if (payoutSaved !== null) await refuseOtherNetwork(context, payoutSaved, to, 'receive');
  const memo = payoutSaved === null ? null : memoBeside(payoutSaved, given);
  const problem = await payoutProblem(
    context,
    to,
    address,
    memo === null ? WITHOUT_MEMO : { ...WITHOUT_MEMO, memo },
  );
  if (problem !== true) throw new UsageError(problem, undefined, 'invalid_address');
  const known = payoutSaved === null ? null : await knownMemo(context, to, address, memo, given);
  return { address, payoutSaved, memo: known };
}

/** The memo of a saved or earlier address; null where it has none and the network, or the service, demands one. */
async function knownMemo(
  context: Context,
  to: Asset,
  address: string,
  memo: string | null,
  { memoWaived }: GivenMemo,
): Promise<MemoAnswer | null> {
  if (memo !== null || memoWaived) return { memo, memoWaived };
  return (await memoNeed(context, to, address)) === 'demanded' ? null : NO_MEMO;
}

function askTyped(
  context: Context,
  question: Visible,
  validate: (text: string) => Promise<true | string>,
): Promise<string> {
  return askTrimmed(context, 'address', { message: shown`${question}${OWN_LINE}`, validate });
}

const WITHOUT_MEMO = { memo: null, memoNeeded: false, waived: true } as const;

/** Checks addresses that were given as flags before anything is asked; throws what is wrong with them. */
export async function checkGivenAddresses(
  context: Context,
  {
    from,
    to,
    address,
    refundAddress,
  }: { from: Asset; to: Asset; address: string | null; refundAddress: string | null },
): Promise<void> {
  const { environment } = await context.profile();
  if (address !== null)
    await checkedDestination({ ...WITHOUT_MEMO, ...to, address, environment, what: 'payout' });
  if (refundAddress !== null)
    await checkedAddress({ ...from, address: refundAddress, environment, what: 'refund' });
}
