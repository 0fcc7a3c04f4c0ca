import type { SwapRequest } from '../../../src/core/swap/swap.ts';
import type { SwapInput, UnpricedSwap } from '../../../src/core/swaps/check.ts';

const TERMS = {
  amount: '0.1',
  lastSource: 'deposit',
  type: 'float',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  memo: null,
  refundAddress: null,
} as const;

/** A create of 0.1 BTC to ETH. */
export const CREATE = {
  deposit: { coin: 'BTC', network: 'BTC' },
  receive: { coin: 'ETH', network: 'ETH' },
  ...TERMS,
} as const satisfies SwapRequest;

/** The same create before it is priced. */
export const UNPRICED: UnpricedSwap = {
  request: CREATE,
  minReceive: null,
  tolerance: '1',
  warnings: [],
  depositMemoNeeded: false,
};

/** The same create as a person asks for it. */
export const ASKED: SwapInput = {
  from: { coin: 'BTC', network: null },
  to: { coin: 'ETH', network: null },
  ...TERMS,
  memoWaived: false,
  minReceive: null,
  tolerance: null,
};
