import type { Asset, Swap } from '../swap.ts';
import type { Agreement, Finding } from './agreed.ts';
import { isOtherCode, sameAddress, serviceText } from './spelling.ts';
import { isMissing } from './unreadable.ts';

/**
 * Findings about the deposit: coin and network must be the requested ones, address and memo those that the service gave
 * first. An ended swap may omit them.
 */
export async function depositFindings({ terms, first }: Agreement, seen: Swap): Promise<readonly Finding[]> {
  const words = [
    terms === null ? null : otherCoin(terms.deposit, seen),
    first === null ? null : await otherAddress(first, seen),
    first === null ? null : otherMemo(first, seen),
  ];
  return words.flatMap((clause) => (clause === null ? [] : [{ code: 'deposit_changed', words: clause }]));
}

function otherCoin(asked: Asset, seen: Swap): string | null {
  const { coin, network } = seen.deposit;
  if (isOtherCode(coin, asked.coin) || isOtherCode(network, asked.network))
    return `it takes another coin or network as deposit: ${serviceText(coin ?? '?')} on ${serviceText(network ?? '?')} instead of ${asked.coin} on ${asked.network}`;
  return isMissing(seen, 'deposit.coin') || isMissing(seen, 'deposit.network')
    ? 'it does not say which coin on which network it takes as deposit'
    : null;
}

async function otherAddress({ deposit: before }: Swap, seen: Swap): Promise<string | null> {
  const { deposit } = seen;
  if (before.address === null) return null;
  if (deposit.address === null)
    return isMissing(seen, 'deposit.address') ? 'it no longer shows a deposit address' : null;
  if (await sameAddress(before.network ?? '', deposit.address, before.address)) return null;
  return `it has another deposit address now: ${serviceText(deposit.address)} instead of ${before.address}`;
}

function otherMemo({ deposit: before }: Swap, seen: Swap): string | null {
  const { deposit } = seen;
  if (deposit.memo === before.memo) return null;
  if (deposit.memo === null)
    return isMissing(seen, 'deposit.memo') ? 'it no longer shows a deposit memo' : null;
  return `it has another deposit memo now: ${serviceText(deposit.memo)} instead of ${before.memo ?? 'none'}`;
}
