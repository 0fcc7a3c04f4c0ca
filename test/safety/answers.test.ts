import { describe, expect, it } from 'vitest';
import { AUTH_HEADERS } from '../../src/core/partner-api/endpoints.ts';
import { CREATED, type CreateOutcome, expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { inScene } from '../helpers/scene.ts';
import {
  ADDRESSES,
  type Answer,
  type Plan,
  startSwapService,
  stoppingAfterQuote,
  swapText,
} from '../helpers/swap-service.ts';

interface Case extends CreateOutcome {
  readonly name: string;
  readonly answer: Answer | Pick<Plan, 'onPost'>;
  /** Seconds of --timeout, tried in turn until the create is sent within them. Default: no flag. */
  readonly timeouts?: readonly (number | null)[];
}

/** Seconds of --timeout, tried in turn until this machine reaches the POST in time. */
const SOON = [1, 3, 6, 12];
const TOO_LATE = { ...UNKNOWN, timeouts: SOON, says: [/did not respond in time/] };

/** Refuses a create for too many requests, and sends its signature back. */
const limiting =
  (headers: Readonly<Record<string, string>>): Answer =>
  (seen, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const message = 'You have exceeded your request limit. Please try again later.';
    const debug = String(seen.headers[AUTH_HEADERS.signature]);
    sendJson(response, 429, { statusCode: 429, message, debug });
  };
const REFUSED = { exit: 6, code: 'rate_limited', posts: 1, ledger: 'refused' } as const;
const LIMITED = { ...REFUSED, httpStatus: 429, retryable: true };

const CASES: readonly Case[] = [
  {
    ...UNKNOWN,
    name: 'exits with 7 if the connection breaks before the service has read the request',
    answer: { onPost: (request) => request.socket.resetAndDestroy() },
    httpStatus: null,
    says: [/closed the connection/],
  },
  {
    ...TOO_LATE,
    name: 'exits with 7 if there is no response in time',
    answer: () => undefined,
    httpStatus: null,
  },
  {
    ...TOO_LATE,
    name: 'exits with 7 if the response never ends',
    answer: (seen, response) => {
      response.writeHead(201).write(swapText(seen).slice(0, 200));
      const drip = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(drip));
    },
    httpStatus: 201,
  },
  {
    ...CREATED,
    name: 'succeeds if the response is slow but complete',
    answer: (seen, response) => {
      const whole = swapText(seen);
      response.writeHead(201).write(whole.slice(0, 300));
      setTimeout(() => response.end(whole.slice(300)), 400);
    },
  },
  { ...LIMITED, name: 'exits with 6 after a 429', answer: limiting({}), says: [/Wait a minute/] },
  {
    ...LIMITED,
    name: 'exits with 6 after a 429 with Retry-After',
    answer: limiting({ 'retry-after': '1' }),
    says: [/Wait 1 s/],
  },
];

describe.concurrent('a create', () => {
  it.each(CASES)('$name', async ({ answer, timeouts = [null], ...expected }) => {
    const plan = typeof answer === 'function' ? { 'create-transaction': answer } : answer;
    let wasSent = false;
    for (const seconds of timeouts)
      await inScene(plan, async (scene) => {
        if (wasSent) return;
        const ended = await scene.create(seconds === null ? [] : ['--timeout', `${seconds}s`]);
        wasSent = seconds === timeouts.at(-1) || scene.service.posts() > 0;
        if (wasSent) await expectCreate(scene, ended, expected);
        else expect(ended.error()).toMatchObject({ code: 'timeout', outcome: 'nothing-sent' });
      });
  });

  it('is recorded as not sent if the service stops listening before the POST', () => {
    let stop: () => Promise<void> = async () => undefined;
    return inScene(
      stoppingAfterQuote(() => stop()),
      async (scene) => {
        stop = () => scene.service.stopListening();
        const run = await scene.create();
        const says = [/could not be reached/, /Nothing changed/];
        const unsent = { exit: 6, code: 'network_error', posts: 0, ledger: 'not-sent' } as const;
        await expectCreate(scene, run, { ...unsent, retryable: true, says });
      },
    );
  });

  it('sends no credentials if the server does not use TLS', () =>
    inScene({}, async (scene) => {
      const plain = await startSwapService();
      const run = await scene.create([], { SWAPCTL_BASE_URL: plain.url.replace('http:', 'https:') });
      await plain.close();
      await expectCreate(scene, run, { exit: 6, posts: 0, ledger: null, code: 'network_error' });
      expect(plain.requests).toEqual([]);
    }));

  it.each<[string, (text: string) => string]>([
    ['the amount with an exponent', (text) => text.replace('"value":0.1', '"value":1E-1')],
    ['the order number as a number', (text) => text.replace('"KQWZPA"', '90071992547409931')],
    ['the payout address in lower case', (text) => text.replace(ADDRESSES.eth, ADDRESSES.eth.toLowerCase())],
    ['a byte order mark before it', (text) => `\uFEFF${text}`],
    ['unknown fields', (text) => text.replace('{', '{"__proto__":{"status":6},"extra":[1e999],')],
  ])('accepts a response with %s', (_name, spell) =>
    inScene(
      { 'create-transaction': (seen, response) => response.writeHead(201).end(spell(swapText(seen))) },
      async (scene) => {
        const run = await scene.create();
        await expectCreate(scene, run, CREATED);
        const { deposit } = run.json<{ deposit: { amount: string; address: string } }>();
        expect([Number(deposit.amount), deposit.address]).toEqual([0.1, ADDRESSES.btcDeposit]);
        expect(deposit.amount).toMatch(/^[0-9]+\.[0-9]+$/);
      },
    ),
  );
});
