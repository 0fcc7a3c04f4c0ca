import { UsageError } from '../../../../base/errors.ts';
import { shown, visible } from '../../../../base/text.ts';
import { findCoin } from '../../../../core/client/find-coin.ts';
import { memoPolicy } from '../../../../core/swap/memo.ts';
import type { Asset } from '../../../../core/swap/swap.ts';
import { checkedAddress, checkedDestination } from '../../../../core/swaps/destination.ts';
import type { Context } from '../../../context.ts';
import { askLine, askTrimmed } from '../ask-line.ts';
import { assetName, fetchedCoins, problemOf } from '../questions.ts';
import { formOf, OWN_LINE, offered, savedFor, usedAddresses } from './offer.ts';
import { type GivenMemo, memoBeside, refuseOtherNetwork, savedAddressOf, savedForRefund } from './saved.ts';

/**
 * Asks for the payout address until it passes the rules of its network; the question shows their form. Saved addresses
 * and those of earlier swaps are offered first, if they are compatible with the `given` memo. A chosen address passes
 * the same checks as a typed one. A `memo` of null is still to be asked for; `savedPayout` is null if none was chosen.
 */
export async function askAddress(context: Context, to: Asset, given: GivenMemo = NO_MEMO) {
  const question = visible(`Payout address for ${assetName(to)}${await formOf(to.network)}`);
  const fits = ({ memo }: { readonly memo: string | null }) =>
    memo === null || (!given.memoWaived && (given.memo === null || given.memo === memo));
  const offer = {
    used: (await usedAddresses(context, to, 'receive')).filter(fits),
    saved: (await savedFor(context, to, 'receive')).filter(fits),
    hasNone: false,
  };
  const read = (text: string) => payoutAnswer(context, to, text, given);
  const validate = (text: string) => problemOf(() => read(text));
  const typed = await offered(context, question, offer, validate);
  if (typed?.kind === 'used') {
    const { address, memo } = typed.used;
    return {
      address,
      savedPayout: null,
      memo: await knownMemo(context, to, address, { ...given, memo: memo ?? given.memo }),
    };
  }
  if (typed?.kind === 'typed') return read(typed.text);
  return read(await askTrimmed(context, 'address', { message: shown`${question}${OWN_LINE}`, validate }));
}

/** The address that a text stands for; throws if it is invalid. */
async function payoutAnswer(context: Context, to: Asset, text: string, given: GivenMemo) {
  const savedPayout = savedAddressOf(context, text);
  const address = savedPayout?.address ?? text;
  if (savedPayout !== null) await refuseOtherNetwork(context, savedPayout, to, 'receive');
  const memo = savedPayout === null ? null : memoBeside(savedPayout, given);
  const problem = await payoutProblem(context, to, address, { ...WITHOUT_MEMO, memo });
  if (problem !== true) throw new UsageError(problem, undefined, 'invalid_address');
  const known = savedPayout === null ? null : await knownMemo(context, to, address, { ...given, memo });
  return { address, savedPayout, memo: known };
}

/** The memo of a saved or earlier address; null if it has none and the network or the service requires one. */
async function knownMemo(context: Context, to: Asset, address: string, { memo, memoWaived }: GivenMemo) {
  if (memo !== null || memoWaived) return { memo, memoWaived };
  return (await memoNeed(context, to, address)) === 'demanded' ? null : NO_MEMO;
}

const WITHOUT_MEMO = { memo: null, memoNeeded: false, waived: true } as const;

/** Checks addresses that were given as flags before asking anything; throws if one is invalid. */
export async function checkGivenAddresses(
  context: Context,
  from: Asset,
  to: Asset,
  { address, refundAddress }: { address: string | null; refundAddress: string | null },
): Promise<void> {
  const { environment } = await context.profile();
  if (address !== null)
    await checkedDestination({ ...WITHOUT_MEMO, ...to, address, environment, what: 'payout' });
  if (refundAddress !== null)
    await checkedAddress({ ...from, address: refundAddress, environment, what: 'refund' });
}

/** No memo, on a network that needs none. */
const NO_MEMO: GivenMemo = { memo: null, memoWaived: false };

/**
 * The memo of a payout: required if the network or the service needs one and the address contains none, optional if it
 * can have one, and not asked for if it cannot.
 */
export async function askMemo(context: Context, to: Asset, address: string, optionalToo: boolean) {
  const need = await memoNeed(context, to, address);
  if (need === 'demanded') return demandMemo(context, to, address);
  if (need === 'none' || !optionalToo) return NO_MEMO;
  const memo = await askLine(context, {
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

async function demandMemo(context: Context, to: Asset, address: string): Promise<GivenMemo> {
  const memoNeeded = await serviceNeedsMemo(context, to);
  for (;;) {
    const memo = await askLine(context, {
      message: shown`${visible(`Memo for ${assetName(to)}, exactly as the recipient gave it (leave empty if there is none)`)}${OWN_LINE}`,
      whenEmpty: shown`none`,
      validate: (text) =>
        text === '' || payoutProblem(context, to, address, { memo: text, memoNeeded, waived: false }),
    });
    if (memo !== '') return { memo, memoWaived: false };
    const warning = 'Many recipients, exchanges in particular, lose a payout that arrives without its memo.';
    context.streams.note(`  ${warning}`, true);
    const message = shown`Are you sure that the recipient does not need a memo?`;
    if (await context.prompter.confirm({ message, default: false })) return { memo: null, memoWaived: true };
  }
}

/** The problem with a payout address and its memo, as a sentence; true if there is none. */
async function payoutProblem(
  context: Context,
  to: Asset,
  address: string,
  memo: { memo: string | null; memoNeeded: boolean; waived: boolean },
): Promise<true | string> {
  const { environment } = await context.profile();
  return problemOf(() => checkedDestination({ ...to, ...memo, address, environment, what: 'payout' }));
}

const NO_REFUND = { refundAddress: null, savedRefund: null };

/** Asks for the refund address; saved ones and those of earlier swaps of the same coin are offered first. */
export async function askRefundAddress(context: Context, from: Asset, order: string | null = null) {
  const subject =
    order === null
      ? `Refund address for ${assetName(from)}, used if the swap fails`
      : `New refund address for ${assetName(from)} of order ${order}`;
  const offer = {
    used: await usedAddresses(context, from, 'deposit'),
    saved: (await savedFor(context, from, 'deposit')).filter(({ memo }) => memo === null),
    hasNone: true,
  };
  const read = (text: string) => refundAnswer(context, from, text);
  const validate = (text: string) => problemOf(() => read(text));
  const chosen = await offered(context, visible(subject), offer, validate);
  if (chosen?.kind === 'none') return NO_REFUND;
  if (chosen !== null) return read(chosen.kind === 'used' ? chosen.used.address : chosen.text);
  const question = `${subject}${await formOf(from.network, ...(order === null ? ['optional'] : []))}`;
  const text = await askTrimmed(context, 'address', {
    message: shown`${visible(question)}${OWN_LINE}`,
    whenEmpty: shown`none`,
    validate: (address) => address === '' || validate(address),
  });
  return text === '' ? NO_REFUND : read(text);
}

/** The address that a text stands for; throws if it is invalid. */
async function refundAnswer(context: Context, from: Asset, text: string) {
  const { environment } = await context.profile();
  const savedRefund = savedForRefund(context, text);
  const refundAddress = savedRefund?.address ?? text;
  if (savedRefund !== null) await refuseOtherNetwork(context, savedRefund, from, 'deposit');
  await checkedAddress({ ...from, address: refundAddress, environment, what: 'refund' });
  return { refundAddress, savedRefund };
}
