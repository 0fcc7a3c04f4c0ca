import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../helpers/lines.ts';
import { runProgram, type StartedRun } from '../../helpers/program.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import type { Run } from '../../helpers/run.ts';
import { runHere } from '../../helpers/run-here.ts';
import { inScene, profileAt, withoutSecrets } from '../../helpers/scene.ts';
import { ADDRESSES, type Answer, BTC_TO_ETH, wireSwap, wireSwapIn } from '../../helpers/swap-service.ts';

/** A swap that shows these statuses in turn, the last one for ever; a null is a poll that fails. */
function showing(...statuses: readonly (number | null)[]): Answer {
  let polls = 0;
  return ({ query }, response) => {
    const status = statuses[Math.min(polls, statuses.length - 1)] ?? null;
    polls += 1;
    if (status === null) sendJson(response, 500, { statusCode: 500, message: 'Server error.' });
    else sendJson(response, 200, wireSwapIn(status, query.get('id') ?? ''));
  };
}

const WATCH = ['status', 'A', '--watch', '--interval', '0.1', '--json'];

interface Event {
  readonly type: string;
  readonly at: string;
  readonly swap?: { readonly status: string };
}

async function untilSaid(run: StartedRun, text: string): Promise<void> {
  while (!run.stdout().includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.concurrent('status --watch', () => {
  it('reports each change once, then the end', () =>
    inScene({ 'get-transaction': showing(9, 9, 1, 3, 12) }, async (scene) => {
      const run = await scene.run(WATCH);
      expect([run.code, run.stderr]).toEqual([0, '']);
      const reported = jsonLines<Event>(run.stdout);
      const statuses = reported.map(({ type, swap }) => (type === 'status' ? swap?.status : type));
      expect(statuses.join(' ')).toBe('new confirmation exchanging success end');
      expect(Object.keys(reported[0] ?? {})).toEqual(['type', 'at', 'swap']);
      expect(Object.keys(reported.at(-1) ?? {})).toEqual(['type', 'at', 'order', 'status', 'statusCode']);
      expect(reported.at(-1)).toMatchObject({ order: 'A', status: 'success', statusCode: 12 });
      for (const { at } of reported) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }));

  it.each([-3_600_000, 3_600_000])('ends after --timeout even if the clock jumps by %i ms', (leap) =>
    inScene({ 'get-transaction': showing(9) }, async ({ home, service }) => {
      const started = Date.now();
      let elapsed = 0;
      const run = await runHere([...WATCH, '--timeout', '1s'], {
        home,
        env: profileAt(service.url),
        now: () => started + (service.requests.length > 1 ? leap : 0),
        monotonic: () => (elapsed += 10),
      });
      expect(run.error).toMatchObject({ code: 'still_open', exitCode: 8 });
      expect(service.requests.length).toBeGreaterThan(1);
      expect(jsonLines(run.stdout).map(({ type }) => type)).toEqual(['status', 'end']);
    }),
  );

  it('reports a failed poll and continues', { timeout: 30_000 }, () =>
    inScene({ 'get-transaction': showing(9, null, null, null, 4) }, async (scene) => {
      const run = await scene.run(WATCH);
      const reported = jsonLines(run.stdout);
      expect(reported.map(({ type }) => type)).toEqual(['status', 'retry', 'status', 'end']);
      expect(Object.keys(reported[1] ?? {})).toEqual(['type', 'at', 'order', 'error']);
      expect(reported[1]).toMatchObject({ order: 'A', error: { code: 'service_error', httpStatus: 500 } });
    }),
  );

  it('exits according to the final status with --exit-status', () =>
    inScene({ 'get-transaction': showing(9, 6) }, async (scene) => {
      const run = await scene.run([...WATCH, '--exit-status']);
      expect([run.code, run.error().code]).toEqual([9, 'swap_failed']);
    }));

  it('prints a line per change in a pipe', () =>
    inScene({ 'get-transaction': showing(9, 4) }, async (scene) => {
      const run = await scene.run(WATCH.filter((word) => word !== '--json'));
      expect(run.stdout).toMatch(/^\S+\tA\tnew\t9\t.*\n\S+\tA\tsuccess\t4\t.*\n$/);
    }));

  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends with %s as interrupted', ([signal, exit]) =>
    inScene({ 'get-transaction': showing(9) }, async (scene) => {
      const run = scene.start(WATCH);
      await untilSaid(run, '"type":"status"');
      run.child.kill(signal);
      const ended = await run.ended;
      expect([ended.code, ended.signal]).toEqual([exit, null]);
      expect(ended.error()).toMatchObject({ code: 'interrupted', exitCode: exit });
      expect(jsonLines(ended.stdout).map(({ type }) => type)).toEqual(['status']);
    }),
  );
});

describe.concurrent('Ctrl-C on a terminal', () => {
  /** Presses Ctrl-C once the service was asked for the swap, on a terminal wide enough for a spinner. */
  async function pressed(args: readonly string[]): Promise<Run> {
    let home = '';
    const asked: Answer = ({ query }, response) => {
      sendJson(response, 200, { ...wireSwap(BTC_TO_ETH), orderNumber: query.get('id') });
      writeFileSync(join(home, 'asked'), '');
    };
    const shell = `(until [ -e asked ]; do sleep 0.1; done; sleep 0.3; printf '\\003'; until [ -e ended ]; do sleep 0.1; done) |
      { script -qec "stty cols 80 rows 24; $(printf '%q ' "$0" "$@")" /dev/null; code=$?; touch ended; exit $code; }`;
    let run: Run | undefined;
    await inScene({ 'get-transaction': asked }, async (scene) => {
      home = scene.home;
      run = withoutSecrets(await runProgram(args, { home, env: profileAt(scene.service.url), shell }));
    });
    if (run === undefined) throw new Error('The scene was not played.');
    return run;
  }

  it('ends status --watch with a note on its own line that the swap continues', async () => {
    const run = await pressed(['status', 'A', '--watch', '--color', 'never']);
    expect(run.code, run.stdout).toBe(130);
    expect(run.stdout).toMatch(/\r\u001b\[KStopped\. The swap continues without swapctl\.\r\n$/);
  });

  it('ends create --watch with a note that the order was created', async () => {
    const create = ['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes', '--watch', '--no-qr'];
    const run = await pressed([...create, '--color', 'never']);
    expect(run.code, run.stdout).toBe(130);
    expect(run.stdout).toContain('Reading the coin list');
    expect(run.stdout).toMatch(
      /error: Interrupted. Order KQWZPA was created and continues without swapctl\.\r\n$/,
    );
  });
});
