import type { SwapStatus } from '../core/partner-api/statuses.ts';
import type { Decimal } from '../core/swap/amount.ts';
import type { Coin, Environment, NetworkOfCoin, Quote, RateType, Side, Swap } from '../core/swap/swap.ts';

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

/** A quote as the service gave it, and when; amounts are decimal text with all their digits. */
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

/** A swap that was just created, with the warnings to read before it is paid. */
export interface CreatedSwap extends SwapDescription {
  /**
   * Warnings that a person would be asked to accept, such as an address on a network with unknown rules, or an order
   * that pays less than its quote.
   */
  readonly warnings: readonly string[];
}

/** A refund address that the service confirmed. */
export interface ConfirmedRefundAddress {
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
  setRefundAddress(order: string, address: string, options?: CallOptions): Promise<ConfirmedRefundAddress>;
}

/** Options of a client with a ledger. */
export interface LedgerClientOptions extends SwapClientOptions {
  /** A file path or a `postgres://` URL. The command line can use the same one: SWAPCTL_LEDGER. */
  readonly ledger: string;
  /** Name of the program in the audit chain. Default `library`. */
  readonly actor?: string;
  /** Requests per period that all programs of this key pair on the ledger share, such as `'60/60s'`. */
  readonly budget?: string;
}

/** A swap to create, once for each idempotency key. */
export interface LedgerCreateRequest extends CreateRequest {
  /**
   * Names this swap: the same request with the same key returns the swap that exists. Use your own identifier, such as
   * the number of an invoice, and the same one again after any failure.
   */
  readonly idempotencyKey?: string | null;
  /** Your own labels; they stay in the ledger. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Id of the approval that a policy requires. */
  readonly approval?: string | null;
}

/** A swap of the ledger, with what only the ledger knows: its labels and its profile. */
export interface LedgerSwap extends SwapDescription {
  readonly labels: Readonly<Record<string, string>>;
  readonly profile: string;
}

/** A swap that was created, or whose key had created it before. */
export interface LedgerCreatedSwap extends LedgerSwap, Pick<CreatedSwap, 'warnings'> {
  readonly replayed: boolean;
}

/** An open swap as it was last seen. */
export interface OpenSwap extends LedgerSwap {
  /** RFC 3339, UTC; null if it was never seen. */
  readonly seenAt: string | null;
  /** Milliseconds since then. */
  readonly ageMs: number | null;
}

/** A line of `swapctl history --json`: a swap, or a create without a known order. Times are RFC 3339, null for never. */
export interface RecordedSwap extends Omit<LedgerSwap, 'order' | 'status' | 'statusCode'> {
  /** Id of the entry. */
  readonly id: string;
  readonly outcome: 'created' | 'unknown' | 'refused' | 'not-sent' | 'dismissed';
  readonly reason: string | null;
  readonly order: string | null;
  readonly status: string | null;
  readonly statusCode: number | null;
  readonly requestedAt: string;
  readonly seenAt: string | null;
  readonly idempotencyKey: string | null;
}

/** A change of a swap, as `swapctl events show --json` has it. */
export interface SwapEventOfLedger {
  /** `evt_…`; the same in every attempt to deliver it. */
  readonly id: string;
  /** `swap.<status>`, `swap.doubtful`, `create.unknown`, `approval.requested` or `approval.granted`. */
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Counts the events of its swap from 1, without a gap. */
  readonly sequence: number;
  /** Null if no order is known. */
  readonly order: string | null;
  readonly profile: string;
  readonly environment: Environment;
  readonly data: { readonly swap: LedgerSwap } | { readonly request: object | null };
  readonly previous: { readonly status: string; readonly statusCode: number } | null;
}

/** Options of {@link LedgerSwapClient.follow}. */
export interface FollowOptions {
  /** The name of the program in the attempts to deliver an event. */
  readonly name: string;
  /** Types to deliver, with `*` for any letters, such as `['swap.*']`. Default: all. */
  readonly events?: readonly string[];
  /** Ends following, after the delivery in progress. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link LedgerSwapClient.setRefundAddress}. */
export interface RefundOptions extends CallOptions {
  /** Id of the approval that a policy requires. */
  readonly approval?: string | null | undefined;
}

/**
 * A client whose swaps are recorded in a ledger, with the safety of the command line: keys that create once, the policy
 * of the key pair, and a comparison of every later state with what was agreed. Every method throws `storage_failed`
 * before anything is sent if the ledger cannot be used.
 */
export interface LedgerSwapClient
  extends Omit<SwapClient, 'create' | 'status' | 'waitFor' | 'setRefundAddress'> {
  /**
   * Creates a swap once. The same request with the same `idempotencyKey` returns it with `replayed: true`, or throws
   * `outcome_unknown` while it is unknown whether an order exists. Also throws `policy_refused`, `stopped`, and
   * `approval_required` with `details.approval`.
   */
  create(request: LedgerCreateRequest, options?: CallOptions): Promise<LedgerCreatedSwap>;
  /** Reads a swap, compares it with what was agreed, and records what was seen. */
  status(order: string | SwapDescription, options?: CallOptions): Promise<LedgerSwap>;
  /** Polls a swap until it ends or has a status of `until`, as {@link status} does. */
  waitFor(order: string | SwapDescription, options?: WaitOptions): Promise<LedgerSwap>;
  /** Sets the refund address under the policy, and checks that the service confirms it. */
  setRefundAddress(order: string, address: string, options?: RefundOptions): Promise<ConfirmedRefundAddress>;
  /**
   * Polls every open swap of this key pair, those of other programs too, and calls `handle` with each event: in order for
   * each swap, at least once, over restarts. Returning means delivered; throwing is tried again later, as webhooks are.
   * Each event goes to one of the programs and `swapctl listen` commands that deliver. Ends once `signal` is aborted.
   */
  follow(handle: (event: SwapEventOfLedger) => unknown, options: FollowOptions): Promise<void>;
  /**
   * The swaps of this key pair with a fact, newest first; none for `[]`. A fact is an order number, the id of an entry, an
   * idempotency key, an address, a memo, a transaction id or its first 8 characters or more, or `label=value`. Sends no
   * request.
   */
  find(fact: string, options?: CallOptions): Promise<readonly RecordedSwap[]>;
  /** The open swaps of this key pair, as last seen. Sends no request. */
  open(options?: CallOptions): Promise<readonly OpenSwap[]>;
  /** Settles an unknown outcome by its entry's id, with the order that a person found, or as dismissed. */
  resolve(
    id: string,
    outcome: { readonly order: string } | { readonly dismissed: true },
    options?: CallOptions,
  ): Promise<RecordedSwap>;
  /** Ends `follow` and `waitFor`, waits for the other calls, and closes the ledger; the next call opens it again. */
  close(): Promise<void>;
}
