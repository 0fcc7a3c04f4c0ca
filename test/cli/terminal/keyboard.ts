import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

/** A terminal that a test types into. */
export interface Keyboard {
  readonly stdin: PassThrough & { isTTY: boolean };
  readonly stdout: PassThrough & { isTTY: boolean; columns: number };
  readonly stderr: PassThrough & { isTTY: boolean; columns: number };
  /** Types text or keys, once what {@link Keyboard.seen} gives has `after` in it. */
  type(keys: string, after: string | RegExp): Promise<void>;
  /** Everything written on stderr, with its escape sequences. */
  raw(): string;
  /** Everything written on stderr, without escape sequences. */
  seen(): string;
}

export const ENTER = '\r';
export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const ESC = '\u001b';
export const DOWN = '\u001b[B';

/** Streams that say they are a terminal. */
export function keyboard(columns = 80): Keyboard {
  // A real terminal is not closed by what was piped into it; neither is this one.
  const terminal = () => {
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns });
    return Object.assign(stream, { end: () => stream });
  };
  const [stdin, stdout, stderr] = [
    Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined }),
    terminal(),
    terminal(),
  ];
  let text = '';
  stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  const seen = () => stripVTControlCharacters(text);
  return {
    stdin,
    stdout,
    stderr,
    raw: () => text,
    seen,
    type: async (keys, after) => {
      const isThere = () => (typeof after === 'string' ? seen().includes(after) : after.test(seen()));
      while (!isThere()) await turn();
      stdin.write(keys);
    },
  };
}
