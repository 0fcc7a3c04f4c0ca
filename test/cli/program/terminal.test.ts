import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runMain } from '../../helpers/run-main.ts';
import { inScene, profileAt } from '../../helpers/scene.ts';
import { startAtTerminal } from '../../helpers/terminal.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

describe('the wizard on a real terminal', () => {
  it.each<readonly [string, number, (run: ReturnType<typeof startAtTerminal>) => void]>([
    ['SIGTERM', 143, (run) => run.signal('SIGTERM')],
    ['SIGINT', 130, (run) => run.signal('SIGINT')],
    ['Ctrl-C', 130, (run) => run.type(CTRL_C)],
    ['the end of input', 130, (run) => run.type(CTRL_D)],
  ])('is ended by %s with exit code %i', async (_name, code, end) => {
    const run = startAtTerminal(['create'], await temporaryFolder());
    await run.shows('navigate');
    end(run);
    const ended = await run.ended;
    expect(ended.screen).toContain('error: Interrupted; nothing was sent.');
    expect(ended.code).toBe(code);
  });
});

it('a spinner hides typed keys and is ended by Ctrl-C', () =>
  inScene({ 'exchange-coin': () => undefined }, async ({ home, service }) => {
    const run = startAtTerminal(['quote', 'BTC', 'ETH', '0.1'], home, {
      ...{ env: profileAt(service.url), size: [80, 24] },
    });
    await run.shows('Getting a quote');
    run.type('qwxz');
    await run.shows(/Getting a quote(?:.*Getting a quote){5}/s);
    run.type(CTRL_C);
    const { code, screen } = await run.ended;
    expect([code, screen.split('\r\n').at(-2)]).toEqual([
      130,
      expect.stringContaining('error: Interrupted; nothing was sent.'),
    ]);
    expect(screen).not.toMatch(/[qwxz]{4}|\^C/);
  }));

describe('create on a real terminal', () => {
  const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

  it.each([
    ['whole', 'y\r'],
    ['without its Enter key', 'y'],
    ['again and again', 'y\r'.repeat(200)],
  ])('ignores a yes typed before the review is shown: %s', async (_, early) => {
    const home = await temporaryFolder();
    const delay = ['sandbox', 'fault', 'add', 'exchange-coin', '--delay', '700ms'];
    expect((await runMain(delay, { home })).code).toBe(0);
    const run = startAtTerminal([`create BTC ETH 0.1 --float --address ${address} --no-memo`], home);
    run.type(early);
    await run.shows('Create this swap?');
    run.type('n\r');
    const { code, screen } = await run.ended;
    expect(screen).toContain('error: Declined; nothing was sent.');
    expect(code).toBe(10);
    expect((await runMain(['history', '--json'], { home })).json()).toEqual([]);
  });
});
