import { PLAIN } from '../../../../src/cli/terminal/style.ts';
import type { Frame, WatchedSwap } from '../../../../src/cli/views/live/frame.ts';
import { liveFrame } from '../../../../src/cli/views/live/live.ts';
import type { SwapResult } from '../../../../src/core/ledger/swap-result.ts';
import { statusMeaning } from '../../../../src/core/partner-api/statuses.ts';
import { SWAP } from '../../../core/swap/agreed-swap.ts';

/** The moment of every frame. */
export const NOW = Date.parse('2026-01-31T12:00:00.000Z');

const NOTHING = {
  name: null,
  address: null,
  memo: null,
  txId: null,
  confirmations: null,
  fee: null,
  receivedAt: null,
  confirmedAt: null,
};

const NEW: SwapResult = {
  ...SWAP,
  deposit: { ...NOTHING, coin: 'BTC', network: 'BTC', amount: '0.1', address: 'tb1qexample' },
  receive: { ...NOTHING, coin: 'USDT', network: 'TRX', amount: '9480.965', paidAmount: null },
  refundAddress: null,
  paymentUri: null,
  fundable: true,
  asked: null,
  labels: {},
  doubts: [],
  profile: 'sandbox',
  environment: 'sandbox',
};

/** What a test says of a swap; the rest is that of a new one. */
export interface Said extends Partial<Omit<SwapResult, 'deposit' | 'receive'>> {
  readonly deposit?: Partial<SwapResult['deposit']>;
  readonly receive?: Partial<SwapResult['receive']>;
}

/** A swap in a status. */
export function swapIn(status: string, { deposit, receive, ...said }: Said = {}): SwapResult {
  const statusCode =
    [9, 1, 3, 4, 5, 6, 10, 11, 13].find((code) => statusMeaning(code).status === status) ?? 99;
  const { final } = statusMeaning(statusCode);
  return {
    ...NEW,
    status,
    statusCode,
    final,
    fundable: status === 'new',
    ...said,
    deposit: { ...NEW.deposit, ...deposit },
    receive: { ...NEW.receive, ...receive },
  };
}

/** A swap that was seen so many seconds before {@link NOW}. */
export function watched(
  swap: SwapResult,
  secondsAgo = 0,
  confirmationsNeeded: number | null = null,
): WatchedSwap {
  const seenAt = NOW - secondsAgo * 1000;
  return { order: swap.order ?? '', swap, seenAt, gone: null, confirmationsNeeded };
}

/** The time so many seconds after {@link NOW}, as the service writes it. */
export function inSeconds(seconds: number): string {
  return new Date(NOW + seconds * 1000).toISOString();
}

/** The lines of a frame without colour. */
export function linesAt(
  width: number,
  swaps: readonly WatchedSwap[],
  frame: Partial<Frame> = {},
): readonly string[] {
  return liveFrame({ swaps, missed: null, now: NOW, width, height: 24, style: PLAIN, ...frame }).lines;
}
