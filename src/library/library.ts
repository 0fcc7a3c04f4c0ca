/*
 * What `import … from 'swapctl'` gives: the whole public surface, chosen name by name. Removing or renaming one is a
 * breaking change.
 */
export type { ErrorCode, Outcome } from '../base/errors.ts';
export { EXIT_CODES, SwapctlError } from '../base/errors.ts';
export type { Credentials } from '../core/partner-api/signature.ts';
export type { StatusMeaning, SwapStatus } from '../core/partner-api/statuses.ts';
export { listedStatuses, statusMeaning } from '../core/partner-api/statuses.ts';
export type {
  AcceptedAddress,
  AddressVerdict,
  RefusedAddress,
} from '../core/swap/addresses/parsed-address.ts';
export type { AmountVerdict, Decimal } from '../core/swap/amount.ts';
export type { Coin, RateType, Side } from '../core/swap/swap.ts';
export { authHeaders, checkAddress, checkAmount, checkDestination, compareDecimals, sign } from './checks.ts';
export { createSwapClient } from './swap-client.ts';
export type {
  CallOptions,
  CoinChoice,
  CoinNetworks,
  ConfirmedRefundAddress,
  CreatedSwap,
  CreateRequest,
  FollowOptions,
  LedgerClientOptions,
  LedgerCreatedSwap,
  LedgerCreateRequest,
  LedgerSwap,
  LedgerSwapClient,
  OpenSwap,
  QuoteRequest,
  RecordedSwap,
  RefundOptions,
  SwapClient,
  SwapClientOptions,
  SwapDescription,
  SwapEventOfLedger,
  SwapQuote,
  WaitOptions,
} from './types.ts';
