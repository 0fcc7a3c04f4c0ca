import type { ApiRequest } from '../../client/transport.ts';
import { requestUrl } from '../../client/transport.ts';
import { shellQuote } from '../../files.ts';
import { AUTH_HEADERS, ENDPOINTS } from '../../partner-api/endpoints.ts';

/**
 * A shell command that sends the request with curl. It holds no secret and no signature: openssl signs the endpoint's
 * name with `$SWAPCTL_SECRET` when it runs, and curl reads the signature from its standard input.
 */
export function curlCommand(
  request: ApiRequest,
  { baseUrl, publicKey }: { readonly baseUrl: string; readonly publicKey: string },
): string {
  const { endpoint, body } = request;
  const method = request.method ?? ENDPOINTS[endpoint].method;
  const signature = `$(printf %s ${endpoint} | openssl dgst -sha512 -hmac "$SWAPCTL_SECRET" | sed 's/.* //')`;
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    [AUTH_HEADERS.publicKey]: publicKey,
    [AUTH_HEADERS.payload]: endpoint,
  };
  return [
    `printf 'header = "${AUTH_HEADERS.signature}: %s"\\n' "${signature}" |`,
    `  curl --silent --show-error --config - --request ${method}`,
    ...Object.entries(headers).map(([name, value]) => `    --header ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`    --data-binary ${shellQuote(body)}`]),
    `    --url ${shellQuote(requestUrl(baseUrl, request).href)}`,
  ]
    .join(' \\\n')
    .replace('| \\\n', '|\n');
}
