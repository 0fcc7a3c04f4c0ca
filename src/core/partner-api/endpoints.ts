/** The six endpoints of docs/partner-api.md; the name is the last path segment and also the signed payload. */
export const ENDPOINTS = {
  'get-all-coins': { method: 'GET' },
  'get-coin-network': { method: 'GET' },
  'exchange-coin': { method: 'GET' },
  'get-transaction': { method: 'GET' },
  'create-transaction': { method: 'POST' },
  'update-refund-address': { method: 'PATCH' },
} as const satisfies Record<string, { method: 'GET' | 'POST' | 'PATCH' }>;

/** Name of an endpoint, as in the path and in `x-api-payload`. */
export type EndpointName = keyof typeof ENDPOINTS;

/** Every endpoint's name, in the order of the API document. */
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly EndpointName[];

export const PATH_PREFIX = '/api/private/';

/** Whether a text is the exact name of an endpoint. */
export function isEndpointName(text: string): text is EndpointName {
  return Object.hasOwn(ENDPOINTS, text);
}

/** Path of an endpoint below the base URL, for example `/api/private/exchange-coin`. */
export function endpointPath(name: EndpointName): string {
  return `${PATH_PREFIX}${name}`;
}

/** Header names of the credentials, lower case as Node gives them. */
export const AUTH_HEADERS = {
  publicKey: 'x-api-public-key',
  signature: 'x-api-signature',
  payload: 'x-api-payload',
} as const;
