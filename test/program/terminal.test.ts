import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { startAtTerminal } from '../helpers/terminal.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

describe('the wizard at a real terminal', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends on %s with its own words and code', async (signal, code) => {
    const run = startAtTerminal(['create'], await temporaryFolder());
    await run.shows('navigate');
    run.signal(signal);
    const ended = await run.ended;
    expect(ended.screen).toContain('error: Interrupted; nothing was sent.');
    expect(ended.code).toBe(code);
  });

  it.each([
    ['Ctrl-C', CTRL_C],
    ['the end of input', CTRL_D],
  ])('is left with %s', async (_name, key) => {
    const run = startAtTerminal(['create'], await temporaryFolder());
    await run.shows('navigate');
    run.type(key);
    const ended = await run.ended;
    expect(ended.screen).toContain('error: Interrupted; nothing was sent.');
    expect(ended.code).toBe(130);
  });
});
