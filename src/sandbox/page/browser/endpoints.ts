/** The endpoints of the partner API, in the order of its document. */
export const ENDPOINTS = [
  'get-all-coins',
  'get-coin-network',
  'exchange-coin',
  'get-transaction',
  'create-transaction',
  'update-refund-address',
] as const;
