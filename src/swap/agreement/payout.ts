import type { Swap } from '../swap.ts';
import type { AgreedTerms, Agreement, Finding } from './agreed.ts';
import { isOtherCode, sameAddress, serviceText } from './spelling.ts';
import { isMissing } from './unreadable.ts';

/** Findings about the payout: coin, network, address and memo must be present and the requested ones. */
export async function payoutFindings({ terms }: Agreement, seen: Swap): Promise<readonly Finding[]> {
  if (terms === null) return [];
  const words = [
    otherCoin(terms, seen),
    await otherAddress(terms, seen),
    otherMemo(terms, seen),
    await otherPayee(terms, seen),
  ];
  return words.flatMap((clause) => (clause === null ? [] : [{ code: 'payout_changed', words: clause }]));
}

function otherCoin({ receive: asked }: AgreedTerms, seen: Swap): string | null {
  const { coin, network } = seen.receive;
  if (isOtherCode(coin, asked.coin) || isOtherCode(network, asked.network))
    return `it pays another coin or network: ${serviceText(coin ?? '?')} on ${serviceText(network ?? '?')} instead of ${asked.coin} on ${asked.network}`;
  return isMissing(seen, 'receive.coin') || isMissing(seen, 'receive.network')
    ? 'it does not say which coin on which network it pays'
    : null;
}

async function otherAddress(terms: AgreedTerms, seen: Swap): Promise<string | null> {
  const { receive } = seen;
  if (receive.address === null)
    return isMissing(seen, 'receive.address') ? 'it does not say to which address it pays' : null;
  if (await sameAddress(terms.receive.network, receive.address, terms.address)) return null;
  return `it pays to another address: ${serviceText(receive.address)} instead of ${terms.address}`;
}

function otherMemo({ memo }: AgreedTerms, seen: Swap): string | null {
  const { receive } = seen;
  if (receive.memo === memo) return null;
  if (receive.memo === null)
    return isMissing(seen, 'receive.memo') ? `it pays without the memo ${memo}` : null;
  return `it pays with another memo: ${serviceText(receive.memo)} instead of ${memo ?? 'none'}`;
}

/** Finding for a payout transaction with another address; the answer has the address a second time there. */
async function otherPayee(terms: AgreedTerms, { receive }: Swap): Promise<string | null> {
  const { paidTo } = receive;
  if (paidTo === null || (await sameAddress(terms.receive.network, paidTo, terms.address))) return null;
  return `its payout goes to another address: ${serviceText(paidTo)} instead of ${terms.address}`;
}
