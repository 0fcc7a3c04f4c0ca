import { describe, expect, it } from 'vitest';
import type { CreateOutcome } from '../helpers/create-outcome.ts';
import { CREATED, expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { inScene } from '../helpers/scene.ts';
import type { Answer, Plan } from '../helpers/swap-service.ts';
import { swapText } from '../helpers/swap-service.ts';

interface Case extends CreateOutcome {
  readonly name: string;
  readonly answer: Answer | Pick<Plan, 'onPost'>;
  /** Seconds of --timeout to try in turn until the create is sent within them. Default: the usual time. */
  readonly timeouts?: readonly (number | null)[];
  /** Whether the create is a process of its own. Default: it runs in this one. */
  readonly isProcess?: boolean;
}

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

const planOf = (answer: Case['answer']): Plan =>
  typeof answer === 'function' ? { 'create-transaction': answer } : answer;

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
