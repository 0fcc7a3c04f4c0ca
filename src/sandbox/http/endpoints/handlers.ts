import type { EndpointName } from '../../../partner-api/endpoints.ts';
import type { Answer } from '../answer.ts';
import type { Call, Core } from '../core.ts';

/** Handler of one endpoint, for requests that passed all checks. Throws ApiError or ValidationError to refuse one. */
export type Handler = (core: Core, call: Call) => Answer | Promise<Answer>;

/** Loaders of all handlers, which run on the first call: most sandboxes live for one command only. */
export const HANDLERS: Readonly<Record<EndpointName, () => Promise<Handler>>> = {
  'get-all-coins': async () => (await import('./get-all-coins.ts')).getAllCoins,
  'get-coin-network': async () => (await import('./get-coin-network.ts')).getCoinNetwork,
  'exchange-coin': async () => (await import('./exchange-coin.ts')).exchangeCoin,
  'get-transaction': async () => (await import('./get-transaction.ts')).getTransaction,
  'create-transaction': async () => (await import('./create-transaction.ts')).createTransaction,
  'update-refund-address': async () => (await import('./update-refund-address.ts')).updateRefundAddress,
};
