/**
 * An address that a payout or refund may be sent to, once its warnings have been answered with yes.
 * `network` is the canonical code, `canonical` the text to send to the service, each warning one full sentence,
 * `tag` what an X-address holds, `memoId` what an M-address holds; `verified` is false where swapctl knows no rule.
 * `unspendable` marks a correct address that nobody holds the key of: it may be described, but not paid.
 */
export interface AcceptedAddress {
  readonly ok: true;
  readonly network: string;
  readonly kind: string;
  readonly testnet: boolean;
  readonly canonical: string;
  readonly warnings: readonly string[];
  readonly tag?: string;
  readonly memoId?: string;
  readonly verified: boolean;
  readonly unspendable?: true;
}

/** An address that must not be paid; `reason` is a full sentence that never repeats the address. */
export interface RefusedAddress {
  readonly ok: false;
  readonly network: string;
  readonly reason: string;
  readonly expected?: string;
  /** It looks like a key or a seed, and must not be shown. */
  readonly secret?: true;
}

/** What `checkAddress` answers. */
export type AddressVerdict = AcceptedAddress | RefusedAddress;
