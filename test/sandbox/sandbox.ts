import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS, type EndpointName, endpointPath } from '../../src/partner-api/endpoints.ts';
import { authHeaders, type Credentials } from '../../src/partner-api/signature.ts';

/** Path of a database that does not exist yet. */
export function freshFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'swapctl-sandbox-')), 'sandbox.db');
}

/** An answer as the tests look at it. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON they expect.
  readonly json: any;
}

/** Sends one signed request; query for a GET, JSON body for the others. */
export async function call(
  place: { readonly url: string; readonly credentials: Credentials },
  endpoint: EndpointName,
  parameters: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const { method } = ENDPOINTS[endpoint];
  const url = new URL(endpointPath(endpoint), place.url);
  if (method === 'GET')
    for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, String(value));
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...authHeaders(endpoint, place.credentials),
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(parameters) }),
  });
  return readAnswer(response);
}

/** Reads an answer as text and, where it is some, as JSON. */
export async function readAnswer(response: Response): Promise<TestAnswer> {
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** An Ethereum address that any sandbox pays. */
export const ETH_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** A body that makes a swap of 0.1 BTC to ETH. */
export const NEW_SWAP = {
  depositCoin: 'BTC',
  depositAmount: 0.1,
  depositNetwork: 'BTC',
  receiveAddress: ETH_ADDRESS,
  receiveCoin: 'ETH',
  receiveNetwork: 'ETH',
  typeSwap: 2,
  lastSource: 'deposit',
} as const;
