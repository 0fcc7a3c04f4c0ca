import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { shown } from '../../../src/base/text.ts';
import type { StreamFlags } from '../../../src/cli/terminal/environment.ts';
import { withProgress } from '../../../src/cli/terminal/progress.ts';
import { createStreams, type View } from '../../../src/cli/terminal/streams.ts';

const VIEW: View = {
  json: () => ({ name: 'a\u001bb', list: ['\u202e'] }),
  rows: () => [
    ['name', 'tab\there\nand\u001b[31m'],
    ['count', 3],
    ['yes', true],
    ['nothing', null],
  ],
  screen: (style, width) => style.bold(shown`${width} wide`),
};

function made({
  terminals = [],
  env = {},
  flags = {},
  columns = 70,
}: {
  terminals?: readonly string[];
  env?: Record<string, string>;
  flags?: StreamFlags;
  columns?: number;
}) {
  const stream = (name: string) =>
    Object.assign(new PassThrough(), terminals.includes(name) ? { isTTY: true, columns, ...CURSOR } : {});
  const raw = { stdin: stream('stdin'), stdout: stream('stdout'), stderr: stream('stderr') };
  const read = (name: 'stdout' | 'stderr') => String(raw[name].read() ?? '');
  return { streams: createStreams(raw, env, flags), read };
}

/** What a terminal can do with its cursor. */
const CURSOR = { cursorTo: () => true, clearLine: () => true, moveCursor: () => true };

const ALL = ['stdin', 'stdout', 'stderr'];

describe('the format of a result', () => {
  test('is styled to the width of the terminal', async () => {
    const { streams, read } = made({ terminals: ALL });
    await streams.print(VIEW);
    expect(read('stdout')).toBe('\u001b[1m70 wide\u001b[22m\n');
  });

  test('has COLUMNS as its width', () => {
    const { streams } = made({ terminals: ALL, env: { COLUMNS: '50' } });
    expect([streams.width, streams.noteWidth]).toEqual([50, 50]);
  });

  test('does not change the width of notes when stdout is a file', () => {
    const { streams } = made({ terminals: ['stdin', 'stderr'], columns: 60 });
    expect([streams.format, streams.noteWidth]).toEqual(['pipe', 60]);
  });

  test('is tab-separated in a pipe, with hidden characters escaped and without color', async () => {
    const { streams, read } = made({ flags: { color: 'always' } });
    await streams.print(VIEW);
    expect(read('stdout')).toBe(
      'name\ttab<U+0009>here<U+000A>and<U+001B>[31m\ncount\t3\nyes\ttrue\nnothing\t\n',
    );
  });

  test('is one JSON line in a pipe with --json, with hidden characters escaped', async () => {
    const { streams, read } = made({ flags: { json: true } });
    await streams.print(VIEW);
    expect(read('stdout')).toBe('{"name":"a<U+001B>b","list":["<U+202E>"]}\n');
  });

  test('is indented JSON without color on a terminal with --json', async () => {
    const { streams, read } = made({ terminals: ALL, flags: { json: true, color: 'always' } });
    await streams.print(VIEW);
    expect(read('stdout')).toBe('{\n  "name": "a<U+001B>b",\n  "list": [\n    "<U+202E>"\n  ]\n}\n');
  });

  test('is a single line for newline-delimited JSON', async () => {
    const { streams, read } = made({ terminals: ALL, flags: { json: true } });
    await streams.printLine({ at: 'x\ny' });
    expect(read('stdout')).toBe('{"at":"x<U+000A>y"}\n');
  });

  test('is empty for an empty screen', async () => {
    const { streams, read } = made({ terminals: ALL });
    await streams.print({ ...VIEW, screen: () => '' });
    expect(read('stdout')).toBe('');
  });
});

