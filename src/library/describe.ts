import { swapResult } from '../ledger/swap-result.ts';
import type { Agreement } from '../swap/agreement/agreed.ts';
import type { Swap } from '../swap/swap.ts';
import type { Connection } from './connection.ts';
import type { SwapDescription } from './types.ts';

/** A swap as the library shows it: as the command does, without the keys that only a ledger fills. */
export function describe(
  { environment, now }: Connection,
  swap: Swap,
  known: Pick<SwapDescription, 'refundAddress' | 'asked' | 'doubts'>,
): SwapDescription {
  const { labels, profile, ...described } = swapResult(swap, {
    ...known,
    ...{ labels: {}, profile: '', environment, trusted: true, now: now() },
  });
  return { ...described, order: swap.order, statusCode: swap.statusCode };
}

/** What was agreed about a swap that the library described earlier. */
export function agreementWith(
  earlier: SwapDescription | null,
  { environment }: Pick<Connection, 'environment'>,
): Agreement {
  if (earlier === null) return { terms: null, first: null, furthest: null, environment };
  const first = { ...earlier, receive: { ...earlier.receive, paidTo: null } };
  return { terms: termsOf(earlier), first, furthest: earlier.status, environment };
}

function termsOf({ type, asked, deposit, receive, refundAddress }: SwapDescription): Agreement['terms'] {
  const [from, to] = [assetOf(deposit), assetOf(receive)];
  if (asked === null || type === null || from === null || to === null || receive.address === null)
    return null;
  const { address, memo } = receive;
  return {
    ...{ deposit: from, receive: to, amount: asked.deposit, type, address, memo, refundAddress },
    // Only the create knew these.
    ...{ quoted: null, minReceive: null, depositMemoNeeded: false },
  };
}

function assetOf({ coin, network }: Swap['deposit']): { coin: string; network: string } | null {
  return coin === null || network === null ? null : { coin, network };
}
