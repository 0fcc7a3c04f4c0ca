import { ENDPOINT_NAMES } from '../partner-api/endpoints.ts';
import type { Credentials } from '../partner-api/signature.ts';
import { sign } from '../partner-api/signature.ts';

/** A shorter secret could be part of any text, and blotting it out would spoil amounts and addresses. */
const SHORTEST_SECRET = 8;

/**
 * Makes a function that blots the secret and its signatures out of a text: a server may send back what it was
 * sent, and an answer ends up on screens, in logs and in the ledger.
 */
export function createRedactor({ secret }: Credentials): (text: string) => string {
  const signatures = new RegExp(ENDPOINT_NAMES.map((name) => sign(name, secret)).join('|'), 'gi');
  return (text) => {
    const unsigned = text.replace(signatures, '<redacted>');
    return secret.length < SHORTEST_SECRET ? unsigned : unsigned.replaceAll(secret, '<redacted>');
  };
}
