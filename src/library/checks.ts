import { UsageError } from '../base/errors.ts';
import type { EndpointName } from '../core/partner-api/endpoints.ts';
import {
  type Credentials,
  authHeaders as headersOf,
  sign as signatureOf,
} from '../core/partner-api/signature.ts';
import { checkAddress as addressVerdict } from '../core/swap/addresses/check.ts';
import { checkDestination as destinationVerdict } from '../core/swap/addresses/destination.ts';
import type { AddressVerdict } from '../core/swap/addresses/parsed-address.ts';
import {
  type AmountVerdict,
  checkAmount as amountVerdict,
  compareDecimals as compared,
  type Decimal,
} from '../core/swap/amount.ts';
import { fieldsOf, NOT_TEXT, readOptionalText, readText } from './input.ts';

/**
 * Signature of one endpoint: HMAC-SHA512 over the endpoint's name, keyed with the secret, as 128 lower-case hex digits.
 * It never changes, so protect it like the secret. Throws `usage`.
 */
export function sign(payload: string, secret: string): string {
  return signatureOf(readText(payload, 'payload'), readText(secret, 'secret'));
}

/** The three credential headers for a call of an endpoint. Throws `usage`. */
export function authHeaders(endpoint: EndpointName, credentials: Credentials): Record<string, string> {
  const given = fieldsOf(credentials, 'credentials');
  const publicKey = readText(given['publicKey'], 'publicKey');
  const secret = readText(given['secret'], 'secret');
  return headersOf(readText(endpoint, 'endpoint') as EndpointName, { publicKey, secret });
}

/** Checks an address offline, by the rules of its network in any spelling. Throws `usage` for anything but text. */
export async function checkAddress(network: string, address: string): Promise<AddressVerdict> {
  return addressVerdict(readText(network, 'network'), readText(address, 'address'));
}

/** Checks an address and its memo together, offline. Throws `usage` for anything but text. */
export const checkDestination: typeof destinationVerdict = async (network, address, memo, options = {}) => {
  const { memoNeeded, memoWaived } = fieldsOf(options, 'options', ['memoNeeded', 'memoWaived']);
  return destinationVerdict(
    readText(network, 'network'),
    readText(address, 'address'),
    readOptionalText(memo, 'memo'),
    { memoNeeded: memoNeeded === true, memoWaived: memoWaived === true },
  );
};

/** Whether a text is an amount: a plain decimal with a dot, greater than zero. Never throws. */
export function checkAmount(text: string): AmountVerdict {
  return typeof text === 'string' ? amountVerdict(text) : { ok: false, reason: NOT_TEXT };
}

/** Compares two decimals exactly: negative, zero or positive. Throws `usage` for anything but decimal text. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  return compared(readDecimal(a), readDecimal(b));
}

function readDecimal(value: unknown): Decimal {
  if (typeof value === 'string' && /^-?[0-9]+(?:\.[0-9]+)?$/.test(value)) return value;
  throw new UsageError(`A decimal is a string such as '0.1'.`);
}
