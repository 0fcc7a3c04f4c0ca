import type { JsonNumber } from './json.ts';

export interface WireCoinNetwork {
  readonly subName: string;
  readonly memoNeeded: boolean;
}

/** One coin of the coin list; `networks` has the key of the listing asked for. */
export interface WireCoin {
  readonly image: string;
  readonly subName: string;
  readonly name: string;
  readonly networks:
    | { readonly deposits: readonly WireCoinNetwork[] }
    | { readonly withdraws: readonly WireCoinNetwork[] };
}

/** Answer of get-all-coins: `depositCoins` for method 1, `withdrawCoins` for method 2. */
export type WireCoinList = {
  readonly pagination: { readonly pageCount: number; readonly totalCount: number };
} & ({ readonly depositCoins: readonly WireCoin[] } | { readonly withdrawCoins: readonly WireCoin[] });

/** Answer of get-coin-network. */
export interface WireCoinNetworks {
  readonly deposit: readonly { readonly subName: string }[];
  readonly withdraws: readonly { readonly subName: string }[];
}

/** An amount in an answer: a JSON number with all its digits, or the same as text. */
export type WireAmount = JsonNumber | string;

/** Answer of exchange-coin. */
export interface WireQuote {
  readonly pair: string;
  readonly amount: WireAmount;
  readonly exchangeRate: WireAmount;
  readonly receive: WireAmount;
  readonly minAmount: WireAmount;
  readonly maxAmount: WireAmount;
}

/** One side of a swap on the wire. */
export interface WireSide {
  readonly coin: {
    readonly name: string;
    readonly value: WireAmount;
    readonly network: string;
    readonly fullName: string;
  };
  readonly address: string;
  readonly memo: string;
}

/**
 * Answer of get-transaction and, without `createdAt`, of create-transaction. Empty strings and nulls are unknown
 * values.
 */
export interface WireTransaction {
  readonly type: { readonly typeSwap: number };
  readonly pairs: { readonly deposit: WireSide; readonly receive: WireSide };
  readonly receiveTransaction: {
    readonly txId: string;
    readonly address: string;
    readonly receivedTime: string;
    readonly gettingInTheBlock: string;
    readonly amount: WireAmount | null;
    readonly confirmation: number | null;
    readonly fees: WireAmount | null;
  };
  readonly fees: { readonly feeNodeDeposit: WireAmount };
  readonly swapTime: { readonly start: string; readonly end: string; readonly duration: string };
  readonly orderNumber: string;
  readonly status: number;
  readonly txId: string;
  readonly riskScore: JsonNumber | null;
  readonly receivedTime: string;
  readonly gettingInTheBlock: string;
  readonly confirmation: number | null;
  readonly createdAt?: string | undefined;
  /** Time at which a new order expires. Not in the API document, but some services send it. */
  readonly expiredAt?: string | undefined;
}

/** Answer of update-refund-address. */
export interface WireRefundUpdate {
  readonly message: string;
  readonly orderNumber: string;
  readonly newRefundAddress: string;
}

/** Body of an error answer; validation errors carry `error` and a list of messages. */
export interface WireError {
  readonly statusCode: number;
  readonly message: string | readonly string[];
  readonly error?: string;
}
