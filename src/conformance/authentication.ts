import type { ApiRequest } from '../core/client/transport.ts';
import { AUTH_HEADERS } from '../core/partner-api/endpoints.ts';
import { writeJson } from '../core/partner-api/json.ts';
import { MESSAGES } from '../core/partner-api/messages.ts';
import { type Credentials, sign } from '../core/partner-api/signature.ts';
import { assumed, at, type Check, checkAnswer, type Subject } from './check.ts';
import { coinsRequest, ONE_COIN } from './listing.ts';
import { needingPayload } from './orders.ts';
import { refused } from './refusals.ts';
import { ADDRESSES, INVALID_ORDER, NO_ORDER } from './test-swap.ts';

const UNKNOWN_KEY = 'swapctl-conformance-unknown-key';
const UNKNOWN_PAYLOAD = 'swapctl-conformance';
/** A signature that is valid in form and always wrong. */
const WRONG_SIGNATURE = sign(UNKNOWN_PAYLOAD, UNKNOWN_KEY);

const KEY_REFUSED = { status: 403, message: MESSAGES.INVALID_PUBLIC_KEY };
const PAYLOAD_REFUSED = { status: 403, message: MESSAGES.INVALID_PAYLOAD };
const SIGNATURE_REFUSED = { status: 403, message: MESSAGES.INVALID_SIGNATURE };

const READ: ApiRequest = coinsRequest(ONE_COIN);

function withHeaders(
  request: ApiRequest,
  headers: Partial<Record<keyof typeof AUTH_HEADERS, string | undefined>>,
): ApiRequest {
  const named = Object.entries(AUTH_HEADERS).flatMap(([key, name]) =>
    Object.hasOwn(headers, key) ? [[name, headers[key as keyof typeof AUTH_HEADERS]]] : [],
  );
  return { ...request, headers: Object.fromEntries(named) };
}

/** Checks of the three headers: required, verified and refused as documented. */
export function authenticationChecks({ secret }: Credentials): Check[] {
  const unknownPayload = { payload: UNKNOWN_PAYLOAD, signature: sign(UNKNOWN_PAYLOAD, secret) };
  const otherPayload = { payload: 'get-coin-network', signature: sign('get-coin-network', secret) };
  const upperCase = { signature: sign(READ.endpoint, secret).toUpperCase() };
  const wrong = { payload: UNKNOWN_PAYLOAD, signature: WRONG_SIGNATURE };
  return [
    ...at(
      'get-all-coins',
      refused(
        'an unknown key',
        withHeaders(READ, { publicKey: UNKNOWN_KEY, signature: WRONG_SIGNATURE }),
        KEY_REFUSED,
      ),
      refused('an unknown payload', withHeaders(READ, unknownPayload), PAYLOAD_REFUSED),
      accepted('the three headers', READ),
      accepted('a signature in upper case', withHeaders(READ, upperCase)),
      missing('without a key', withHeaders(READ, { publicKey: undefined })),
      missing('without a payload', withHeaders(READ, { payload: undefined })),
      missing('without a signature', withHeaders(READ, { signature: undefined })),
    ),
    ...WHOLE_REQUESTS.flatMap(wrongSignature),
    ...at(
      'get-all-coins',
      ...assumed(
        "payload naming another endpoint than the path's",
        refused('the payload of another endpoint', withHeaders(READ, otherPayload), PAYLOAD_REFUSED),
      ),
      ...assumed(
        'order of the checks',
        refused(
          'key before payload and signature',
          withHeaders(READ, { publicKey: UNKNOWN_KEY, ...wrong }),
          KEY_REFUSED,
        ),
        refused('payload before signature', withHeaders(READ, wrong), PAYLOAD_REFUSED),
      ),
    ),
    ...at(
      'get-transaction',
      ...assumed(
        'order of the checks',
        refused(
          'signature before parameters',
          withHeaders({ endpoint: 'get-transaction', query: {} }, { signature: WRONG_SIGNATURE }),
          SIGNATURE_REFUSED,
        ),
      ),
    ),
  ];
}

const QUOTE = { amount: '1', coinFrom: 'ETH', coinTo: 'USDT', lastSource: 'deposit', typeSwap: '2' };

const WHOLE_REQUESTS: readonly ApiRequest[] = [
  READ,
  { endpoint: 'get-coin-network', query: { coin: 'ETH' } },
  { endpoint: 'exchange-coin', query: QUOTE },
  { endpoint: 'get-transaction', query: { id: NO_ORDER } },
  { endpoint: 'create-transaction', body: writeJson({ ...INVALID_ORDER, depositAmount: 1 }) },
  {
    endpoint: 'update-refund-address',
    body: writeJson({ id: NO_ORDER, refundAddress: ADDRESSES.refund }),
  },
];

function wrongSignature(request: ApiRequest): Check[] {
  const { endpoint } = request;
  const checks = at(
    endpoint,
    refused('a wrong signature', withHeaders(request, { signature: WRONG_SIGNATURE }), SIGNATURE_REFUSED),
  );
  return endpoint === 'update-refund-address' ? needingPayload(checks) : checks;
}

function accepted(name: string, request: ApiRequest): Subject {
  return checkAnswer(name, 'accepted', request, ({ ok }) => ok);
}

/** The document requires the headers but does not word their absence. */
function missing(name: string, request: ApiRequest): Subject {
  return checkAnswer(name, 'refused with a 4xx', request, ({ status }) => status >= 400 && status < 500);
}
