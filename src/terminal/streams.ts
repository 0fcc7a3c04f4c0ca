import type { Readable, Writable } from 'node:stream';
import { visible, visibleDeep } from '../swap/text.ts';
import type { Style } from './style.ts';
import { createStyle } from './style.ts';
import { isOn, terminalWidth, useColour } from './surroundings.ts';
import { wrapWords } from './width.ts';
import { writeOrThrow } from './write.ts';

/** A stream with what Node says of the terminal behind it. */
export type TerminalStream<T> = T & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The three streams of the process, or a test's. */
export interface RawStreams {
  readonly stdin: TerminalStream<Readable>;
  readonly stdout: TerminalStream<Writable>;
  readonly stderr: TerminalStream<Writable>;
}

/** What the flags say of output and input. */
export interface StreamFlags {
  readonly json?: boolean | undefined;
  readonly input?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly color?: 'auto' | 'always' | 'never' | undefined;
}

/** A result, described once for its three forms. */
export interface View {
  /** The value behind `--json`. */
  json(): unknown;
  /** Rows of cells for a pipe: one row per item of a list, `[name, value]` rows for a single thing. */
  rows(): Iterable<readonly (string | number | boolean | null)[]>;
  /** Text for a person at a terminal `width` columns wide. */
  screen(style: Style, width: number): string | Promise<string>;
}

/** Output and input as the commands see them: stdout takes results alone, stderr all else. */
export interface Streams {
  readonly format: 'screen' | 'pipe' | 'json';
  /** A person can be asked: stdin and stderr are a terminal and nobody forbade it. */
  readonly interactive: boolean;
  /** Spinners and redrawing are welcome on stderr. */
  readonly animated: boolean;
  /** Columns for results on stdout. */
  readonly width: number;
  /** Columns for what stands on stderr. */
  readonly noteWidth: number;
  readonly raw: RawStreams;
  /** Writes a result to stdout in the form that suits the reader. */
  print(view: View): Promise<void>;
  /** Writes one newline-delimited JSON object. */
  printLine(value: unknown): Promise<void>;
  /** Writes text to stdout as it is; hidden characters must be gone already. */
  write(text: string): Promise<void>;
  /** A sentence as `note` writes it. */
  sentence(text: string): string;
  /**
   * A plain sentence on stderr for people: cleaned, and broken at blanks on a terminal. `--quiet` drops it unless
   * it is `always`.
   */
  note(text: string, always?: boolean): void;
  /** A sentence on stderr that `--quiet` does not drop, marked as a warning. */
  warn(text: string): Promise<void>;
  /** Text on stderr as a renderer made it: hidden characters are gone already. */
  noteRendered(text: string): void;
  /** Style for text on stderr. */
  noteStyle(): Promise<Style>;
}

/** Decides form and colour once, from the flags, the environment and the streams; a window's width may change. */
export function createStreams(
  raw: RawStreams,
  env: Readonly<Record<string, string | undefined>>,
  flags: StreamFlags,
): Streams {
  const screen = raw.stdout.isTTY === true;
  const dumb = env['TERM'] === 'dumb';
  const quiet = flags.quiet === true;
  const watched = raw.stderr.isTTY === true;
  const silentErrors = () => undefined;
  raw.stdout.on('error', silentErrors);
  raw.stderr.on('error', silentErrors);
  const write = (text: string) => writeOrThrow(raw.stdout, text);
  const sentence = (text: string) => {
    const lines = text.split('\n').map(visible).join('\n');
    return watched ? wrapWords(lines, streams.noteWidth).join('\n') : lines;
  };
  const streams: Streams = {
    format: flags.json === true ? 'json' : screen ? 'screen' : 'pipe',
    // Asked when it is needed: merely to look at standard input costs as much as to print the help.
    get interactive() {
      return watched && flags.input !== false && !isOn(env['SWAPCTL_NO_INPUT']) && raw.stdin.isTTY === true;
    },
    // A terminal that says it has no columns, as one without a window does, would have ora clear lines for ever.
    animated: watched && raw.stderr.columns !== 0 && !quiet && !dumb && !isOn(env['CI']),
    get width() {
      return terminalWidth(env['COLUMNS'], raw.stdout.columns);
    },
    noteWidth: terminalWidth(env['COLUMNS'], raw.stderr.columns),
    raw,
    write,
    print: async (view) => {
      if (streams.format === 'json') {
        return write(`${visibleJson(view.json(), screen ? 2 : 0)}\n`);
      }
      if (streams.format === 'pipe') return write(tabSeparated(view.rows()));
      const text = await view.screen(await createStyle(useColour(flags.color, env, screen)), streams.width);
      return write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
    },
    printLine: (value) => write(`${visibleJson(value, 0)}\n`),
    sentence,
    note: (text, always = false) => {
      if (always || !quiet) raw.stderr.write(`${sentence(text)}\n`);
    },
    warn: async (text) => {
      raw.stderr.write(`${(await streams.noteStyle()).yellow(sentence(`warning: ${text}`))}\n`);
    },
    noteRendered: (text) => void raw.stderr.write(text.endsWith('\n') ? text : `${text}\n`),
    noteStyle: () => createStyle(useColour(flags.color, env, watched)),
  };
  return streams;
}

/** JSON text without hidden characters; nearly every text has none, and then nothing is copied. */
function visibleJson(value: unknown, indent: number): string {
  const text = JSON.stringify(value, null, indent);
  return /^[\n\x20-\x7e]*$/.test(text) && !/\\[bfnrtu]/.test(text)
    ? text
    : JSON.stringify(visibleDeep(value), null, indent);
}

/** Rows as tab-separated lines: nothing shortened, no header, hidden characters (tabs too) made visible. */
function tabSeparated(rows: Iterable<readonly (string | number | boolean | null)[]>): string {
  let text = '';
  for (const row of rows)
    text += `${row.map((cell) => visible(cell === null ? '' : String(cell))).join('\t')}\n`;
  return text;
}
