import type { CreateRequest } from '../client/client.ts';
import { sameAmount } from '../swap/amount.ts';
import type { Swap } from '../swap/swap.ts';
import { hasHiddenCharacters } from '../swap/text.ts';

/**
 * What in the service's answer to a create is not as it was asked for, or null where the swap can be funded.
 * A deposit to a swap that pays someone else, or another coin, is lost.
 */
export function echoProblem(request: CreateRequest, swap: Swap): string | null {
  const { deposit, receive } = swap;
  if (!isFundable(deposit.address, 256))
    return 'the deposit address is missing or holds characters that no address has';
  if (deposit.memo !== null && !isFundable(deposit.memo, 512))
    return 'the deposit memo holds characters that no memo has';
  if (deposit.amount === null) return 'the amount to deposit is missing';
  if (!sameCode(deposit.coin, request.deposit.coin) || !sameCode(deposit.network, request.deposit.network)) {
    return 'it takes another coin or network as deposit';
  }
  if (!sameCode(receive.coin, request.receive.coin) || !sameCode(receive.network, request.receive.network)) {
    return 'it pays another coin or network';
  }
  if (!sameAmount(deposit.amount, request.amount))
    return `it wants a deposit of ${deposit.amount} instead of ${request.amount}`;
  if (receive.address !== null && !sameAddress(receive.address, request.address))
    return 'it pays to another address';
  if (receive.memo !== null && receive.memo !== (request.memo ?? '')) return 'it pays with another memo';
  return null;
}

/** Whether money could be sent there: printable ASCII of a sane length, nothing hidden, no spaces at the ends. */
export function isFundable(text: string | null, longest: number): text is string {
  return (
    text !== null &&
    text.length <= longest &&
    !hasHiddenCharacters(text) &&
    /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text)
  );
}

function sameCode(answered: string | null, asked: string): boolean {
  return answered === null || answered.toLowerCase() === asked.toLowerCase();
}

/** A service may write an address without its prefix or in one case; its characters must be the same. */
function sameAddress(answered: string, asked: string): boolean {
  if (answered === asked) return true;
  const bare = (text: string) => text.slice(text.indexOf(':') + 1);
  const oneCase = /^(0x[0-9a-f]+|[a-z0-9]+1[02-9ac-hj-np-z]+|[0-9a-z]{42,})$/i;
  const [a, b] = [bare(answered), bare(asked)];
  return a === b || (oneCase.test(a) && hasOneCase(b) && a.toLowerCase() === b.toLowerCase());
}

/** Hexadecimal and bech32 forms mean the same in either case; base58 forms do not. */
function hasOneCase(text: string): boolean {
  return /^0x/i.test(text) || text === text.toLowerCase() || text === text.toUpperCase();
}
