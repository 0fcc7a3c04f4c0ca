import type { Context } from '../../../context.ts';
import type { SavedAddress } from '../../../settings/saved-addresses.ts';
import type { Asset } from '../../../swap/swap.ts';
import { checkedAddress } from '../../../swaps/destination.ts';
import { shown, visible } from '../../../text.ts';
import { assetName } from '../asset.ts';
import { problemOf } from '../problem.ts';
import { askTrimmed } from '../trimmed.ts';
import { formOf, OWN_LINE } from './form.ts';
import { offered, savedFor } from './offer.ts';
import { refuseOtherNetwork, savedForRefund } from './saved.ts';
import { usedRefunds } from './used.ts';

/** A refund address that was asked for; null is none. */
export interface RefundAnswer {
  readonly refundAddress: string | null;
  /** What `@name` stood for. */
  readonly refundSaved: SavedAddress | null;
}

const NO_REFUND: RefundAnswer = { refundAddress: null, refundSaved: null };

/** Asks for the refund address; saved ones and those of earlier swaps of the same coin are offered first. */
export async function askRefundAddress(context: Context, from: Asset): Promise<RefundAnswer> {
  const subject = `Refund address for ${assetName(from)}, used if the swap fails`;
  const offer = {
    used: await usedRefunds(context, from),
    saved: (await savedFor(context, from, 'deposit')).filter(({ memo }) => memo === null),
  };
  const read = (text: string) => refundAnswer(context, from, text);
  const validate = (text: string) => problemOf(() => read(text));
  const chosen = await offered(context, visible(subject), offer, validate, true);
  if (chosen?.kind === 'none') return NO_REFUND;
  if (chosen !== null) return read(chosen.kind === 'used' ? chosen.used.address : chosen.text);
  const question = `${subject}${await formOf(from.network, 'optional')}`;
  const text = await askTrimmed(context, 'address', {
    message: shown`${visible(question)}${OWN_LINE}`,
    whenEmpty: shown`none`,
    validate: (address) => address === '' || validate(address),
  });
  return text === '' ? NO_REFUND : read(text);
}

async function refundAnswer(context: Context, from: Asset, text: string): Promise<RefundAnswer> {
  const { environment } = await context.profile();
  const refundSaved = savedForRefund(context, text);
  const refundAddress = refundSaved?.address ?? text;
  if (refundSaved !== null) await refuseOtherNetwork(context, refundSaved, from, 'deposit');
  await checkedAddress({ ...from, address: refundAddress, environment, what: 'refund' });
  return { refundAddress, refundSaved };
}
