import type { CreateRequest } from '../client/client.ts';
import type { Decimal } from '../swap/amount.ts';
import { compareDecimals, sameAmount } from '../swap/amount.ts';
import { findNetwork } from '../swap/networks.ts';
import type { Environment, Swap } from '../swap/swap.ts';
import { hasHiddenCharacters } from '../swap/text.ts';

/** What a create was asked for, as far as its answer can be held against it. */
export interface Asked {
  readonly request: Omit<CreateRequest, 'refundAddress'>;
  readonly minReceive: Decimal | null;
}

/**
 * What in the service's answer to a create is not as it was asked for, or null where the swap can be funded.
 * A deposit to a swap that pays someone else, or another coin, is lost.
 */
export async function echoProblem(asked: Asked, swap: Swap): Promise<string | null> {
  return unfundable(swap) ?? otherTerms(asked, swap) ?? (await otherPayout(asked, swap));
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

/** Whether an order number can be written on a command line: one plain word that no flag could be. */
export function isPlainOrder(order: string): boolean {
  return /^[\x21-\x2c\x2e-\x7e][\x21-\x7e]{0,127}$/.test(order);
}

function unfundable({ order, status, final, deposit }: Swap): string | null {
  if (!isPlainOrder(order)) return 'its order number is no plain word';
  if (final) return `it has ended already, as ${status}`;
  if (!isFundable(deposit.address, 256))
    return 'the deposit address is missing or holds characters that no address has';
  if (deposit.memo !== null && !isFundable(deposit.memo, 512))
    return 'the deposit memo holds characters that no memo has';
  return deposit.amount === null ? 'the amount to deposit is missing' : null;
}

function otherTerms({ request, minReceive }: Asked, { deposit, receive, type }: Swap): string | null {
  if (!sameCode(deposit.coin, request.deposit.coin) || !sameCode(deposit.network, request.deposit.network))
    return 'it takes another coin or network as deposit';
  if (!sameCode(receive.coin, request.receive.coin) || !sameCode(receive.network, request.receive.network))
    return 'it pays another coin or network';
  if (type !== null && type !== request.type) return `its rate is ${type} instead of ${request.type}`;
  if (deposit.amount !== null && !sameAmount(deposit.amount, request.amount))
    return `it wants a deposit of ${deposit.amount} instead of ${request.amount}`;
  if (minReceive !== null && receive.amount !== null && compareDecimals(receive.amount, minReceive) < 0)
    return `it pays ${receive.amount}, less than the ${minReceive} of --min-receive`;
  return null;
}

async function otherPayout({ request }: Asked, { receive }: Swap): Promise<string | null> {
  if (receive.address === null) return null;
  if (!(await sameAddress(request.receive.network, receive.address, request.address)))
    return 'it pays to another address';
  if (receive.memo === request.memo) return null;
  return receive.memo === null ? 'it pays without the memo' : 'it pays with another memo';
}

/**
 * What is odd about a deposit address by the rules of its network, or null. No wallet pays to an address with a
 * wrong checksum, and a service may know a form that this version does not, so it is a warning and no refusal.
 */
export async function depositAddressDoubt(
  environment: Environment,
  { deposit }: Pick<Swap, 'deposit'>,
): Promise<string | null> {
  const network = deposit.network ?? '';
  if ((findNetwork(network)?.family ?? null) === null) return null;
  const { checkAddress } = await import('../swap/addresses/check.ts');
  const verdict = await checkAddress(network, deposit.address ?? '');
  if (!verdict.ok) return `the deposit address is none of ${network}`;
  if (verdict.unspendable === true) return 'nobody could ever spend from the deposit address';
  return verdict.testnet && environment === 'live' ? 'the deposit address is one of a test network' : null;
}

/** Whether an answered code is the one asked for; what is not answered contradicts nothing. */
export function sameCode(answered: string | null, asked: string): boolean {
  return answered === null || answered.toLowerCase() === asked.toLowerCase();
}

/** Whether a service's spelling of an address means the one that was sent, by the rules of its network. */
export async function sameAddress(network: string, answered: string, sent: string): Promise<boolean> {
  if (answered === sent) return true;
  const hexadecimal = /^0x[0-9a-f]+$/i;
  if (hexadecimal.test(answered) && hexadecimal.test(sent))
    return answered.toLowerCase() === sent.toLowerCase();
  const { checkAddress } = await import('../swap/addresses/check.ts');
  const [a, b] = [await checkAddress(network, answered), await checkAddress(network, sent)];
  if (!a.ok || !b.ok || hiddenMemo(a) !== hiddenMemo(b)) return false;
  return a.canonical === b.canonical;
}

function hiddenMemo(address: { readonly tag?: string; readonly memoId?: string }): string | null {
  return address.tag ?? address.memoId ?? null;
}
