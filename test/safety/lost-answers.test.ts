import { describe, expect, it } from 'vitest';
import { AUTH_HEADERS } from '../../src/core/partner-api/endpoints.ts';
import type { CreateOutcome } from '../helpers/create-outcome.ts';
import { CREATED, expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { inScene } from '../helpers/scene.ts';
import type { Answer, Plan } from '../helpers/swap-service.ts';
import { startSwapService, swapText } from '../helpers/swap-service.ts';

interface Case extends CreateOutcome {
  readonly name: string;
  readonly answer: Answer | Pick<Plan, 'onPost'>;
  /** Seconds of --timeout to try in turn until the create is sent within them. Default: the usual time. */
  readonly timeouts?: readonly (number | null)[];
  /** Whether the create is a process of its own. Default: it runs in this one. */
  readonly isProcess?: boolean;
}

/** A case whose outcome goes without saying. */
type Spoilt = Pick<Case, 'name' | 'answer' | 'says' | 'httpStatus'>;

const text =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_seen, response) =>
    response.writeHead(status, headers).end(body);

const raw =
  (bytes: string): Answer =>
  (_seen, _response, request) =>
    request.socket.end(bytes);

const half = (seen: Parameters<Answer>[0]) => swapText(seen).slice(0, 200);

/** Seconds of --timeout, one after the other, until one is long enough for this machine to reach the POST. */
const SOON = [1, 3, 6, 12];

const LOST: readonly Case[] = [
  {
    ...UNKNOWN,
    name: 'the connection breaks before the service has read the request',
    answer: { onPost: (request) => request.socket.resetAndDestroy() },
    httpStatus: null,
    says: [/closed the connection/],
  },
  {
    ...UNKNOWN,
    name: 'the connection breaks after the order was made',
    isProcess: true,
    answer: (_seen, _response, request) => request.socket.destroy(),
    httpStatus: null,
    says: [/closed the connection/],
  },
  {
    ...UNKNOWN,
    name: 'the answer stops in the middle of its length',
    answer: (seen, response, request) => {
      response.writeHead(201, { 'content-length': '4000' });
      response.write(half(seen), () => request.socket.end());
    },
    httpStatus: 201,
    says: [/closed the connection before the response was complete/],
  },
  {
    ...UNKNOWN,
    name: 'the answer stops between two chunks',
    answer: (seen, response, request) => {
      response.writeHead(201);
      response.write(half(seen), () => request.socket.end());
    },
    httpStatus: 201,
    says: [/closed the connection/],
  },
  {
    ...UNKNOWN,
    name: 'the answer never comes',
    answer: () => undefined,
    timeouts: SOON,
    httpStatus: null,
    says: [/did not respond in time/],
  },
  {
    ...UNKNOWN,
    name: 'the answer switches to another protocol',
    answer: (_seen, _response, request) =>
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
    httpStatus: 101,
    says: [/switched protocols/],
  },
  {
    ...UNKNOWN,
    name: 'the answer drips and never ends',
    answer: (seen, response) => {
      response.writeHead(201).write(half(seen));
      const drip = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(drip));
    },
    timeouts: SOON,
    httpStatus: 201,
    says: [/did not respond in time/],
  },
  {
    ...CREATED,
    name: 'the answer is slow, but comes',
    answer: (seen, response) => {
      const whole = swapText(seen);
      response.writeHead(201).write(whole.slice(0, 300));
      setTimeout(() => response.end(whole.slice(300)), 400);
    },
  },
];

