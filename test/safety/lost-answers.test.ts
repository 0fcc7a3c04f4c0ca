import { expect, it } from 'vitest';
import { CREATED, type CreateOutcome, expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { inScene } from '../helpers/scene.ts';
import { type Answer, type Plan, swapText } from '../helpers/swap-service.ts';

interface Case extends CreateOutcome {
  readonly name: string;
  readonly answer: Answer | Pick<Plan, 'onPost'>;
  /** Seconds of --timeout, tried in turn until the create is sent within them. Default: no flag. */
  readonly timeouts?: readonly (number | null)[];
}

const half = (seen: Parameters<Answer>[0]) => swapText(seen).slice(0, 200);

/** Seconds of --timeout, tried in turn until this machine reaches the POST in time. */
const SOON = [1, 3, 6, 12];

const LOST: readonly Case[] = [
  {
    ...UNKNOWN,
    name: 'exits with 7 if the connection breaks before the service has read the request',
    answer: { onPost: (request) => request.socket.resetAndDestroy() },
    httpStatus: null,
    says: [/closed the connection/],
  },
  {
    ...UNKNOWN,
    name: 'exits with 7 if there is no response in time',
    answer: () => undefined,
    timeouts: SOON,
    httpStatus: null,
    says: [/did not respond in time/],
  },
  {
    ...UNKNOWN,
    name: 'exits with 7 if the response never ends',
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
    name: 'succeeds if the response is slow but complete',
    answer: (seen, response) => {
      const whole = swapText(seen);
      response.writeHead(201).write(whole.slice(0, 300));
      setTimeout(() => response.end(whole.slice(300)), 400);
    },
  },
];

const planOf = (answer: Case['answer']): Plan =>
  typeof answer === 'function' ? { 'create-transaction': answer } : answer;

/** Runs the create with each timeout in turn until it is sent, and checks its outcome. */
const run = async ({ answer, timeouts = [null], ...expected }: Case) => {
  const wasSentWithin = async (seconds: number | null, isLast: boolean): Promise<boolean> => {
    let wasSent = true;
    await inScene(planOf(answer), async (scene) => {
      const ended = await scene.create(seconds === null ? [] : ['--timeout', `${seconds}s`]);
      wasSent = isLast || scene.service.posts() > 0;
      if (wasSent) await expectCreate(scene, ended, expected);
      else expect(ended.error()).toMatchObject({ code: 'timeout', outcome: 'nothing-sent' });
    });
    return wasSent;
  };
  for (const seconds of timeouts) if (await wasSentWithin(seconds, seconds === timeouts.at(-1))) return;
};

it.concurrent.each(LOST)('a create $name', run);
