import type { SwapStatus } from '../partner-api/statuses.ts';
import type { Decimal } from '../swap/amount.ts';
import type { Coin, Environment, NetworkOfCoin, Quote, RateType, Side, Swap } from '../swap/swap.ts';

/** Where a client connects and with which key pair. */
export interface SwapClientOptions {
  /** `https:`, or `http:` on a loopback host; without `/api/private`. */
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secret: string;
  /** Limit of one request in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
}

/** A coin, optionally with its network: the service's code or another name for it, such as `TRC20`. */
export interface CoinChoice {
  readonly coin: string;
  readonly network?: string | null;
}

/** A pair, an amount and how it is to be priced. */
export interface QuoteRequest {
  readonly from: CoinChoice;
  readonly to: CoinChoice;
  /** Plain decimal text such as `'0.1'`; a number is refused. */
  readonly amount: Decimal;
  /** Whether the amount is the deposit or the payout. Default `deposit`. */
  readonly lastSource?: Side;
  /** Default `float`. */
  readonly type?: RateType;
}

/** A swap to create. */
export interface CreateRequest extends QuoteRequest {
  /** Payout address. */
  readonly address: string;
  readonly memo?: string | null;
  /** Confirms that the recipient needs no memo, although the network usually does. */
  readonly noMemo?: boolean;
  /** Address for a refund if the swap fails. */
  readonly refundAddress?: string | null;
  /** The lowest payout to accept; checked with the quote before anything is sent, and with the response. */
  readonly minReceive?: Decimal | null;
}

/** A price. */
export interface SwapQuote extends Quote {
  /** When it was given: RFC 3339, UTC. */
  readonly at: string;
  readonly environment: Environment;
}

/** A swap, as in `swapctl status --json` but without the keys that need a ledger. */
export interface SwapDescription extends Omit<Swap, 'receive'> {
  readonly receive: Omit<Swap['receive'], 'paidTo'>;
  /** As set at creation; null if unknown, because the service does not return it. */
  readonly refundAddress: string | null;
  /** Text of a QR code for the deposit; null unless `fundable`. */
  readonly paymentUri: string | null;
  /** Whether money may be sent: new, complete, unexpired and without doubts. */
  readonly fundable: boolean;
  /** Amounts agreed at creation; null if unknown. */
  readonly asked: { readonly deposit: Decimal; readonly receive: Decimal | null } | null;
  /** Codes of what contradicts the agreement: docs/command-line/output.md#doubts. */
  readonly doubts: readonly string[];
  readonly environment: Environment;
}

/** A swap that was just created. */
export interface CreatedSwap extends SwapDescription {
  /**
   * Warnings that a person would be asked to accept, such as an address on a network with unknown rules, or an order
   * that pays less than its quote.
   */
  readonly warnings: readonly string[];
}

/** A refund address that the service confirmed. */
export interface RefundAddressSet {
  readonly order: string;
  readonly refundAddress: string;
  /** The service's message. */
  readonly message: string | null;
  readonly environment: Environment;
  readonly warnings: readonly string[];
}

/** The networks of one coin. */
export interface CoinNetworks {
  readonly coin: string;
  readonly networks: readonly NetworkOfCoin[];
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call with the code `interrupted`, or `outcome_unknown` once a create has been sent. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link SwapClient.waitFor}. */
export interface WaitOptions extends CallOptions {
  /** Statuses to wait for, in addition to any final one. A status that comes and goes between two polls is missed. */
  readonly until?: SwapStatus | readonly SwapStatus[] | undefined;
}

/** Client of a swap service. Every method throws {@link SwapctlError}, with the code that the command would have. */
export interface SwapClient {
  /** Every coin of the service with its networks. */
  coins(options?: CallOptions): Promise<readonly Coin[]>;
  /** The networks on which a coin can be deposited and received. */
  networks(coin: string, options?: CallOptions): Promise<CoinNetworks>;
  /** The price of an amount. */
  quote(request: QuoteRequest, options?: CallOptions): Promise<SwapQuote>;
  /**
   * Creates a swap after checking coins, amount, addresses and memo and asking for a price. It is sent once: with the
   * code `outcome_unknown` an order may exist, and the call must not simply be repeated. Nothing is stored: keep the
   * result.
   */
  create(request: CreateRequest, options?: CallOptions): Promise<CreatedSwap>;
  /**
   * Reads a swap. Pass the result of {@link create} or of an earlier read instead of the order number, and the swap is
   * compared with it: `doubts` lists what has changed, now or at an earlier read.
   */
  status(order: string | SwapDescription, options?: CallOptions): Promise<SwapDescription>;
  /**
   * Polls a swap until it ends or has a status of `until`, and resolves with it as {@link status} does. Check its
   * `status`, because a swap may end without the one you wait for. Temporary failures are retried, so pass a `signal`
   * such as `AbortSignal.timeout(3_600_000)` to limit the time.
   */
  waitFor(order: string | SwapDescription, options?: WaitOptions): Promise<SwapDescription>;
  /** Sets the refund address, and checks that the service confirms it. */
  setRefundAddress(order: string, address: string, options?: CallOptions): Promise<RefundAddressSet>;
}
