import { rfc3339, rfc3339OrNull, wireTime } from '../../base/time.ts';
import { isFundable, type ShownSwap } from '../swap/agreement/fundable.ts';
import type { Decimal } from '../swap/amount.ts';
import type { Labels } from '../swap/labels.ts';
import { paymentUriOrAddress } from '../swap/payment-uri.ts';
import type { Environment, Swap } from '../swap/swap.ts';
import { CLOCKS_DIFFER_MS, type Entry } from './entry.ts';

/** The deposit as sent, and the payout as first answered, else quoted or asked for; null if none of these is known. */
export interface AgreedAmounts {
  readonly deposit: Decimal;
  readonly receive: Decimal | null;
}

/** A swap as swapctl shows it: the service's description, and facts that only the ledger has. */
export type SwapResult = Omit<Swap, 'order' | 'statusCode' | 'receive' | 'unreadable'> & {
  /** Null only where no order is known to exist, as `statusCode` is. */
  readonly order: string | null;
  readonly statusCode: number | null;
  readonly receive: Omit<Swap['receive'], 'paidTo'>;
  readonly refundAddress: string | null;
  /** Text of the QR code, null unless `fundable`. */
  readonly paymentUri: string | null;
  /** Whether it is new, complete, unexpired and without doubts: money may be sent there. */
  readonly fundable: boolean;
  /** Null for an order that was not created by swapctl. */
  readonly asked: AgreedAmounts | null;
  /** Empty for an order that was not created by swapctl. */
  readonly labels: Labels;
  readonly doubts: readonly string[];
  readonly profile: string;
  readonly environment: Environment;
};

/** What the ledger knows of a create; the status is null where no swap exists, and `unknown` where one may exist. */
export type LedgerSwap = Omit<SwapResult, 'status'> & { readonly status: string | null };

/** A swap, and when the service last described it so. */
export type SeenSwap = SwapResult & {
  /** RFC 3339, UTC; null if it was never seen. */
  readonly seenAt: string | null;
};

/** A line of `swapctl history`. */
export type HistoryResult = LedgerSwap & {
  readonly seenAt: string | null;
  readonly id: string;
  readonly outcome: Entry['outcome'];
  readonly reason: string | null;
  readonly requestedAt: string;
  readonly idempotencyKey: string | null;
};

/** The parts of an entry that lists show; without its request if there is a swap, which has all that is shown of it. */
export type ListedEntry = Pick<
  Entry,
  'id' | 'profile' | 'environment' | 'outcome' | 'reason' | 'order' | 'requestedAt' | 'seenAt'
> &
  Pick<Entry, 'request' | 'swap' | 'doubts' | 'refundAddress' | 'labels' | 'idempotencyKey'> & {
    readonly asked: AgreedAmounts | null;
  };

interface Known
  extends Pick<SwapResult, 'refundAddress' | 'profile' | 'environment' | 'asked' | 'labels' | 'doubts'> {
  /** False if the description is too old, or the order was never fundable. */
  readonly isCurrent: boolean;
  readonly now: number;
}

type SwapOrIntent = ShownSwap & Pick<SwapResult, 'statusCode'>;

/** Joins a swap with what else is known of it, keys in the order of docs/command-line/output.md#json. */
export function swapResult(swap: SwapOrIntent, known: Known): SwapResult {
  const { order, status, statusCode, final, type, deposit, receive } = swap;
  const { refundAddress, profile, environment, asked, labels, doubts, isCurrent, now } = known;
  const fundable = isCurrent && isFundable(swap, doubts, now);
  // Written out: keys that are copied by a list take a third of the time of a long CSV.
  return {
    order,
    status,
    statusCode,
    final,
    type,
    deposit,
    receive: {
      coin: receive.coin,
      name: receive.name,
      network: receive.network,
      amount: receive.amount,
      address: receive.address,
      memo: receive.memo,
      txId: receive.txId,
      paidAmount: receive.paidAmount,
      confirmations: receive.confirmations,
      fee: receive.fee,
      receivedAt: receive.receivedAt,
      confirmedAt: receive.confirmedAt,
    },
    refundAddress,
    riskScore: swap.riskScore,
    createdAt: swap.createdAt,
    startedAt: swap.startedAt,
    endedAt: swap.endedAt,
    duration: swap.duration,
    expiresAt: swap.expiresAt,
    paymentUri: fundable ? paymentUri(deposit) : null,
    fundable,
    asked,
    labels,
    doubts,
    profile,
    environment,
  };
}

