import { rfc3339, wireTime } from '../../../base/time.ts';
import { compareDecimals, type Decimal, differenceOf, isPositive, sameAmount } from '../amount.ts';
import { isDepositSeen } from '../attention.ts';
import type { Asset, Side, Swap } from '../swap.ts';
import {
  type AgreedTerms,
  type Agreement,
  type Doubt,
  type DoubtCode,
  doubts,
  isMissing,
  unreadableDoubts,
  wentBackwards,
} from './agreed.ts';
import { amountDoubts, differsByFactor, MAX_FACTOR } from './amount.ts';
import { oddDepositAddress } from './deposit-address.ts';
import { isOtherCode, sameAddress, shortenServiceText } from './spelling.ts';

/** Checks one aspect of a swap; the doubts of all checks are added up. */
type Check = (agreed: Agreement, seen: Swap) => readonly Doubt[] | Promise<readonly Doubt[]>;

const CHECKS: readonly Check[] = [
  wentBackwards,
  (_, seen) => unreadableDoubts(seen),
  depositDoubts,
  payoutDoubts,
  amountDoubts,
  typeDoubts,
  oddDepositAddress,
  finalDoubts,
  sentDoubts,
];

/**
 * Contradictions and gaps between a description of a swap and its agreement; empty if there are none. It depends on
 * these two only, so the create, every later status, a refund and a repeated key all use it.
 */
export async function doubtsOf(agreed: Agreement, seen: Swap): Promise<readonly Doubt[]> {
  return (await Promise.all(CHECKS.map((check) => check(agreed, seen)))).flat();
}

/** A deposit that was said to be sent: after the usual time, or once the swap has ended, the service must have seen it. */
function sentDoubts({ sent = null }: Agreement, seen: Swap): readonly Doubt[] {
  if (sent === null || isDepositSeen(seen) || !(sent.isDue || seen.final)) return [];
  return doubts(
    'deposit_sent_not_seen',
    `its deposit was sent in transaction ${sent.txId}, and the service does not see it`,
  );
}

/** The codes of doubts, each once. */
export function codesOf(doubts: readonly Doubt[]): readonly DoubtCode[] {
  return [...new Set(doubts.map(({ code }) => code))];
}

function typeDoubts({ terms }: Agreement, seen: Swap): readonly Doubt[] {
  if (terms === null || seen.type === terms.type) return [];
  if (seen.type !== null) return doubts('type_changed', `its rate is ${seen.type} instead of ${terms.type}`);
  return isMissing(seen, 'type')
    ? doubts('type_changed', `its rate type is missing (agreed: ${terms.type})`)
    : [];
}

/** Doubts about the deposit: requested coin and network, first given address and memo. An ended swap may omit them. */
async function depositDoubts({ terms, first }: Agreement, seen: Swap): Promise<readonly Doubt[]> {
  return doubts(
    'deposit_changed',
    terms === null ? null : assetDifference('deposit', terms.deposit, seen),
    first === null ? null : await depositAddressDifference(first, seen),
    first === null ? null : depositMemoDifference(first, seen),
  );
}

function assetDifference(side: Side, asked: Asset, seen: Swap): string | null {
  const { coin, network } = seen[side];
  const name = side === 'deposit' ? 'deposit' : 'payout';
  if (isOtherCode(coin, asked.coin) || isOtherCode(network, asked.network))
    return `its ${name} is in ${shortenServiceText(coin ?? '?')} on ${shortenServiceText(network ?? '?')} instead of ${asked.coin} on ${asked.network}`;
  return isMissing(seen, `${side}.coin`) || isMissing(seen, `${side}.network`)
    ? `its ${name} coin or network is missing`
    : null;
}

async function depositAddressDifference({ deposit: before }: Swap, seen: Swap): Promise<string | null> {
  const { deposit } = seen;
  if (before.address === null) return null;
  if (deposit.address === null)
    return isMissing(seen, 'deposit.address') ? 'it no longer shows a deposit address' : null;
  if (await sameAddress(before.network ?? '', deposit.address, before.address)) return null;
  return `its deposit address is now ${shortenServiceText(deposit.address)} instead of ${before.address}`;
}

function depositMemoDifference({ deposit: before }: Swap, seen: Swap): string | null {
  const { deposit } = seen;
  if (deposit.memo === before.memo) return null;
  if (deposit.memo === null)
    return isMissing(seen, 'deposit.memo') ? 'it no longer shows a deposit memo' : null;
  return `its deposit memo is now ${shortenServiceText(deposit.memo)} instead of ${before.memo ?? 'none'}`;
}

