import type { SavedAddress } from '../../settings/saved-addresses.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { Labels } from '../../swap/labels.ts';
import type { Asset, CoinOnNetwork, RateType, Side } from '../../swap/swap.ts';
import type { AskedSwap } from '../../swaps/check.ts';

/** Parsed flags and arguments of `create`; the wizard asks for those that are null. */
export interface CreateFlags {
  readonly from: CoinOnNetwork | null;
  readonly to: CoinOnNetwork | null;
  readonly amount: Decimal | null;
  readonly lastSource: Side | null;
  readonly type: RateType | null;
  readonly address: string | null;
  readonly memo: string | null;
  /** `--no-memo`: the receiver needs none, and that is known. */
  readonly memoWaived: boolean;
  readonly refundAddress: string | null;
  /** What `@name` stood for in `address`; null where the address itself was given. */
  readonly payoutSaved: SavedAddress | null;
  /** What `@name` stood for in `refundAddress`. */
  readonly refundSaved: SavedAddress | null;
  /** `--like`: the order whose terms fill what is not given. */
  readonly like: string | null;
  readonly minReceive: Decimal | null;
  /** Percent by which the payout may fall short of what was reviewed; null is the default of the rate type. */
  readonly tolerance: Decimal | null;
  readonly labels: Labels;
  readonly idempotencyKey: string | null;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** Null is as it is stored. */
  readonly qr: boolean | null;
  readonly watch: boolean;
  readonly exitStatus: boolean;
}

/** Flags in which nothing that a swap needs is left open. */
export type CompleteFlags = CreateFlags & AskedSwap;

/** Flags with both networks decided, as the wizard leaves them. */
export type GuidedFlags = CompleteFlags & { readonly from: Asset; readonly to: Asset };