describe('notes on standard error', () => {
  test('are one line with hidden characters and line breaks escaped', () => {
    const { streams, read } = made({});
    streams.note('two\nlines\u001b[2J\u202e');
    expect([read('stderr'), read('stdout')]).toEqual(['two<U+000A>lines<U+001B>[2J<U+202E>\n', '']);
  });

  test('are wrapped at spaces on a terminal and not in a file', () => {
    const words = 'word '.repeat(20).trim();
    const terminal = made({ terminals: ALL, columns: 30 });
    terminal.streams.note(words);
    for (const line of terminal.read('stderr').split('\n')) expect(line.length).toBeLessThanOrEqual(30);
    const file = made({});
    file.streams.note(words);
    expect(file.read('stderr')).toBe(`${words}\n`);
  });

  test('are hidden by --quiet, except warnings and required notes', async () => {
    const { streams, read } = made({ flags: { quiet: true } });
    streams.note('chat');
    streams.note('profile', true);
    await streams.warn('danger\u001b');
    expect(read('stderr')).toBe('profile\nwarning: danger<U+001B>\n');
  });

  test('have color for warnings if stderr is a terminal', async () => {
    const { streams, read } = made({ terminals: ['stderr'] });
    await streams.warn('danger');
    expect(read('stderr')).toBe('\u001b[33mwarning: danger\u001b[39m\n');
  });
});

test.each([
  ['is on at a terminal', ALL, {}, {}, true],
  ['is on if stdout is a file', ['stdin', 'stderr'], {}, {}, true],
  ['is off if stdin is a file', ['stdout', 'stderr'], {}, {}, false],
  ['is off if stderr is a file', ['stdin', 'stdout'], {}, {}, false],
  ['is off with --no-input', ALL, {}, { input: false }, false],
  ['is off with SWAPCTL_NO_INPUT=1', ALL, { SWAPCTL_NO_INPUT: '1' }, {}, false],
  ['is on with SWAPCTL_NO_INPUT=0', ALL, { SWAPCTL_NO_INPUT: '0' }, {}, true],
  ['is off in CI, even at a terminal', ALL, { CI: 'true' }, {}, false],
  ['is on with CI=false', ALL, { CI: 'false' }, {}, true],
])('interactive mode %s', (_, terminals, env, flags, wanted) => {
  expect(made({ terminals, env, flags }).streams.interactive).toBe(wanted);
});

describe('a spinner', () => {
  test.each([
    ['is shown on a terminal', ALL, {}, {}, true],
    ['is shown if stdout is a file', ['stderr'], {}, {}, true],
    ['is not shown in a pipe', [], {}, {}, false],
    ['is not shown in CI', ALL, { CI: 'true' }, {}, false],
    ['is shown with CI=false', ALL, { CI: 'false' }, {}, true],
    ['is not shown on a dumb terminal', ALL, { TERM: 'dumb' }, {}, false],
    ['is not shown with --quiet', ALL, {}, { quiet: true }, false],
  ])('%s', (_, terminals, env, flags, wanted) => {
    expect(made({ terminals, env, flags }).streams.animated).toBe(wanted);
  });

  test('that is disabled writes nothing, and the work still returns its result', async () => {
    const { streams, read } = made({ terminals: ALL, env: { CI: '1' } });
    expect(await withProgress(streams, 'Working', async () => 7)).toBe(7);
    expect([read('stdout'), read('stderr')]).toEqual(['', '']);
  });

  test('writes only to stderr and escapes hidden characters', async () => {
    const { streams, read } = made({ terminals: ALL });
    await withProgress(streams, 'Working\u202e', async () => undefined);
    const seen = read('stderr');
    expect(seen).toContain('Working<U+202E>');
    expect(seen).not.toContain('\u202e');
    expect(read('stdout')).toBe('');
  });

  test.each([
    ['shows the elapsed time of long work', false, true],
    ['shows no elapsed time if the work reports its progress', true, false],
  ])('%s', async (_, reports, wanted) => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    try {
      const { streams, read } = made({ terminals: ALL });
      await withProgress(streams, 'Waiting', async (change) => {
        if (reports) change?.('Waiting');
        await vi.advanceTimersByTimeAsync(4900);
        expect(read('stderr')).not.toContain(' s)');
        await vi.advanceTimersByTimeAsync(7500);
      });
      expect(read('stderr').includes('Waiting (12 s)')).toBe(wanted);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('writing to standard output', () => {
  function failing(code: string) {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('no'), { code })),
    });
    return createStreams({ stdin: new PassThrough(), stdout, stderr: new PassThrough() }, {}, {});
  }

  test('throws ClosedPipe on EPIPE', async () => {
    await expect(failing('EPIPE').write(shown`x`)).rejects.toMatchObject({ name: 'ClosedPipe' });
  });

  test('throws write_failed on ENOSPC', async () => {
    await expect(failing('ENOSPC').write(shown`x`)).rejects.toMatchObject({
      code: 'write_failed',
      exitCode: 1,
      message: 'The result could not be written to standard output (ENOSPC).',
    });
  });
});
