import { describe, expect, it } from 'vitest';
import type { EndpointName } from '../../src/core/partner-api/endpoints.ts';
import { sendJson } from '../helpers/raw-server.ts';
import type { Scene } from '../helpers/scene.ts';
import { inScene } from '../helpers/scene.ts';
import type { Answer, Plan } from '../helpers/swap-service.ts';
import { ADDRESSES, BTC_TO_ETH, ORDER, startSwapService, wireSwap } from '../helpers/swap-service.ts';

/** The first answers of an endpoint; after them it answers well. */
function first(count: number, bad: Answer, well: Answer): Answer {
  let asked = 0;
  return (seen, response, request) => {
    asked += 1;
    if (asked <= count) bad(seen, response, request);
    else well(seen, response, request);
  };
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_seen, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    sendJson(response, code, { statusCode: code, message: 'Server error.' });
  };

const lost: Answer = (_seen, _response, request) => request.socket.destroy();

const swap: Answer = (_seen, response) => sendJson(response, 200, wireSwap(BTC_TO_ETH));

const updated: Answer = ({ body }, response) => {
  const { id, refundAddress } = JSON.parse(body) as { id: string; refundAddress: string };
  sendJson(response, 200, { message: 'Updated', orderNumber: id, newRefundAddress: refundAddress });
};

interface Way {
  readonly endpoint: EndpointName;
  readonly args: readonly string[];
  readonly well: Answer;
}

const GET: Way = { endpoint: 'get-transaction', args: ['status', ORDER, '--json', '--debug'], well: swap };
const PATCH: Way = {
  endpoint: 'update-refund-address',
  args: ['refund', ORDER, ADDRESSES.btcRefund, '--yes', '--json', '--debug'],
  well: updated,
};

describe.concurrent.each([GET, PATCH])('a request to $endpoint', ({ endpoint, args, well }) => {
  const tries = (scene: Scene) => scene.service.count(endpoint);
  const PASSING = [
    ['500', status(500)],
    ['a 503 that asks for no pause', status(503, { 'retry-after': '0' })],
    ['a 429', status(429)],
    ['a lost answer', lost],
  ] as const;

  it.each(PASSING)('is repeated twice after %s, and then answered', (_name, bad) =>
    inScene({ [endpoint]: first(2, bad, well) }, async (scene) => {
      const run = await scene.run(args);
      expect(run.code, run.stderr).toBe(0);
      expect(run.json()).toMatchObject({ order: ORDER });
      expect(tries(scene)).toBe(3);
    }),
  );

  it.each(PASSING)('is not repeated a third time after %s', (_name, bad) =>
    inScene({ [endpoint]: first(3, bad, well) }, async (scene) => {
      const run = await scene.run(args);
      expect(run.error()).toMatchObject({ exitCode: 6, retryable: true });
      expect(run.stdout).toBe('');
      expect(tries(scene)).toBe(3);
    }),
  );

  it('waits as long as Retry-After asks', () =>
    inScene({ [endpoint]: first(1, status(429, { 'retry-after': '1' }), well) }, async (scene) => {
      const run = await scene.run(args);
      expect(run.code).toBe(0);
      // What is left of the second when the wait begins.
      expect(run.stderr).toMatch(/Trying again in (?:1\.0|0\.[5-9]) s\./);
    }));

  it.each(['3600', '99999999999999'])('does not wait for Retry-After: %s', (wait) =>
    inScene({ [endpoint]: status(429, { 'retry-after': wait }) }, async (scene) => {
      const run = await scene.run(args);
      expect(run.error()).toMatchObject({ code: 'rate_limited', exitCode: 6, retryable: true });
      expect(tries(scene)).toBe(1);
    }),
  );

  it('is not repeated after a refusal', () =>
    inScene({ [endpoint]: status(404) }, async (scene) => {
      expect((await scene.run(args)).error()).toMatchObject({ code: 'not_found', exitCode: 3 });
      expect(tries(scene)).toBe(1);
    }));

  it('follows no redirect, and no credential leaves', async () => {
    const elsewhere = await startSwapService();
    const plan: Plan = { [endpoint]: status(307, { location: `${elsewhere.url}/api/private/${endpoint}` }) };
    await inScene(plan, async (scene) => {
      const run = await scene.run(args);
      expect(run.error()).toMatchObject({ code: 'bad_response', exitCode: 6, httpStatus: 307 });
      expect(tries(scene)).toBe(1);
    });
    const { requests } = elsewhere;
    await elsewhere.close();
    expect(requests).toEqual([]);
  });

  it('gives up when --timeout is over', () =>
    inScene({ [endpoint]: () => undefined }, async (scene) => {
      const run = await scene.start([...args, '--timeout', '1s']).ended;
      expect(run.error()).toMatchObject({ code: 'timeout', exitCode: 6 });
    }));
});
