import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../helpers/lines.ts';
import { PROGRAM, runProgram, type StartedRun } from '../../helpers/program.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import type { Run } from '../../helpers/run.ts';
import { AT_TERMINAL } from '../../helpers/run-here.ts';
import { inScene, profileAt, withoutSecrets } from '../../helpers/scene.ts';
import { ADDRESSES, type Answer, BTC_TO_ETH, wireSwap, wireSwapIn } from '../../helpers/swap-service.ts';
import { atTerminal, startAtTerminal } from '../../helpers/terminal.ts';

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

type Event = Readonly<{ type: string; at: string; swap?: { status: string } }>;

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
    inScene({ 'get-transaction': showing(9) }, async ({ here, service }) => {
      const started = Date.now();
      let elapsed = 0;
      const run = await here([...WATCH, '--timeout', '1s'], {
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

const CTRL_C = '\u0003';
const DOWN = '\u001b[B';
const ESCAPE = '\u001b';

/** Swaps by their numbers in the statuses that a test sets; null is an answer of 500. */
function service(statuses: Record<string, number | null>): Answer {
  return ({ query }, response) => {
    const order = query.get('id') ?? '';
    const status = statuses[order] ?? null;
    if (status === null) return sendJson(response, 500, { message: 'Down for maintenance' });
    sendJson(response, 200, wireSwapIn(status, order));
  };
}

/** The text of a terminal from where it was cleared last. */
const sinceCleared = (screen: string) => screen.slice(screen.lastIndexOf('\u001b[J'));

describe.concurrent('status --watch on a real terminal', () => {
  it('redraws after changes, failed polls and a resize, and keeps its last frame', () => {
    const statuses: Record<string, number | null> = { AAAAAA: 9, BBBBBB: 3 };
    return inScene({ 'get-transaction': service(statuses) }, async ({ home, service: { url } }) => {
      const args = ['status', 'AAAAAA', 'BBBBBB', '--watch', '--interval', '0.2'];
      const run = startAtTerminal(args, home, { env: profileAt(url), size: [80, 24] });
      await run.shows(' ORDER   STATUS      SEND     RECEIVE  CHECKED');
      await run.shows('BBBBBB  exchanging  0.1 BTC  2.5 ETH');
      statuses['BBBBBB'] = 11;
      await run.shows('\u0007');
      await run.shows('BBBBBB  frozen');
      await run.shows('Frozen: ask the service about this order.');
      statuses['AAAAAA'] = null;
      await run.shows(/\d\d:\d\d:\d\d {2}The service answered 50\d: Down for maintenance\. Retrying\./);
      statuses['AAAAAA'] = 1;
      run.resize(30, 20);
      await run.shows(/\u001b\[J.*AAAAAA {2}confirmation/s);
      run.type(CTRL_C);
      const { code, screen } = await run.ended;
      expect(code).toBe(130);
      const last = sinceCleared(screen);
      expect(last).toContain(' BBBBBB  frozen  checked ');
      expect(last).toContain('   0.1 BTC → 2.5 ETH\r\n');
      expect(last).toMatch(/Stopped\. The swaps continue\s+without swapctl\.\r\n$/);
      // The cursor is never hidden, so nothing has to bring it back.
      expect(screen).not.toContain('\u001b[?25l');
    });
  });

  it('handles keys to open and filter swaps, and restores the terminal when it quits', () =>
    inScene({ 'get-transaction': service({ AAAAAA: 9, BBBBBB: 3 }) }, async ({ home, service: { url } }) => {
      const line = `'${process.execPath}' '${PROGRAM}' status AAAAAA BBBBBB --watch --interval 0.2; echo code $?; stty -a`;
      const run = atTerminal(`stty cols 80 rows 24; ${line}`, home, profileAt(url));
      await run.shows('q quit');
      await run.shows('AAAAAA  new   ');
      await run.shows('BBBBBB  exchanging');
      run.type(DOWN + DOWN);
      await run.shows('>AAAAAA  new');
      run.type('\r');
      await run.shows(' ● new → ○ confirmation');
      run.type(ESCAPE);
      await run.shows(/Esc back.*>AAAAAA {2}new/s);
      run.type('/exch\rq');
      const { screen } = await run.ended;
      expect(screen).toContain('Filter: exch_');
      expect(screen).toMatch(/[^-]icanon .*[^-]echo /s);
      // The last row of the last frame stands where the keys were named.
      expect(screen).toMatch(/AAAAAA {2}new [^\r\n]+\r\n[^\r\n]*code 0\r\n/);
    }));
});

describe.concurrent('status --watch without redrawing', () => {
  it.each([{ TERM: 'dumb' }, { TERM: 'xterm', CI: '1' }])('prints a line per change: %j', (env) =>
    inScene({ 'get-transaction': service({ AAAAAA: 4 }) }, async ({ here }) => {
      const run = await here(['status', 'AAAAAA', '--watch'], { env, terminals: AT_TERMINAL });
      expect(run.error).toBeNull();
      expect(run.stdout).toMatch(/^ \d\d:\d\d:\d\d {2}AAAAAA {2}success {2}[^\u001b]*\n$/);
    }),
  );

  it('prints an object per change with --json, even on a terminal', () =>
    inScene({ 'get-transaction': service({ AAAAAA: 4 }) }, async ({ here }) => {
      const run = await here(['status', 'AAAAAA', '--watch', '--json'], { terminals: AT_TERMINAL });
      expect(run.stdout).toMatch(/^{"type":"status",[^\u001b]*}\n{"type":"end",[^\u001b]*}\n$/);
    }));
});
