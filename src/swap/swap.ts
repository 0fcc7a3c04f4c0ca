import type { Decimal } from './amount.ts';

/** Fixed or floating rate. */
export type RateType = 'fixed' | 'float';

/** Whether real money moves. */
export type Environment = 'sandbox' | 'live';

/** A coin, perhaps on a named network; `null` leaves the network to the service. */
export interface CoinOnNetwork {
  readonly coin: string;
  readonly network: string | null;
}

/** One network of a coin on one side of a swap. */
export interface CoinNetwork {
  readonly network: string;
  readonly memoRequired: boolean;
}

/** A coin with the networks on which it can be deposited and received. */
export interface Coin {
  readonly code: string;
  readonly name: string;
  readonly image: string | null;
  readonly deposit: readonly CoinNetwork[];
  readonly receive: readonly CoinNetwork[];
}

/** The price of a pair as the service gave it; amounts digit for digit. */
export interface Quote {
  readonly pair: string;
  readonly type: RateType;
  readonly lastSource: Side;
  readonly from: CoinOnNetwork;
  readonly to: CoinOnNetwork;
  readonly amount: Decimal;
  readonly receive: Decimal;
  readonly rate: Decimal;
  readonly min: Decimal;
  /** Null where the service names no largest amount. */
  readonly max: Decimal | null;
}

/** One side of a swap; null is what the service has not said. */
export interface SwapSide {
  readonly coin: string | null;
  readonly name: string | null;
  readonly network: string | null;
  readonly amount: Decimal | null;
  readonly address: string | null;
  readonly memo: string | null;
  readonly txId: string | null;
  readonly confirmations: number | null;
  /** Network fee in the side's coin. */
  readonly fee: Decimal | null;
  /** When the transaction was first seen, as the service wrote it. */
  readonly receivedAt: string | null;
  /** When it got its first confirmation, as the service wrote it. */
  readonly confirmedAt: string | null;
}

/** A swap as the service last described it; times are the service's own text. */
export interface Swap {
  readonly order: string;
  readonly status: string;
  readonly statusCode: number;
  readonly final: boolean;
  readonly type: RateType | null;
  readonly deposit: SwapSide;
  readonly receive: SwapSide & {
    readonly paidAmount: Decimal | null;
    /** Address of the payout's own transaction; missing in what an older version recorded. */
    readonly paidTo?: string | null;
  };
  readonly riskScore: Decimal | null;
  readonly createdAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly duration: string | null;
  /** When the deposit window ends, where the service says so; missing in what an older version recorded. */
  readonly expiresAt?: string | null;
}

/** Which of the two amounts the customer fixed: what is sent, or what is received. */
export type Side = 'deposit' | 'receive';

/** A coin with its network decided. */
export interface Asset {
  readonly coin: string;
  readonly network: string;
}

/** Everything that a new swap needs; `depositAmount` is always the deposit's amount on the wire. */
export interface SwapRequest {
  readonly deposit: Asset;
  readonly receive: Asset;
  readonly amount: Decimal;
  readonly lastSource: Side;
  readonly type: RateType;
  readonly address: string;
  readonly memo: string | null;
  readonly refundAddress: string | null;
}
