import type { CreateIntent, Entry } from '../ledger/entry.ts';
import type { Swap } from '../swap/swap.ts';
import { sameAddress, sameCode } from './create-echo.ts';

/** In what a swap, as the service describes it now, is another than the one in the ledger; null where in nothing. */
export async function contradiction(entry: Entry, swap: Swap): Promise<string | null> {
  return (
    (entry.swap === null ? null : await otherDeposit(entry.swap, swap)) ??
    (entry.request === null ? null : await otherThanAsked(entry.request, swap))
  );
}

/** A deposit address does not change, and neither does its memo; one that is no longer shown is not another. */
async function otherDeposit({ deposit: before }: Swap, { deposit }: Swap): Promise<string | null> {
  if (before.address === null || deposit.address === null) return null;
  if (!(await sameAddress(before.network ?? '', deposit.address, before.address)))
    return 'it has another deposit address now';
  return deposit.memo === before.memo ? null : 'it has another deposit memo now';
}

async function otherThanAsked(asked: CreateIntent, { deposit, receive }: Swap): Promise<string | null> {
  if (!sameCode(deposit.coin, asked.deposit.coin) || !sameCode(deposit.network, asked.deposit.network))
    return 'it takes another coin or network as deposit';
  if (!sameCode(receive.coin, asked.receive.coin) || !sameCode(receive.network, asked.receive.network))
    return 'it pays another coin or network';
  if (
    receive.address !== null &&
    !(await sameAddress(asked.receive.network, receive.address, asked.address))
  ) {
    return 'it pays to another address';
  }
  return receive.memo === null || receive.memo === asked.memo ? null : 'it pays with another memo';
}