/** Doubts about the payout: coin, network, address and memo must be present and the requested ones. */
async function payoutDoubts({ terms }: Agreement, seen: Swap): Promise<readonly Doubt[]> {
  if (terms === null) return [];
  return doubts(
    'payout_changed',
    assetDifference('receive', terms.receive, seen),
    await otherPayoutAddress(terms, seen),
    otherPayoutMemo(terms, seen),
    await otherPayee(terms, seen),
  );
}

async function otherPayoutAddress(terms: AgreedTerms, seen: Swap): Promise<string | null> {
  const { receive } = seen;
  if (receive.address === null)
    return isMissing(seen, 'receive.address') ? 'its payout address is missing' : null;
  if (await sameAddress(terms.receive.network, receive.address, terms.address)) return null;
  return `its payout address is ${shortenServiceText(receive.address)} instead of ${terms.address}`;
}

function otherPayoutMemo({ memo }: AgreedTerms, seen: Swap): string | null {
  const { receive } = seen;
  if (receive.memo === memo) return null;
  if (receive.memo === null)
    return isMissing(seen, 'receive.memo') ? `it pays without the memo ${memo}` : null;
  return `its payout memo is ${shortenServiceText(receive.memo)} instead of ${memo ?? 'none'}`;
}

/** Doubt about a payout transaction with another address; the answer has the address a second time there. */
async function otherPayee(terms: AgreedTerms, { receive }: Swap): Promise<string | null> {
  const { paidTo } = receive;
  if (paidTo === null || (await sameAddress(terms.receive.network, paidTo, terms.address))) return null;
  return `its payout goes to another address: ${shortenServiceText(paidTo)} instead of ${terms.address}`;
}

/** Doubts about an ended swap: a success without a transaction, a wrong payout, a late deposit. None before its end. */
export function finalDoubts(agreed: Agreement, seen: Swap): readonly Doubt[] {
  if (!seen.final) return [];
  return [
    ...doubts('success_without_payout_tx', missingTransaction(seen, 'payout')),
    ...doubts('payout_amount_off', otherPayment(agreed, seen)),
    ...doubts('success_without_deposit', missingTransaction(seen, 'deposit')),
    ...doubts('deposit_after_window', lateDeposit(agreed, seen)),
  ];
}

function missingTransaction({ status, deposit, receive }: Swap, of: 'deposit' | 'payout'): string | null {
  const { txId } = of === 'deposit' ? deposit : receive;
  return status === 'success' && txId === null ? `it is a success without a ${of} transaction` : null;
}

function lateDeposit({ first }: Agreement, { deposit, expiresAt = null }: Swap): string | null {
  const end = wireTime(expiresAt) ?? wireTime(first?.expiresAt ?? null);
  const received = wireTime(deposit.receivedAt);
  if (end === null || received === null || received <= end) return null;
  return `its deposit arrived after its window ended at ${rfc3339(end)}`;
}

/** Why the amount that was paid is not the one that was to be paid, or null. */
function otherPayment({ terms, first }: Agreement, seen: Swap): string | null {
  if (seen.status !== 'success') return null;
  const { amount: shown, fee, paidAmount } = seen.receive;
  const paid = paidAmount ?? shown;
  if (paid === null) return null;
  if (!isPositive(paid)) return `it paid ${paid}`;
  const promised = first?.receive.amount ?? null;
  const isExact = terms === null || sameAmount(seen.deposit.amount ?? terms.amount, terms.amount);
  // A promise is for the agreed deposit; for another one the service names a payout of its own.
  const due = isExact ? (promised ?? shown) : shown;
  const isFixed = (terms?.type ?? seen.type) === 'fixed';
  if (isFixed && due !== null && isBeyondFee(paid, due, fee)) return `it paid ${paid} instead of ${due}`;
  if (shown !== null && differsByFactor([paid], [shown], MAX_FACTOR))
    return `it paid ${paid} instead of ${shown}`;
  return outOfProportion(terms, promised, seen, paid);
}

/** Why a payout is far from the promised one, each compared with its own deposit, or null. */
function outOfProportion(
  terms: AgreedTerms | null,
  answered: Decimal | null,
  { deposit }: Swap,
  paid: Decimal,
): string | null {
  const promised = answered ?? terms?.quoted ?? null;
  if (terms === null || promised === null || !isPositive(promised)) return null;
  const deposited = deposit.amount ?? terms.amount;
  if (!differsByFactor([paid, terms.amount], [promised, deposited], MAX_FACTOR)) return null;
  return `it paid ${paid} for ${deposited} instead of ${promised} for ${terms.amount}`;
}

function isBeyondFee(paid: Decimal, due: Decimal, fee: Decimal | null): boolean {
  const allowed = fee !== null && isPositive(fee) ? fee : '0';
  return compareDecimals(differenceOf(paid, due), allowed) > 0;
}
