import { emitKeypressEvents, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { joined, shown, type Visible } from '../../base/text.ts';
import type { Style } from './style.ts';
import { displayWidth } from './width.ts';

/** The space for a block, and its style. */
export interface Room {
  readonly width: number;
  /** Number of lines that can be drawn without scrolling. */
  readonly height: number;
  readonly style: Style;
}

/** A block of lines at the end of the screen, redrawn in place every second and when the size changes. */
export type LiveBlock = ReturnType<typeof createLiveBlock>;

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
export function createLiveBlock(terminal: LiveTerminal) {
  let fail: (error: unknown) => void = () => undefined;
  const closed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // An unhandled rejection would end the process if no one awaits it.
  closed.catch(() => undefined);
  const put = (text: Visible) => void terminal.write(text).catch(fail);
  let lines: ((room: Room) => readonly Visible[]) | null = null;
  // The cursor is below the frame.
  let frame: readonly Visible[] = [];
  let frameWidth = terminal.width;

  const draw = () => {
    if (lines === null) return;
    const { width, style } = terminal;
    const height = Math.max(1, terminal.height - 1);
    const next = fitting(lines({ width, style, height }), width, height);
    const text = redrawn(frame, next, width, width === frameWidth);
    frame = next;
    frameWidth = width;
    if (text !== null) put(shown`${AT_ONCE}${text}${SHOW}`);
  };
  const ends = [terminal.onResize(draw), terminal.everySecond(draw)];
  const leave = () => {
    frame = [];
  };
  return {
    /** Replaces the content of the block by a function that returns its lines for each redraw, at most as many as fit. */
    show: (next: (room: Room) => readonly Visible[]): void => {
      lines = next;
      draw();
    },
    /** Allows other output above the block. */
    above: (write: () => void): void => {
      // The next frame ends the synchronized update.
      put(shown`${AT_ONCE}${upTo(frame, terminal.width)}${CLEAR_BELOW}`);
      write();
      leave();
      draw();
      // If nothing was drawn, the terminal would wait for the end.
      if (frame.length === 0) put(SHOW);
    },
    /** Keeps the last frame; the next one is drawn at the cursor. */
    leave,
    bell: (): void => {
      if (!terminal.quiet) put(BELL);
    },
    /** Rejects as soon as the terminal cannot be written to. */
    closed,
    /** Ends the drawing; the last frame stays. */
    end: (): void => {
      for (const end of ends) end();
      lines = null;
    },
  };
}

/** The first lines, as far as all rows that they take fit: a frame that scrolls could not be drawn over. */
function fitting(lines: readonly Visible[], width: number, height: number): readonly Visible[] {
  let rows = 0;
  return lines.filter((line) => {
    rows += rowsOf(line, width);
    return rows <= height;
  });
}

/** Draws a frame over the one before it, only the lines that differ where each is one row; null if nothing differs. */
function redrawn(frame: readonly Visible[], next: readonly Visible[], width: number, isSameWidth: boolean) {
  const isSame = isSameWidth && frame.length === next.length;
  if (isSame && next.every((line, index) => line === frame[index])) return null;
  const isPatch = isSameWidth && [...frame, ...next].every((line) => rowsOf(line, width) === 1);
  const kept = isPatch ? frame : [];
  const rows = next.map((line, index) => (line === kept[index] ? shown`\n` : shown`\u001b[K${line}\n`));
  const erased = (isNeeded: boolean) => (isNeeded ? CLEAR_BELOW : shown``);
  return shown`${upTo(frame, width)}${erased(!isPatch)}${joined(rows)}${erased(next.length < kept.length)}`;
}

/** Starts a synchronized update, which the terminal shows in one step. */
const AT_ONCE = shown`\u001b[?2026h`;
const SHOW = shown`\u001b[?2026l`;
const CLEAR_BELOW = shown`\u001b[J`;

/** Goes to the beginning of a frame, as many rows up as it takes at this width. */
function upTo(frame: readonly Visible[], width: number): Visible {
  const rows = frame.reduce((sum, line) => sum + rowsOf(line, width), 0);
  return rows === 0 ? shown`` : shown`\u001b[${rows}A\r`;
}

/** Rows that a line takes on a terminal, which breaks it at its edge. */
function rowsOf(line: Visible, width: number): number {
  return Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / width));
}

/** A key that was pressed. */
export interface Key {
  /** `up`, `down`, `pageup`, `pagedown`, `home`, `end`, `left`, `return`, `escape`, `backspace`, `interrupt`, or empty. */
  readonly name: string;
  /** The printable character that it types; empty for other keys. */
  readonly text: string;
}

/** Milliseconds after which an escape is the key itself, and not the start of another key's code; readline's are 500. */
const ESCAPE_MS = 50;

/** Has the keys of a terminal reported as `keypress`. */
export function reportKeys(terminal: NodeJS.ReadStream): void {
  emitKeypressEvents(terminal, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
}

/**
 * Calls back for each key until the returned function is called, which restores the terminal. `suspended` is called
 * before Ctrl-Z stops the process.
 */
export function readKeys(input: Readable, pressed: (key: Key) => void, suspended: () => void): () => void {
  const terminal = input as NodeJS.ReadStream;
  const onKey = (text: string | undefined, key: { name?: string; ctrl?: boolean; meta?: boolean }) => {
    const { name = '', ctrl = false, meta = false } = key;
    // A terminal in raw mode sends no signal.
    if (ctrl && name === 'z' && process.platform !== 'win32') {
      suspended();
      return suspend(terminal);
    }
    if (ctrl) return name === 'c' ? pressed({ name: 'interrupt', text: '' }) : undefined;
    const isText = text !== undefined && !meta && /^[^\p{Cc}\p{Cf}\p{Cs}]$/u.test(text);
    pressed({ name: name === 'enter' ? 'return' : name, text: isText ? text : '' });
  };
  // A closed terminal can be neither read nor restored: an unhandled error would be thrown.
  terminal.on('error', () => undefined);
  reportKeys(terminal);
  terminal.setRawMode(true);
  terminal.on('keypress', onKey).resume();
  return () => {
    terminal.off('keypress', onKey);
    terminal.setRawMode(false);
    terminal.pause();
  };
}

/** Interrupts the process, as Ctrl-C does at a terminal that is not in raw mode. */
export function interrupt(): void {
  if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
}

/** Stops the process and those started with it, as Ctrl-Z does, with the terminal as it was, until the shell continues them. */
function suspend(terminal: NodeJS.ReadStream): void {
  terminal.setRawMode(false);
  process.once('SIGCONT', () => terminal.setRawMode(true));
  process.kill(0, 'SIGTSTP');
}
