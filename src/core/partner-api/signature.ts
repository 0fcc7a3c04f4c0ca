import { createHmac } from 'node:crypto';
import { AUTH_HEADERS, type EndpointName } from './endpoints.ts';

/** A partner's key pair; no part of the secret ever leaves the process. */
export interface Credentials {
  readonly publicKey: string;
  readonly secret: string;
  /** Environment variables that they come from; left out where they come from elsewhere. */
  readonly variables?: KeyVariables;
}

/** Names of the environment variables that a key pair comes from. */
export interface KeyVariables {
  readonly publicKey: string;
  readonly secret: string;
}

/** HMAC-SHA512 of an endpoint's name in hex. It never changes, so it is a secret too: docs/partner-api.md#signature. */
export function sign(payload: string, secret: string): string {
  return createHmac('sha512', secret).update(payload, 'utf8').digest('hex');
}

/** The three credential headers for a call of an endpoint. */
export function authHeaders(endpoint: EndpointName, credentials: Credentials): Record<string, string> {
  return {
    [AUTH_HEADERS.publicKey]: credentials.publicKey,
    [AUTH_HEADERS.signature]: sign(endpoint, credentials.secret),
    [AUTH_HEADERS.payload]: endpoint,
  };
}
