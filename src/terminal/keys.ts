import { emitKeypressEvents } from 'node:readline';
import type { Readable } from 'node:stream';

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
