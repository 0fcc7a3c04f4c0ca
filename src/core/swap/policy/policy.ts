import type { Decimal } from '../amount.ts';
import type { CoinOnNetwork, RateType, Side } from '../swap.ts';

/** A payout or refund address that a policy allows. */
export interface AllowedAddress {
  /** Name under which it was saved; null for one that was written out. */
  readonly name: string | null;
  /** Null for any network on which the address is valid. */
  readonly network: string | null;
  readonly address: string;
  /** An address shared by many customers identifies one only with its memo; null is a payout without a memo. */
  readonly memo: string | null;
}

/** What a `suspend` rule concerns. */
export type Suspended =
  | { readonly coin: CoinOnNetwork }
  | { readonly network: string }
  | { readonly pair: readonly [from: CoinOnNetwork, to: CoinOnNetwork] };

/** A pause of swaps with a coin, network or pair, as a rule of a policy or set by `swapctl policy suspend`. */
export interface Suspension {
  readonly what: Suspended;
  /** Null for both sides. */
  readonly side: Side | null;
  /** Milliseconds since 1970; null until it is lifted. */
  readonly until: number | null;
  readonly reason: string | null;
}

/** One rule of a policy. Codes are canonical: coins in capitals, networks by swapctl's own name. Times are milliseconds. */
export type Rule =
  | {
      readonly kind: 'allow';
      readonly from: readonly CoinOnNetwork[] | null;
      readonly to: readonly CoinOnNetwork[] | null;
      readonly type: RateType | null;
    }
  | { readonly kind: 'payout'; readonly addresses: readonly AllowedAddress[]; readonly seen: number | null }
  | CapRule
  | { readonly kind: 'count'; readonly most: number; readonly per: number }
  | { readonly kind: 'open'; readonly most: number }
  | { readonly kind: 'require'; readonly parts: readonly string[] }
  | ApproveRule
  | ({ readonly kind: 'suspend' } & Suspension);

/** Limits the deposits of a coin, for one order or within a period. */
export interface CapRule {
  readonly kind: 'cap';
  readonly coin: CoinOnNetwork;
  readonly amount: Decimal;
  readonly per: 'order' | number;
  /** Key of the label whose values each have a separate limit; null for one limit. */
  readonly by: string | null;
}

/** Requires a signature by one of the named keys. */
export interface ApproveRule {
  readonly kind: 'approve';
  /** Null for every swap. */
  readonly coin: CoinOnNetwork | null;
  /** Deposits of more than this; null together with `coin`. */
  readonly above: Decimal | null;
  /** Public keys, `ed25519:<base64>`. */
  readonly by: readonly string[];
  readonly within: number;
}

/** Limits for unattended creates. */
export interface Policy {
  /** Milliseconds since 1970 from which the policy refuses everything; null for never. */
  readonly expires: number | null;
  readonly rules: readonly Rule[];
}

/** Names of the rules. */
export const RULE_KINDS = [
  'allow',
  'payout',
  'cap',
  'count',
  'open',
  'require',
  'approve',
  'suspend',
] as const;

export const POLICY_VERSION = 1;