function paymentUri({ coin, network, address, amount, memo }: Swap['deposit']): string | null {
  if (coin === null || network === null || address === null || amount === null) return null;
  return paymentUriOrAddress({ coin, network, address, amount, memo });
}

/** The amounts agreed: the deposit as sent, and the payout as first answered, or else as quoted. */
export function agreedAmounts({ request, first }: Pick<Entry, 'request' | 'first'>): AgreedAmounts | null {
  if (request === null) return null;
  const wanted = request.lastSource === 'receive' ? request.asked : null;
  return { deposit: request.amount, receive: first?.receive.amount ?? request.quoted ?? wanted };
}

/** Time for which a description of a swap counts as current if the end of its deposit window is unknown, in milliseconds. */
const MAX_UNCHECKED_MS = 10 * 60_000;

/** {@link recordedSwap} with the time at which it was last seen. */
export function lastObservedSwap(entry: Entry, now: number, since: number, latest?: number): SeenSwap {
  return { ...recordedSwap(entry, now, since, latest), seenAt: rfc3339OrNull(entry.seenAt) };
}

/**
 * The swap of an entry as it was last seen, as of the time that it is now; without an order the sides are the requested
 * ones. One last seen before `since` is not fundable, because it may have changed since then; nor one seen after `latest`:
 * the clock was set back, and no one knows how long ago that was. Times are milliseconds since 1970.
 */
export function recordedSwap(
  entry: Entry | ListedEntry,
  now: number,
  since = Number.NEGATIVE_INFINITY,
  latest = now + CLOCKS_DIFFER_MS,
) {
  const { swap, seenAt, outcome } = entry;
  const isRecent = seenAt !== null && now - seenAt <= MAX_UNCHECKED_MS;
  // The end of the window is read last: times of ended swaps took a tenth of a long list.
  const isCurrent =
    outcome === 'created' &&
    swap?.final !== true &&
    (seenAt ?? Number.NEGATIVE_INFINITY) >= since &&
    (seenAt ?? 0) <= latest &&
    (isRecent || wireTime(swap?.expiresAt ?? null) !== null);
  const { refundAddress, profile, environment, labels, doubts } = entry;
  const asked = 'asked' in entry ? entry.asked : agreedAmounts(entry);
  const known = { refundAddress, profile, environment, labels, asked, doubts, isCurrent, now };
  return swapResult(swap ?? intendedSwap(entry), known);
}

/** The swap of an entry as it was last seen, or what was requested. */
export function ledgerSwap(entry: Entry | ListedEntry, now: number): LedgerSwap {
  const swap = recordedSwap(entry, now);
  const hasStatus = entry.swap !== null || entry.outcome === 'unknown';
  return Object.assign(swap, { status: hasStatus ? swap.status : null });
}

export function historyResult(entry: Entry | ListedEntry, now: number): HistoryResult {
  return Object.assign(ledgerSwap(entry, now), {
    id: entry.id,
    outcome: entry.outcome,
    reason: entry.reason,
    requestedAt: rfc3339(entry.requestedAt),
    seenAt: rfc3339OrNull(entry.seenAt),
    idempotencyKey: entry.idempotencyKey,
  });
}

/** Sides about which nothing is known yet; that of the deposit in the order of docs/command-line/output.md#json. */
const UNKNOWN_TERMS = { coin: null, name: null, network: null, amount: null, address: null, memo: null };
const UNKNOWN_TIMES = { receivedAt: null, confirmedAt: null };
const UNKNOWN_DEPOSIT = { ...UNKNOWN_TERMS, txId: null, confirmations: null, ...UNKNOWN_TIMES, fee: null };
const UNKNOWN_PAYOUT = { ...UNKNOWN_DEPOSIT, paidAmount: null, paidTo: null };

function intendedSwap({ order, request }: Pick<Entry, 'order' | 'request'>): SwapOrIntent {
  const to = { address: request?.address ?? null, memo: request?.memo ?? null };
  return {
    order,
    status: 'unknown',
    statusCode: null,
    final: false,
    type: request?.type ?? null,
    deposit: { ...UNKNOWN_DEPOSIT, ...request?.deposit, amount: request?.amount ?? null },
    receive: { ...UNKNOWN_PAYOUT, ...request?.receive, ...to },
    riskScore: null,
    createdAt: null,
    startedAt: null,
    endedAt: null,
    duration: null,
    expiresAt: null,
  };
}
