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

/** A coin with, perhaps, its network: the service's code or another name of it, such as `TRC20`. */
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
  /** Whose amount it is: the deposit's or the payout's. Default `deposit`. */
  readonly lastSource?: Side;
  /** Default `float`. */
  readonly type?: RateType;
}

/** A swap to be created. */
export interface CreateRequest extends QuoteRequest {
  /** Where the payout goes. */
  readonly address: string;
  readonly memo?: string | null;
  /** Says that the receiver needs no memo, where the network usually needs one. */
  readonly noMemo?: boolean;
  /** Where the deposit goes back to if the swap fails. */
  readonly refundAddress?: string | null;
  /** The least payout to accept; checked by the quote before anything is sent, and by the answer. */
  readonly minReceive?: Decimal | null;
}

/** A price. */
export interface SwapQuote extends Quote {
  /** When it was given: RFC 3339, UTC. */
  readonly at: string;
  readonly environment: Environment;
}

/** A swap, as `swapctl status --json` has it but for the keys that need a ledger. */
export interface SwapDescription extends Omit<Swap, 'receive'> {
  readonly receive: Omit<Swap['receive'], 'paidTo'>;
  /** As it was set at creation; null where that is not known, for the service does not say. */
  readonly refundAddress: string | null;
  /** Text of a QR code for the deposit; null unless `fundable`. */
  readonly paymentUri: string | null;
  /** Whether money may be sent: new, complete, unexpired and without doubts. */
  readonly fundable: boolean;
  /** Amounts agreed at creation; null where they are not known. */
  readonly asked: { readonly deposit: Decimal; readonly receive: Decimal | null } | null;
  /** Codes of what contradicts the agreement: docs/command-line/output.md#doubts. */
  readonly doubts: readonly string[];
  readonly environment: Environment;
}

/** A swap that was just created. */
export interface CreatedSwap extends SwapDescription {
  /**
   * What a person would be asked to accept, such as an address of a network whose rules are not known, or an order
   * that pays less than its quote.
   */
  readonly warnings: readonly string[];
}

/** A refund address that the service confirmed. */
export interface RefundAddressSet {
  readonly order: string;
  readonly refundAddress: string;
  /** The service's own words. */
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
  /** Ends the call with the code `interrupted`, or `outcome_unknown` once a create has been sent. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link SwapClient.waitFor}. */
export interface WaitOptions extends CallOptions {
  /** Statuses to wait for; an end of the swap is always waited for. One that passes between two polls is not seen. */
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
   * Reads a swap. Given the result of {@link create} or of an earlier read in place of the order number, it is compared
   * with that, and `doubts` says what has changed, now or at an earlier read.
   */
  status(order: string | SwapDescription, options?: CallOptions): Promise<SwapDescription>;
  /**
   * Polls a swap until it ends or has a status of `until`, and resolves with it as {@link status} does: check its
   * `status`, for a swap may end without the one you wait for. Failures that may pass are waited out, so pass a `signal`
   * such as `AbortSignal.timeout(3_600_000)` to limit the time.
   */
  waitFor(order: string | SwapDescription, options?: WaitOptions): Promise<SwapDescription>;
  /** Sets the address to which the deposit goes back if the swap fails, and checks that the service confirms it. */
  setRefundAddress(order: string, address: string, options?: CallOptions): Promise<RefundAddressSet>;
}
