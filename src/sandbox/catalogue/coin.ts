import type { Decimal } from '../../swap/amount.ts';

/** A coin on one network. */
export interface SandboxAsset {
  readonly coin: string;
  readonly network: string;
  /** Decimals of the smallest unit on this network. */
  readonly decimals: number;
  /** Whether it can be sent to the service. */
  readonly deposit: boolean;
  /** Whether the service can pay it out. */
  readonly receive: boolean;
  readonly memoNeeded: boolean;
  /** Confirmations until a deposit counts. */
  readonly confirmations: number;
  /** Shown in the order but never charged; in units of the coin. */
  readonly depositFee: Decimal;
  /** Subtracted from the payout; in units of the coin. */
  readonly payoutFee: Decimal;
}

/** A coin with its networks; the first one is the default. */
export interface SandboxCoin {
  readonly code: string;
  readonly name: string;
  readonly image: string;
  /** Anchor price in US dollars; the sandbox's price moves around it. */
  readonly usd: Decimal;
  readonly assets: readonly SandboxAsset[];
}
