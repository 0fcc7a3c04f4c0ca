import type { AgreedTerms, Agreement } from '../../../src/core/swap/agreement/agreed.ts';
import type { Swap, SwapSide } from '../../../src/core/swap/swap.ts';

export const BTC = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
export const OTHER_BTC = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
export const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
export const OTHER_XRP = 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH';

/** What was asked for: 0.1 BTC for XRP. */
export const TERMS: AgreedTerms = {
  deposit: { coin: 'BTC', network: 'BTC' },
  receive: { coin: 'XRP', network: 'XRP' },
  amount: '0.1',
  type: 'float',
  address: XRP,
  memo: '12345',
  refundAddress: null,
  quoted: '2500',
  minReceive: null,
  leastReceive: null,
  depositMemoNeeded: false,
};
const NOTHING = { txId: null, confirmations: null, receivedAt: null, confirmedAt: null, fee: null };
/** The swap as it was agreed. */
export const SWAP: Swap = {
  order: 'KQWZPA',
  status: 'new',
  statusCode: 9,
  final: false,
  type: 'float',
  riskScore: null,
  deposit: {
    ...NOTHING,
    coin: 'BTC',
    name: 'Bitcoin',
    network: 'BTC',
    amount: '0.1',
    address: BTC,
    memo: null,
  },
  receive: {
    ...NOTHING,
    coin: 'XRP',
    name: 'XRP',
    network: 'XRP',
    amount: '2500',
    address: XRP,
    memo: '12345',
    paidAmount: null,
    paidTo: null,
  },
  createdAt: null,
  startedAt: null,
  endedAt: null,
  duration: null,
  expiresAt: null,
};

/** Before the service has described the swap. */
export const AT_CREATE: Agreement = { terms: TERMS, first: null, furthest: null, environment: 'live' };
/** After the service has described it. */
export const LATER: Agreement = { ...AT_CREATE, first: SWAP, furthest: 'new' };

/** What a service describes otherwise. */
export interface Change {
  readonly deposit?: Partial<SwapSide>;
  readonly receive?: Partial<Swap['receive']>;
  readonly swap?: Partial<Swap>;
}

/** The swap with a change. */
export const changed = ({ deposit, receive, swap }: Change): Swap => ({
  ...SWAP,
  ...swap,
  deposit: { ...SWAP.deposit, ...deposit },
  receive: { ...SWAP.receive, ...receive },
});
