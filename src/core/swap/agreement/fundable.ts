import { wireTime } from '../../../base/time.ts';
import { isPositive } from '../amount.ts';
import { isDepositSeen } from '../attention.ts';
import type { Swap } from '../swap.ts';
import { type Doubt, unreadableDoubts } from './agreed.ts';

/** A swap to be shown; the order is null if none is known. */
export type ShownSwap = Omit<Swap, 'order' | 'statusCode'> & { readonly order: string | null };

/** Maximum length of an address and memo that may be funded. */
const MAX_ADDRESS_LENGTH = 256;
const MAX_MEMO_LENGTH = 512;

/** Whether a text can be copied and paid to: printable ASCII, not too long, no spaces at the ends. */
function isPlain(text: string | null, longest: number): text is string {
  return text !== null && text.length <= longest && /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text);
}

/** Whether an order number can be typed on a command line: one plain word that cannot be a flag. */
export function isPlainOrder(order: string): boolean {
  return /^[\x21-\x2c\x2e-\x7e][\x21-\x7e]{0,127}$/.test(order);
}

/** Why a swap cannot be paid, whatever was agreed, as a clause; null if it can. */
function unpayable({ order, deposit }: Pick<ShownSwap, 'order' | 'deposit'>): string | null {
  if (order === null || !isPlainOrder(order)) return 'its order number has unexpected characters';
  if (!isPlain(deposit.address, MAX_ADDRESS_LENGTH))
    return 'the deposit address is missing or has invalid characters';
  if (deposit.memo !== null && !isPlain(deposit.memo, MAX_MEMO_LENGTH))
    return 'the deposit memo has invalid characters';
  if (deposit.amount === null) return 'the amount to deposit is missing';
  return isPositive(deposit.amount) ? null : 'the amount to deposit is not greater than zero';
}

/** Whether a swap has not begun: new, with no deposit seen and no payout. */
export function isUntouched(
  swap: Pick<ShownSwap, 'status' | 'deposit'> & {
    readonly receive: Pick<ShownSwap['receive'], 'txId' | 'paidAmount'>;
  },
): boolean {
  const { status, receive } = swap;
  return status === 'new' && !isDepositSeen(swap) && receive.txId === null && receive.paidAmount === null;
}

/** Whether a swap may be shown as one to fund: new, complete, in time (`now` in milliseconds), without doubts. */
export function isFundable(swap: ShownSwap, doubts: readonly string[], now: number): boolean {
  const end = wireTime(swap.expiresAt);
  const isOver = end !== null && now >= end;
  return doubts.length === 0 && isUntouched(swap) && isWhole(swap) && !isOver;
}

function isWhole(swap: ShownSwap): boolean {
  const { deposit, receive } = swap;
  const needed = [swap.type, deposit.coin, deposit.network, receive.coin, receive.network, receive.address];
  const pays = receive.amount !== null && isPositive(receive.amount);
  return pays && unpayable(swap) === null && needed.every((value) => value !== null);
}

/**
 * Why the answer to a create is not the requested swap, as a clause; null if it may be shown. No address has been
 * shown to anyone yet, so every contradiction or gap is reason enough; a deposit address that is odd only by our own
 * rules is a doubt, and so is a fixed payout below the agreed one.
 */
export function createProblem(doubts: readonly Doubt[], swap: Swap): string | null {
  const contradiction = doubts.find(({ isShown }) => isShown !== true);
  const [unreadable] = unreadableDoubts(swap);
  return begun(swap) ?? unreadable?.words ?? unpayable(swap) ?? contradiction?.words ?? null;
}

/** Why a new order is not waiting for its deposit, or null; an unknown status may mean waiting too. */
function begun(swap: Swap): string | null {
  const { status, final } = swap;
  if (final) return `it has already ended as ${status}`;
  if (status === 'pause' || status === 'frozen') return `its status is already ${status}`;
  const waits = isUntouched({ ...swap, status: status === 'unknown' ? 'new' : status });
  return waits ? null : 'it started before anyone could pay';
}
