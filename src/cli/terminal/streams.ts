import type { Readable, Writable } from 'node:stream';
import { ClosedPipe, SwapctlError } from '../../base/errors.ts';
import { systemCode } from '../../base/files.ts';
import { joined, shown, type Visible, visible, visibleCells, visibleJson } from '../../base/text.ts';
import { asciiOf, unchanged, visibleForTerminal } from './encode.ts';
import * as environment from './environment.ts';
import type { Key, LiveBlock } from './live.ts';
import { createStyle, type Style } from './style.ts';
import { wrapWords } from './width.ts';

/** What Node knows about the terminal behind a stream. */
interface TerminalFacts {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** The three streams of the process, or a test's. */
export interface RawStreams {
  readonly stdin: Readable & TerminalFacts;
  readonly stdout: Writable & TerminalFacts;
  readonly stderr: Writable & TerminalFacts;
}

/** Value of one cell of a row; it is made visible when it is written. */
export type Cell = string | number | boolean | null;

/** A result, described once for its three forms. */
export interface View {
  /** The value behind `--json`. */
  json(): unknown;
  /** Rows of cells for a pipe: one row per item of a list, `[name, value]` rows for a single thing. */
  rows(): Iterable<readonly Cell[]>;
  /** Text for a person at a terminal `width` columns wide. */
  screen(style: Style, width: number): Visible | '' | Promise<Visible | ''>;
}

/** A result that a person reads as one line of text. */
export function textView(json: unknown, text: string): View {
  return { json: () => json, rows: () => [[text]], screen: () => visible(text) };
}

/** Stored settings of the terminal, read when needed; null for one that is not stored. */
interface StoredAppearance {
  colour?(): environment.ColourChoice | null;
  explorer?(network: string): string | null;
}

/** Output and input of commands: results go to stdout, everything else to stderr. */
export type Streams = ReturnType<typeof createStreams>;

/** Indent of a sentence's further lines, so that outside text after a break does not look like our own line. */
const CONTINUED = shown`  `;

/** Lines of a terminal that does not report its size. */
const USUAL_ROWS = 24;

/**
 * Decides form and colour once, from the flags, the environment, the stored choice of colour and the streams; a
 * window's width may change.
 */
export function createStreams(
  raw: RawStreams,
  env: NodeJS.ProcessEnv,
  flags: environment.StreamFlags,
  { colour = () => null, explorer = () => null }: StoredAppearance = {},
) {
  const facts = factsOf(raw, env, flags);
  const { screen, watched, quiet, ascii, format, width, noteWidth } = facts;
  const silentErrors = () => undefined;
  raw.stdout.on('error', silentErrors);
  raw.stderr.on('error', silentErrors);
  const styleFor = (terminal: boolean) =>
    createStyle(environment.useColour(flags.color, env, terminal, colour), {
      hasBlocks: !facts.accessible && !ascii,
      background: environment.backgroundOf(env),
      links: terminal && !facts.accessible && environment.showsLinks(env) ? explorer : null,
    });
  const write = (text: Visible) => writeOrThrow(raw.stdout, text);
  const writeScreen = (text: Visible) => write(ascii && screen ? asciiOf(text) : text);
  const noteStyle = () => styleFor(watched);
  const live = liveScreen(raw, facts, writeScreen, () => styleFor(true));
  const note = (text: Visible) =>
    live.above(() => void raw.stderr.write(endingLine(ascii && watched ? asciiOf(text) : text)));
  const inLocale = (text: string) => (ascii ? asciiOf(visible(text)) : visible(text));
  const sentence = (text: string) =>
    watched
      ? joined(wrapWords(inLocale(text), noteWidth - CONTINUED.length), shown`\n${CONTINUED}`)
      : visible(text);
  const select = (value: unknown) => (flags.fields === undefined ? value : picked(value, flags.fields));
  return {
    format,
    /** A person can be asked: stdin and stderr are terminals, and questions are not disabled. */
    get interactive() {
      return facts.interactive();
    },
    /** Spinners and redrawing are allowed on stderr. */
    animated: facts.animated,
    /** Columns for results on stdout. */
    get width() {
      return width();
    },
    /** Columns for text on stderr. */
    noteWidth,
    /** Standard input, and facts about the terminals of the outputs, which cannot be written to from here. */
    raw: raw as Pick<RawStreams, 'stdin'> & Readonly<Record<'stdout' | 'stderr', TerminalFacts>>,
    /** Starts a block at the end of the screen that is redrawn in place; null if stdout cannot be redrawn, or with `--json`. */
    live: live.start,
    /** Calls back for each key that is pressed, until the returned function is called; null without a keyboard. */
    keys: live.keys,
    /** What `--fields` leaves of a JSON value; all of it without the flag. */
    select,
    /** Writes text to stdout as it is. */
    write: (text: Visible) => (format === 'screen' ? writeScreen(text) : write(text)),
    /**
     * Writes outside text to stdout unchanged: byte for byte in a pipe or a file, with hidden characters made visible on a
     * terminal.
     */
    writeAsItCame: (text: string) => write(screen ? endingLine(visibleForTerminal(text)) : unchanged(text)),
    /** Writes a result to stdout in the form that suits the reader. */
    print: async (view: View): Promise<void> => {
      if (format === 'json') return write(shown`${jsonText(select(view.json()), screen ? 2 : 0)}\n`);
      if (format === 'pipe') return write(tabSeparated(view.rows()));
      const text = await view.screen(await styleFor(screen), width());
      if (text !== '') await writeScreen(endingLine(text));
    },
    /** Writes one newline-delimited JSON object. */
    printLine: (value: unknown) => write(shown`${jsonText(select(value), 0)}\n`),
    /** A sentence as `note` writes it. */
    sentence,
    /**
     * Writes a plain sentence for people to stderr, broken at spaces on a terminal. `--quiet` drops it unless `always` is
     * true.
     */
    note: (text: string, always = false): void => {
      if (always || !quiet) note(shown`${sentence(text)}\n`);
    },
    /** A sentence on stderr that `--quiet` does not drop, marked as a warning. */
    warn: async (text: string): Promise<void> => {
      note((await noteStyle()).yellow(sentence(`warning: ${text}`)));
    },
    /** Writes text of a renderer to stderr. */
    noteRendered: note,
    /** Style for text on stderr. */
    noteStyle,
  };
}

/** What is known of the terminals, from flags, environment and streams. */
function factsOf(raw: RawStreams, env: NodeJS.ProcessEnv, flags: environment.StreamFlags) {
  const screen = raw.stdout.isTTY === true;
  const watched = raw.stderr.isTTY === true;
  const quiet = flags.quiet === true;
  // `ACCESSIBLE` says that output must suit a screen reader.
  const [accessible, ascii] = [environment.isOn(env['ACCESSIBLE']), environment.isAsciiLocale(env)];
  const isStill = env['TERM'] === 'dumb' || accessible || environment.isOn(env['CI']);
  const format: 'json' | 'screen' | 'pipe' = flags.json === true ? 'json' : screen ? 'screen' : 'pipe';
  return {
    screen,
    watched,
    quiet,
    accessible,
    ascii,
    format,
    // On a terminal that reports 0 columns, such as one without a window, ora would clear lines forever.
    animated: watched && raw.stderr.columns !== 0 && !quiet && !ascii && !isStill,
    canRedraw: () => format === 'screen' && raw.stdout.columns !== 0 && !isStill,
    width: () => environment.terminalWidth(env['COLUMNS'], raw.stdout.columns),
    noteWidth: environment.terminalWidth(env['COLUMNS'], raw.stderr.columns),
    // Evaluated when needed: reading a property of standard input costs as much as printing the help.
    interactive: () =>
      watched &&
      flags.input !== false &&
      !environment.isOn(env['SWAPCTL_NO_INPUT']) &&
      !environment.isOn(env['CI']) &&
      raw.stdin.isTTY === true,
  };
}

/** The block at the end of the screen that is redrawn in place, at most one at a time. */
function liveScreen(
  raw: RawStreams,
  { quiet, canRedraw, width, interactive }: ReturnType<typeof factsOf>,
  write: (text: Visible) => Promise<void>,
  styleOf: () => Promise<Style>,
) {
  let live: LiveBlock | null = null;
  const start = async (): Promise<LiveBlock | null> => {
    if (!canRedraw()) return null;
    const style = await styleOf();
    const block = (await liveTools()).createLiveBlock({
      write,
      style,
      quiet,
      get width() {
        return width();
      },
      get height() {
        return raw.stdout.rows ?? USUAL_ROWS;
      },
      onResize: (changed) => {
        raw.stdout.on('resize', changed);
        return () => raw.stdout.off('resize', changed);
      },
      everySecond: (passed) => {
        const timer = setInterval(passed, 1000);
        return () => clearInterval(timer);
      },
    });
    const end = () => {
      live = null;
      block.end();
    };
    live = { ...block, end };
    return live;
  };
  return {
    start,
    /** Writes above the block, if there is one. */
    above: (put: () => void) => (live === null ? put() : live.above(put)),
    keys: async (pressed: (key: Key) => void): Promise<(() => void) | null> => {
      if (!interactive() || !('setRawMode' in raw.stdin)) return null;
      return (await liveTools()).readKeys(raw.stdin, pressed, () => live?.leave());
    },
  };
}

/** What only a live screen needs. */
const liveTools = () => import('./live.ts');

/** The text with a line break at its end, unless it has one. */
function endingLine(text: Visible): Visible {
  return text.endsWith('\n') ? text : shown`${text}\n`;
}

/** The named keys of an object, or of each item of a list, in the order of the names. Keys that are not there are left out. */
function picked(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => picked(item, fields));
  if (typeof value !== 'object' || value === null) return value;
  const inner = new Map<string, readonly string[] | null>();
  for (const field of fields) {
    const [key = '', ...rest] = field.split('.');
    const known = inner.get(key);
    // Null for the whole value, which includes each of its keys.
    inner.set(key, rest.length === 0 || known === null ? null : [...(known ?? []), rest.join('.')]);
  }
  const source = new Map<string, unknown>(Object.entries(value));
  const kept = [...inner].filter(([key]) => source.has(key));
  return Object.fromEntries(
    kept.map(([key, names]) => [key, names === null ? source.get(key) : picked(source.get(key), names)]),
  );
}

function jsonText(value: unknown, indent: number): Visible {
  return visibleJson(value, (clean) => JSON.stringify(clean, null, indent));
}

/** Rows as tab-separated lines: nothing shortened, no header, hidden characters (tabs too) made visible. */
export function tabSeparated(rows: Iterable<readonly Cell[]>): Visible {
  const lines: Visible[] = [];
  for (const row of rows) lines.push(visibleCells(row.map((cell) => (cell === null ? '' : String(cell)))));
  return lines.length === 0 ? joined([]) : shown`${joined(lines, shown`\n`)}\n`;
}

/** Writes text that has passed the gate and waits until it is out. Throws {@link ClosedPipe}, or `write_failed` on a full disk and the like. */
export function writeOrThrow(stream: Writable, text: Visible): Promise<void> {
  if (text === '') return Promise.resolve();
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(writeError(error));
    });
  });
}

function writeError(error: Error): Error {
  const code = systemCode(error) ?? error.name;
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return new ClosedPipe();
  return new SwapctlError('write_failed', `The result could not be written to standard output (${code}).`, {
    outcome: 'done',
    hint: 'The command itself completed. Free some disk space, then read its result again.',
  });
}
