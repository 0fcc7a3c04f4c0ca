import { afterAll, describe, expect, it } from 'vitest';
import { ENDPOINTS, type EndpointName, endpointPath } from '../../../src/core/partner-api/endpoints.ts';
import { authHeaders } from '../../../src/core/partner-api/signature.ts';
import { call, QUOTE, testSandbox } from '../sandbox.ts';

const sandbox = await testSandbox();
afterAll(() => sandbox.stop());

async function head(endpoint: EndpointName, query: Readonly<Record<string, string>>): Promise<Response> {
  const url = `${sandbox.url}${endpointPath(endpoint)}?${new URLSearchParams(query)}`;
  return fetch(url, { method: 'HEAD', headers: authHeaders(endpoint, sandbox.credentials) });
}

describe('a HEAD request', () => {
  it.each<[EndpointName, Record<string, string>]>([
    ['get-all-coins', {}],
    ['get-all-coins', { limit: '0' }],
    ['get-coin-network', { coin: 'BTC' }],
    ['get-coin-network', { coin: 'NOPE' }],
    ['get-coin-network', {}],
    ['exchange-coin', QUOTE],
    ['exchange-coin', { ...QUOTE, amount: '0' }],
    ['get-transaction', { id: 'ABCDEF' }],
  ])('of %s with %o has the status and headers of its GET and no body', async (endpoint, query) => {
    const [bare, whole] = [await head(endpoint, query), await call(sandbox, endpoint, query)];
    expect([bare.status, await bare.text()]).toEqual([whole.status, '']);
    expect(bare.headers.get('content-type')).toBe(whole.headers.get('content-type'));
    expect(bare.headers.get('ratelimit-limit')).toBe(whole.headers.get('ratelimit-limit'));
  });

  it('is not found for an endpoint without GET', async () => {
    for (const endpoint of ['create-transaction', 'update-refund-address'] as const) {
      expect(ENDPOINTS[endpoint].method).not.toBe('GET');
      expect((await head(endpoint, {})).status).toBe(404);
    }
  });
});
