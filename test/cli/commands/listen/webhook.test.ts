import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { sendWebhook } from '../../../../src/core/client/webhook.ts';
import { webhookHeaders } from '../../../../src/core/swaps/listen/targets.ts';
import { type Answering, rawServer } from '../../../helpers/raw-server.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EVENT = { id: 'evt_1', body: '{"type":"swap.success","note":"12 € é"}' };

describe('the signature of a webhook', () => {
  it('is verified by the reference library of Standard Webhooks', () => {
    const headers = webhookHeaders(SECRET, EVENT, Date.now());
    expect(new Webhook(SECRET).verify(EVENT.body, headers)).toEqual(JSON.parse(EVENT.body));
    expect(headers).toEqual({
      'webhook-id': EVENT.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': new Webhook(SECRET).sign(
        EVENT.id,
        new Date(Number(headers['webhook-timestamp']) * 1000),
        EVENT.body,
      ),
    });
  });

  it.each([
    ['another secret', 'whsec_b3RoZXJzZWNyZXRvdGhlcnNlY3JldG90aGVy', EVENT.body, Date.now()],
    ['another body', SECRET, `${EVENT.body} `, Date.now()],
    ['another time', SECRET, EVENT.body, Date.now() - 600_000],
  ])('is rejected by the reference library with %s', (_what, secret, body, at) => {
    const headers = webhookHeaders(SECRET, EVENT, at);
    expect(() => new Webhook(secret).verify(body, headers)).toThrow();
  });
});

/** Sends one webhook to a server that answers like this. */
async function sent(answer: Answering, timeoutMs = 5_000) {
  const { url, requests } = await rawServer(answer);
  const headers = webhookHeaders(SECRET, EVENT, 1_000);
  const request = { url: `${url}/hook`, headers, body: EVENT.body, timeoutMs, proxy: null };
  return { ...(await sendWebhook(request)), requests, host: new URL(url).host };
}

describe('a webhook', () => {
  it('is a POST of the unchanged body with its headers', async () => {
    const { requests, ...answer } = await sent((_, response) => response.writeHead(204).end());
    expect(answer).toMatchObject({ httpStatus: 204, error: null });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/hook',
        body: EVENT.body,
        headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1', 'webhook-timestamp': '1' },
      },
    ]);
  });

  it.each([200, 201, 202, 299])('is delivered if the response is %i, whatever its body', async (status) => {
    const answer = await sent((_, response) => response.writeHead(status).end('x'.repeat(500_000)));
    expect(answer).toMatchObject({ httpStatus: status, error: null });
  });

  it.each([400, 401, 404, 410, 429, 500, 503])(
    'is not delivered if the response is %i, and the error does not repeat the body',
    async (status) => {
      const answer = await sent((_, response) => response.writeHead(status).end('\u001b[31mthe body'));
      expect(answer).toMatchObject({ httpStatus: status, error: `responded with ${status}` });
    },
  );

  it.each([300, 301, 302, 303, 307, 308, 399])('does not follow a %i redirect', async (status) => {
    const other = await rawServer((_, response) => response.end());
    const answer = await sent((_, response) => response.writeHead(status, { location: other.url }).end());
    expect(answer.error).toBe(`responded with ${status}; redirects are not followed`);
    expect([other.requests.length, answer.requests.length]).toEqual([0, 1]);
  });

  it('fails with ETIMEDOUT if there is no response in time', async () => {
    const answer = await sent(() => undefined, 100);
    expect([answer.httpStatus, answer.error]).toEqual([
      null,
      `${answer.host} did not respond in time (ETIMEDOUT)`,
    ]);
    expect(answer.requests).toHaveLength(1);
  });

  it('is delivered by the response status even if the body never ends', async () => {
    const answer = await sent((_, response) => response.writeHead(200).write('a'));
    expect(answer).toMatchObject({ httpStatus: 200, error: null });
  });

  it.each([
    ['closed before a response', (_seen, _response, request) => request.socket.destroy()],
    ['not HTTP', (_seen, _response, request) => request.socket.end('hello\r\n\r\n')],
    [
      'another protocol',
      (_seen, _response, request) =>
        request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
  ] as readonly (readonly [string, Answering])[])('fails if the connection is %s', async (_what, answer) => {
    const { error, requests } = await sent(answer);
    expect([typeof error, requests.length]).toEqual(['string', 1]);
  });

  it('is not delivered if the connection is refused', async () => {
    const { url, close } = await rawServer(() => undefined);
    await close();
    const request = { url, headers: {}, body: '{}', timeoutMs: 5_000, proxy: null };
    expect(await sendWebhook(request)).toEqual({
      httpStatus: null,
      error: `${new URL(url).host} could not be reached (ECONNREFUSED)`,
    });
  });
});
