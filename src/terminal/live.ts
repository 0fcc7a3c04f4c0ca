import { emitKeypressEvents } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { createLogUpdate } from 'log-update';
import { drawn, joined, shown, type Visible } from '../text.ts';
import type { Style } from './style.ts';
import { displayWidth } from './width.ts';

/** The space for a block, and its style. */
export interface Room {
  readonly width: number;
  /** Lines that can be drawn without the first ones leaving the screen. */
  readonly height: number;
  readonly style: Style;
}

/** A block of lines at the end of the screen, redrawn in place every second and when the size changes. */
export interface LiveBlock {
  /** Replaces the content of the block by a function that returns its lines for each redraw, at most as many as fit. */
  show(lines: (room: Room) => readonly Visible[]): void;
  /** Lets something else be written above the block. */
  above(write: () => void): void;
  bell(): void;
  /** Rejects as soon as the terminal cannot be written to. */
  readonly closed: Promise<never>;
  /** Ends the drawing; the last frame stays. */
  end(): void;
}

/** The terminal below a block. */
export interface LiveTerminal {
  write(text: Visible): Promise<void>;
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  /** True to never ring the bell. */
  readonly quiet: boolean;
  /** Calls back when the size has changed; returns a function that stops it. */
  onResize(changed: () => void): () => void;
  /** Calls back every second; returns a function that stops it. */
  everySecond(passed: () => void): () => void;
}

const BELL = shown`\u0007`;

/** Starts a live block at the cursor, which must be at the start of a line. */
export function createLiveBlock(terminal: LiveTerminal): LiveBlock {
  let fail: (error: unknown) => void = () => undefined;
  const closed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // An unhandled rejection would end the process if no one awaits it.
  closed.catch(() => undefined);
  const put = (text: Visible) => void terminal.write(text).catch(fail);
  // The cursor stays visible: the library that restores it listens for signals, and would end the process silently.
  const render = createLogUpdate(sink(terminal, put), { showCursor: true });
  let lines: ((room: Room) => readonly Visible[]) | null = null;
  let frame: readonly Visible[] = [];
  let frameWidth = terminal.width;

  const draw = () => {
    if (lines === null) return;
    const { width, style } = terminal;
    // log-update counts lines; a frame that the terminal has wrapped takes more rows than that.
    if (frame.length > 0 && (width !== frameWidth || frame.some((line) => rowsOf(line, width) > 1))) {
      put(wiped(frame, width));
      render.done();
    }
    // The cursor is below the block.
    frame = lines({ width, style, height: Math.max(1, terminal.height - 1) });
    frameWidth = width;
    render(joined(frame.map((line) => shown`${line}\n`)));
  };
  const ends = [terminal.onResize(draw), terminal.everySecond(draw)];
  return {
    show: (next) => {
      lines = next;
      draw();
    },
    above: (write) => {
      render.clear();
      write();
      frame = [];
      draw();
    },
    bell: () => {
      if (!terminal.quiet) put(BELL);
    },
    closed,
    end: () => {
      for (const end of ends) end();
      render.done();
      lines = null;
    },
  };
}

/** Goes to the beginning of a frame, as many rows up as it takes at this width, and clears all below. */
function wiped(frame: readonly Visible[], width: number): Visible {
  const rows = frame.reduce((sum, line) => sum + rowsOf(line, width), 0);
  return shown`\u001b[${rows}A\r\u001b[J`;
}

/** Rows that a line takes on a terminal, which breaks it at its edge. */
function rowsOf(line: Visible, width: number): number {
  return Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / width));
}

/** More columns than any line has: log-update would break a long line, which could then not be copied whole. */
const NO_WRAPPING = 100_000;

/** The terminal as log-update sees it; the height is read at each drawing. */
function sink(terminal: LiveTerminal, put: (text: Visible) => void): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      put(drawn(chunk));
      done();
    },
  });
  return Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { value: NO_WRAPPING },
    rows: { get: () => terminal.height },
  });
}

/** A key that was pressed. */
export interface Key {
  /** `up`, `down`, `pageup`, `pagedown`, `home`, `end`, `left`, `return`, `escape`, `backspace`, `interrupt`, or empty. */
  readonly name: string;
  /** The printable character that it types; empty for other keys. */
  readonly text: string;
}

/** Calls back for each key until the returned function is called, which gives the terminal back as it was. */
export function readKeys(input: Readable, pressed: (key: Key) => void): () => void {
  const terminal = input as NodeJS.ReadStream;
  const onKey = (text: string | undefined, key: { name?: string; ctrl?: boolean; meta?: boolean }) => {
    const { name = '', ctrl = false, meta = false } = key;
    // A terminal in raw mode sends no signal.
    if (ctrl && name === 'z' && process.platform !== 'win32') return suspend(terminal);
    if (ctrl) return name === 'c' ? pressed({ name: 'interrupt', text: '' }) : undefined;
    const isText = text !== undefined && !meta && /^[^\p{Cc}\p{Cf}\p{Cs}]$/u.test(text);
    pressed({ name: name === 'enter' ? 'return' : name, text: isText ? text : '' });
  };
  emitKeypressEvents(terminal);
  terminal.setRawMode(true);
  terminal.on('keypress', onKey).resume();
  return () => {
    terminal.off('keypress', onKey);
    terminal.setRawMode(false);
    terminal.pause();
  };
}

/** Stops the process and those started with it, as Ctrl-Z does, with the terminal as it was, until the shell continues them. */
function suspend(terminal: NodeJS.ReadStream): void {
  terminal.setRawMode(false);
  process.once('SIGCONT', () => terminal.setRawMode(true));
  process.kill(0, 'SIGTSTP');
}
