/**
 * An address that may receive a payout or refund, once the person has confirmed its warnings. `network` is the
 * canonical code, `canonical` the text to send to the service, each warning one full sentence, `tag` the tag of an
 * X-address, `memoId` the id of an M-address; `verified` is false where swapctl knows no rule. `unspendable` marks a
 * correct address without a key: it may be described, but not paid.
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
  /** Whether it looks like a key or a seed, and must not be shown. */
  readonly secret?: true;
}

/** Result of `checkAddress`. */
export type AddressVerdict = AcceptedAddress | RefusedAddress;
