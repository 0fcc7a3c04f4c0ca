/** The status of a swap in one word; `unknown` means any code the API document does not list. */
export type SwapStatus =
  | 'new'
  | 'confirmation'
  | 'exchanging'
  | 'success'
  | 'overdue'
  | 'error'
  | 'refund'
  | 'pause'
  | 'frozen'
  | 'unknown';

export interface StatusMeaning {
  readonly status: SwapStatus;
  /** Whether no further change is expected. */
  readonly final: boolean;
  /** Whether the swap waits for a person at the service. */
  readonly needsPerson: boolean;
  /** One sentence for people. */
  readonly meaning: string;
}

/** The ten status codes of the API: docs/partner-api.md#status-codes. */
export const STATUS_CODES = {
  NEW: 9,
  CONFIRMATION: 1,
  EXCHANGING: 3,
  PAID_OUT: 12,
  SUCCESS: 4,
  OVERDUE: 5,
  ERROR: 6,
  PAUSE: 10,
  FROZEN: 11,
  REFUND: 13,
} as const;

const row = (status: SwapStatus, final: boolean, needsPerson: boolean, meaning: string): StatusMeaning => ({
  status,
  final,
  needsPerson,
  meaning,
});

const MEANINGS: ReadonlyMap<number, StatusMeaning> = new Map([
  [9, row('new', false, false, 'The service is waiting for the deposit.')],
  [1, row('confirmation', false, false, 'The deposit was seen and is being confirmed.')],
  [3, row('exchanging', false, false, 'The deposit is confirmed and being exchanged.')],
  [12, row('success', true, false, 'The payout was sent.')],
  [4, row('success', true, false, 'The payout was sent and confirmed.')],
  [5, row('overdue', true, false, 'No deposit arrived in time; do not fund it anymore.')],
  [6, row('error', true, false, 'The swap failed; ask the service for a refund.')],
  [10, row('pause', false, true, 'The service put the swap on hold; contact the service.')],
  [11, row('frozen', false, true, 'The service froze the swap; contact the service.')],
  [13, row('refund', true, false, 'The deposit was sent back to the refund address.')],
]);

const UNLISTED = row('unknown', false, false, 'A code that this version does not know; it is not final.');

/** Meaning of a status code; a code outside the list is `unknown` and not final. */
export function statusMeaning(code: number): StatusMeaning {
  return MEANINGS.get(code) ?? UNLISTED;
}

/** Every listed code with its meaning, in the order a swap goes through them. */
export function listedStatuses(): readonly (StatusMeaning & { readonly code: number })[] {
  return [...MEANINGS].map(([code, meaning]) => ({ code, ...meaning }));
}

/** `typeSwap` on the wire: 1 for a fixed rate, 2 for a floating one. */
export const TYPE_SWAP = { fixed: 1, float: 2 } as const;