const SPOILT: readonly Spoilt[] = [
  { name: 'nothing in it', answer: text(201, ''), httpStatus: 201, says: [/not JSON/] },
  {
    name: 'a web page',
    answer: text(200, '<!doctype html><h1>Welcome</h1>'),
    httpStatus: 200,
    says: [/not JSON/],
  },
  {
    name: 'an object that is no swap',
    answer: text(201, '{"ok":true}'),
    httpStatus: 201,
    says: [/no order number/],
  },
  {
    name: 'a swap without a status',
    answer: text(201, '{"orderNumber":"A"}'),
    httpStatus: 201,
    says: [/no readable status/],
  },
  {
    name: 'broken compression',
    answer: text(201, 'not gzip', { 'content-encoding': 'gzip' }),
    httpStatus: 201,
  },
  { name: 'bytes that are no HTTP', answer: raw('220 mail.example ESMTP\r\n'), httpStatus: null },
  { name: 'a switch of protocols', answer: raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n') },
];

const FAILED: readonly Spoilt[] = [
  {
    name: '500 with the words of the service',
    answer: text(500, '{"statusCode":500,"message":"Failed create transaction."}'),
    httpStatus: 500,
    says: [/Failed create transaction\./],
  },
  {
    name: '500 with hidden characters',
    answer: text(500, '{"message":"no\\u0000\\u001b[2J"}'),
    httpStatus: 500,
    says: [/no<U\+0000>/],
  },
  {
    name: '502 with a web page',
    answer: text(502, '<html>Bad gateway</html>'),
    httpStatus: 502,
    says: [/502 with a web page/],
  },
  {
    name: '503 with Retry-After',
    answer: text(503, '', { 'retry-after': '0' }),
    httpStatus: 503,
    says: [/503/],
  },
  { name: '504 with an empty body', answer: text(504, ''), httpStatus: 504, says: [/504/] },
  {
    name: '408',
    answer: text(408, '{"message":"Request timeout"}'),
    httpStatus: 408,
    says: [/Request timeout/],
  },
  ...[406, 407, 412, 418, 421, 423, 425, 426, 444, 460, 494, 499].map((status) => ({
    ...{ name: `${status}, which a proxy may have sent`, httpStatus: status },
    answer: text(status, '{"message":"gone"}'),
    says: [/answered \d+: gone/],
  })),
  {
    name: '500 that sends the credentials back',
    answer: ({ headers }, response) =>
      sendJson(response, 500, { message: `bad ${String(headers[AUTH_HEADERS.signature]).toUpperCase()}` }),
    httpStatus: 500,
    says: [/bad <redacted>/],
  },
];

const planOf = (answer: Case['answer']): Plan =>
  typeof answer === 'function' ? { 'create-transaction': answer } : answer;

/** The create in this process. */
const runHere = ({ answer, ...expected }: Case) =>
  inScene(planOf(answer), async (scene) => expectCreate(scene, await scene.create(), expected));

/** The create, with its time limits; one case is a process of its own. */
const run = async ({ answer, timeouts = [null], isProcess = false, ...expected }: Case) => {
  const wasSentWithin = async (seconds: number | null, isLast: boolean): Promise<boolean> => {
    let wasSent = true;
    await inScene(planOf(answer), async (scene) => {
      const flags = seconds === null ? [] : ['--timeout', `${seconds}s`];
      const ended = await (isProcess ? scene.startCreate(flags).ended : scene.create(flags));
      wasSent = isLast || scene.service.posts() > 0;
      if (wasSent) await expectCreate(scene, ended, expected);
      else expect(ended.error()).toMatchObject({ code: 'timeout', outcome: 'nothing-sent' });
    });
    return wasSent;
  };
  for (const seconds of timeouts) if (await wasSentWithin(seconds, seconds === timeouts.at(-1))) return;
};

describe.concurrent('a create whose answer is lost', () => {
  it.each(LOST)('$name', run);
});

describe.concurrent('a create answered with', () => {
  it.each([...SPOILT, ...FAILED])('$name', (spoilt) => runHere({ ...UNKNOWN, ...spoilt }));
});

describe.concurrent('a create answered with a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i is not followed, and no credential leaves', async (status) => {
    const elsewhere = await startSwapService();
    try {
      const answer = text(status, '', { location: `${elsewhere.url}/api/private/create-transaction` });
      const says = [/redirect .*never followed/];
      await runHere({ ...UNKNOWN, name: 'redirect', answer, says, httpStatus: status });
      expect(elsewhere.requests).toEqual([]);
      expect(elsewhere.posts()).toBe(0);
    } finally {
      await elsewhere.close();
    }
  });
});
