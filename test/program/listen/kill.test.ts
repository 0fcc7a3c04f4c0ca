import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshPostgres } from '../../database/postgres/fresh.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import type { SeenRequest } from '../../helpers/raw-server.ts';
import { rawServer } from '../../helpers/raw-server.ts';
import type { Flow } from './flow.ts';
import { startFlow, until } from './flow.ts';

/** A receiver that answers 500, hangs for a moment and drops, or drops at once, every so often, until it is good. */
async function moodyReceiver() {
  const accepted: SeenRequest[] = [];
  const mood = { isGood: false };
  let count = 0;
  const { url } = await rawServer((seen, response, request) => {
    count += 1;
    if (!mood.isGood && count % 5 === 0) return response.writeHead(500).end('no');
    if (!mood.isGood && count % 7 === 0) return request.socket.destroy();
    if (!mood.isGood && count % 11 === 0) return setTimeout(() => request.socket.destroy(), 300);
    accepted.push(seen);
    return response.writeHead(204).end();
  });
  return { url, accepted, mood };
}

describe('a listener that is killed again and again', () => {
  it('delivers every event at least once, in order per swap, with the same id and body', async () => {
    const home = await temporaryFolder();
    const flow = await startFlow({ home, ledger: join(home, 'ledger.db') }, 8, 5);
    try {
      const { url, accepted, mood } = await moodyReceiver();
      for (let kill = 1; kill <= 3; kill += 1) {
        const run = flow.listen(url);
        const goal = accepted.length + 5;
        await until(
          async () => accepted.length >= goal || (await flow.isDone()),
          'five more deliveries, or the end',
        );
        run.child.kill('SIGKILL');
        expect((await run.ended).signal).toBe('SIGKILL');
        await flow.hurry();
      }
      mood.isGood = true;
      const last = flow.listen(url);
      await until(flow.isDone, 'the end');
      last.child.kill('SIGTERM');
      expect((await last.ended).code).toBe(143);
      expect(await flow.problems(accepted)).toEqual([]);
    } finally {
      await flow.close();
    }
  });
});

/** The pause of `--interval 0.1`, of which a millisecond may be lost to rounding. */
const PAUSE_MS = 99;

/** The shortest time between two polls at one swap, in milliseconds. */
function shortestPause(polls: Flow['polls']): number {
  return Math.min(
    ...[...polls.values()].flatMap((times) =>
      times.slice(1).map((time, index) => time - (times[index] ?? 0)),
    ),
  );
}

describe('three listeners on one PostgreSQL, of which two are killed', () => {
  it('deliver every event at least once and in order, and look at each swap no more often than one would', async () => {
    const home = await temporaryFolder();
    const flow = await startFlow({ home, ledger: await freshPostgres() }, 6, 8);
    try {
      const accepted: SeenRequest[] = [];
      const { url } = await rawServer((seen, response) => {
        accepted.push(seen);
        response.writeHead(204).end();
      });
      const runs = [flow.listen(url), flow.listen(url), flow.listen(url)];
      await until(() => accepted.length >= 12, 'the first deliveries');
      expect(shortestPause(flow.polls)).toBeGreaterThanOrEqual(PAUSE_MS);
      for (const run of runs.slice(0, 2)) {
        const goal = accepted.length + 6;
        await until(
          async () => accepted.length >= goal || (await flow.isDone()),
          'six more deliveries, or the end',
        );
        run.child.kill('SIGKILL');
        await run.ended;
        await flow.hurry();
      }
      await until(flow.isDone, 'the end');
      runs[2]?.child.kill('SIGTERM');
      expect((await runs[2]?.ended)?.code).toBe(143);
      expect(await flow.problems(accepted)).toEqual([]);
    } finally {
      await flow.close();
    }
  });
});

describe('a listener that is asked to end', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('by %s ends after the delivery under way', async (signal, code) => {
    const home = await temporaryFolder();
    const flow = await startFlow({ home, ledger: join(home, 'ledger.db') }, 1, 1);
    try {
      let answer: () => void = () => undefined;
      const { url, requests } = await rawServer((_, response) => {
        answer = () => response.writeHead(204).end();
      });
      const run = flow.listen(url);
      await until(() => requests.length === 1, 'a delivery');
      await until(async () => (await flow.undelivered()) === 2, 'a second event');
      run.child.kill(signal);
      await until(
        () => run.stderr().includes('Stopping after the delivery in progress.'),
        'the signal is heard',
      );
      answer();
      const ended = await run.ended;
      expect([ended.code, ended.error().code]).toEqual([code, 'interrupted']);
      expect(requests).toHaveLength(1);
      expect(await flow.undelivered()).toBe(1);
    } finally {
      await flow.close();
    }
  });
});
