import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../../helpers/program.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { inScene, profileAt } from '../../helpers/scene.ts';
import { type Answer, wireSwapIn } from '../../helpers/swap-service.ts';
import { atTerminal, startAtTerminal } from '../../helpers/terminal.ts';

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
    inScene({ 'get-transaction': service({ AAAAAA: 4 }) }, async ({ home, service: { url } }) => {
      const run = await runHere(['status', 'AAAAAA', '--watch'], {
        home,
        env: { ...profileAt(url), ...env },
        terminals: AT_TERMINAL,
      });
      expect(run.error).toBeNull();
      expect(run.stdout).toMatch(/^ \d\d:\d\d:\d\d {2}AAAAAA {2}success {2}[^\u001b]*\n$/);
    }),
  );

  it('prints an object per change with --json, even on a terminal', () =>
    inScene({ 'get-transaction': service({ AAAAAA: 4 }) }, async ({ home, service: { url } }) => {
      const run = await runHere(['status', 'AAAAAA', '--watch', '--json'], {
        home,
        env: profileAt(url),
        terminals: AT_TERMINAL,
      });
      expect(run.stdout).toMatch(/^{"type":"status",[^\u001b]*}\n{"type":"end",[^\u001b]*}\n$/);
    }));
});
