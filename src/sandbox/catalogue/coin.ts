import type { Decimal } from '../../swap/amount.ts';

/** A coin on one network. */
export interface SandboxAsset {
  readonly coin: string;
  readonly network: string;
  /** Decimals of the smallest unit on this network. */
  readonly decimals: number;
  /** Can be sent to the service. */
  readonly deposit: boolean;
  /** Can be paid out by the service. */
  readonly receive: boolean;
  readonly memoNeeded: boolean;
  /** Confirmations until a deposit counts. */
  readonly confirmations: number;
  /** Told in the order, charged nowhere; in the coin itself. */
  readonly depositFee: Decimal;
  /** Subtracted from what is received; in the coin itself. */
  readonly payoutFee: Decimal;
}

/** A coin with its networks; the first one is the default. */
export interface SandboxCoin {
  readonly code: string;
  readonly name: string;
  readonly image: string;
  /** Anchor price in US dollars, around which the sandbox's price moves. */
  readonly usd: Decimal;
  readonly assets: readonly SandboxAsset[];
}
