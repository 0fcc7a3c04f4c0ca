import type { Decimal } from '../../../swap/amount.ts';
import type { CoinOnNetwork, RateType, Side } from '../../../swap/swap.ts';

/** A swap as it is asked for, with nothing left open but networks and the defaults of the checks. */
export interface AskedSwap {
  readonly from: CoinOnNetwork;
  readonly to: CoinOnNetwork;
  /** The amount of the side that `lastSource` names. */
  readonly amount: Decimal;
  readonly lastSource: Side;
  readonly type: RateType;
  readonly address: string;
  readonly memo: string | null;
  /** The receiver needs no memo, and that is known. */
  readonly memoWaived: boolean;
  readonly refundAddress: string | null;
  readonly minReceive: Decimal | null;
  /** Percent by which the payout may fall short of what was reviewed; null is the default of the rate type. */
  readonly tolerance: Decimal | null;
}
