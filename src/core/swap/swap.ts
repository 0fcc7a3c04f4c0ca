import type { Decimal } from './amount.ts';
import { looksSecret } from './secret-forms.ts';

export type RateType = 'fixed' | 'float';

/** Where a swap happens: `live` moves real money, `sandbox` does not. */
export type Environment = 'sandbox' | 'live';

/** A coin with an optional network; `null` leaves the network to the service. */
export interface CoinOnNetwork {
  readonly coin: string;
  readonly network: string | null;
}

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

/** One network of a coin, on both sides. */
export interface NetworkOfCoin {
  readonly network: string;
  readonly deposit: boolean;
  readonly receive: boolean;
  /** Null if the coin list does not say. */
  readonly memoRequired: boolean | null;
  /** Other names that mean this network as input. */
  readonly aliases: readonly string[];
}

/** A quote as the service gave it; amounts keep all their digits. */
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
  /** Null if the service has no maximum. */
  readonly max: Decimal | null;
  /** Fee of the payout where the service states one, which the API document does not provide for; its coin is not stated. */
  readonly fee: Decimal | null;
}

/** One side of a swap; values that the service has not given are null. */
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
  /** Time at which the transaction was first seen, in the service's text. */
  readonly receivedAt: string | null;
  /** Time of its first confirmation, in the service's text. */
  readonly confirmedAt: string | null;
}

/** A field of a swap that an agreement covers, as its path in {@link Swap}. */
export type AgreedField =
  | 'type'
  | `deposit.${'coin' | 'network' | 'amount' | 'address' | 'memo' | 'txId'}`
  | `receive.${'coin' | 'network' | 'amount' | 'address' | 'memo' | 'txId' | 'paidAmount' | 'paidTo'}`;

/** A swap as the service last described it; times are the service's text. */
export interface Swap {
  readonly order: string;
  readonly status: string;
  readonly statusCode: number;
  readonly final: boolean;
  readonly type: RateType | null;
  readonly deposit: SwapSide;
  readonly receive: SwapSide & {
    readonly paidAmount: Decimal | null;
    /** Address in the payout's transaction. */
    readonly paidTo: string | null;
  };
  readonly riskScore: Decimal | null;
  readonly createdAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly duration: string | null;
  /** End of the deposit window, if the service reports it. */
  readonly expiresAt: string | null;
  /** Fields that the service sent in an unreadable form; they are null here. Absent if there are none. */
  readonly unreadable?: readonly AgreedField[];
}

/** A side of a swap, what is deposited or what is received; as `lastSource` the one whose amount was fixed. */
export type Side = 'deposit' | 'receive';

/** A coin with its network decided. */
export interface Asset {
  readonly coin: string;
  readonly network: string;
}

/** Parameters of a new swap; once it is priced, `amount` is that of the deposit, whichever side was fixed. */
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

/** An environment as people are shown it: `LIVE` in capitals, since there real money moves. */
export function environmentWord(environment: Environment): 'LIVE' | 'sandbox' {
  return environment === 'live' ? 'LIVE' : 'sandbox';
}

/** Allowed form of coin and network codes: anything printable but a space and the colon between the two. */
const CODE = /^[!-9;-~]{1,40}$/;

/** A chain id by CAIP-2 such as `eip155:56`: the only network with a colon in it. */
const CHAIN_ID = /^eip155:[1-9][0-9]{0,15}$/i;

/** Parses a coin as typed, `COIN` or `COIN:NETWORK` in any case; null if it has neither form. */
export function parseCoinRef(text: string): CoinOnNetwork | null {
  const [coin = '', ...rest] = text.split(':');
  if (!CODE.test(coin)) return null;
  if (rest.length === 0) return { coin, network: null };
  const network = rest.join(':');
  return CODE.test(network) || CHAIN_ID.test(network) ? { coin, network } : null;
}

/** A coin with its network for people and flags: `USDT:TRX`, or `BTC` alone. */
export function coinLabel(ref: CoinOnNetwork): string {
  return ref.network === null ? ref.coin : `${ref.coin}:${ref.network}`;
}

/** Whether a reference has both capitals and small letters, by which alone it may differ from another coin. */
export function hasMixedCase({ coin, network }: CoinOnNetwork): boolean {
  return [coin, network ?? ''].some((code) => code !== code.toUpperCase() && code !== code.toLowerCase());
}

/** Whether a text has the form of an order number: opaque, but one plain word, and no key, which would be sent. */
export function isOrderForm(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text) && !looksSecret(text);
}
