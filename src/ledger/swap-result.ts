import type { Environment, Swap } from '../swap/swap.ts';
import type { Entry } from './entry.ts';

/** A swap as swapctl shows it: what the service says, and what only the ledger knows. */
export type SwapResult = Omit<Swap, 'order' | 'statusCode'> & {
  /** Null only where no order is known to exist, as `statusCode` is. */
  readonly order: string | null;
  readonly statusCode: number | null;
  readonly refundAddress: string | null;
  readonly profile: string;
  readonly environment: Environment;
};

/** A line of `swapctl history`. */
export type HistoryResult = SwapResult & {
  readonly outcome: Entry['outcome'];
  /** RFC 3339, UTC. */
  readonly requestedAt: string;
  readonly seenAt: string | null;
  readonly idempotencyKey: string | null;
};

type SwapOrIntent = Omit<SwapResult, 'refundAddress' | 'profile' | 'environment'>;

/** Joins a swap with its refund address and its profile, keys in the order of the contract. */
export function swapResult(
  swap: SwapOrIntent,
  known: {
    readonly refundAddress: string | null;
    readonly profile: string;
    readonly environment: Environment;
  },
): SwapResult {
  const { order, status, statusCode, final, type, deposit, receive, ...rest } = swap;
  const { refundAddress, profile, environment } = known;
  return {
    ...{ order, status, statusCode, final, type },
    deposit: pick(deposit, DEPOSIT_KEYS),
    receive: pick(receive, RECEIVE_KEYS),
    refundAddress,
    riskScore: rest.riskScore,
    createdAt: rest.createdAt,
    startedAt: rest.startedAt,
    endedAt: rest.endedAt,
    duration: rest.duration,
    profile,
    environment,
  };
}

/** A ledger entry as history shows it; without an order the sides are those that were asked for. */
export function historyResult(entry: Entry): HistoryResult {
  return {
    ...swapResult(entry.swap ?? intendedSwap(entry), entry),
    outcome: entry.outcome,
    requestedAt: new Date(entry.requestedAt).toISOString(),
    seenAt: entry.seenAt === null ? null : new Date(entry.seenAt).toISOString(),
    idempotencyKey: entry.idempotencyKey,
  };
}

const NOTHING = {
  name: null,
  txId: null,
  confirmations: null,
  receivedAt: null,
  confirmedAt: null,
  fee: null,
};

function intendedSwap({ order, request }: Entry): SwapOrIntent {
  const amount = request?.amount ?? null;
  return {
    order,
    status: 'unknown',
    statusCode: null,
    final: false,
    type: request?.type ?? null,
    deposit: {
      ...NOTHING,
      coin: request?.deposit.coin ?? null,
      network: request?.deposit.network ?? null,
      amount,
      address: null,
      memo: null,
    },
    receive: {
      ...NOTHING,
      coin: request?.receive.coin ?? null,
      network: request?.receive.network ?? null,
      amount: null,
      address: request?.address ?? null,
      memo: request?.memo ?? null,
      paidAmount: null,
    },
    riskScore: null,
    createdAt: null,
    startedAt: null,
    endedAt: null,
    duration: null,
  };
}

const DEPOSIT_KEYS = [
  'coin',
  'name',
  'network',
  'amount',
  'address',
  'memo',
  'txId',
  'confirmations',
  'receivedAt',
  'confirmedAt',
  'fee',
] as const;

const RECEIVE_KEYS = [
  'coin',
  'name',
  'network',
  'amount',
  'address',
  'memo',
  'txId',
  'paidAmount',
  'confirmations',
  'fee',
  'receivedAt',
  'confirmedAt',
] as const;

function pick<T extends object, K extends keyof T>(source: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, source[key]])) as Pick<T, K>;
}
