import { InterruptedError, StoppedError } from '../../base/errors.ts';
import { joined, shown, visible } from '../../base/text.ts';
import type { Streams } from './streams.ts';
import { wrapWords } from './width.ts';

/** Sets the text of a redrawn line, and of one below it. */
export type Change = (text: string, below?: string) => void;

/** Erases the `^C` that a terminal shows for Ctrl-C, before the next line is written. */
export function wipeEcho({ animated, raw }: Streams): void {
  if (animated) terminalOf(raw).write(shown`\r\u001b[K`);
}

/**
 * Shows a spinner on stderr during the work on an interactive terminal; otherwise just does the work. The work gets a
 * function that changes the text, or null if no spinner is shown.
 */
export async function withProgress<T>(
  streams: Streams,
  text: string,
  work: (change: Change | null) => Promise<T>,
): Promise<T> {
  if (!streams.animated) return work(null);
  const free = await quietKeyboard(streams);
  const { default: ora } = await import('ora');
  const { colour } = await streams.noteStyle();
  const started = Date.now();
  const spinner = ora({
    text: visible(text),
    suffixText: () => {
      const seconds = Math.floor((Date.now() - started) / 1000);
      return seconds < 5 ? '' : `(${seconds} s)`;
    },
    // ora would otherwise decide both by its own rules.
    isEnabled: true,
    color: colour ? 'cyan' : false,
    stream: terminalOf(streams.raw),
    discardStdin: false,
    // ora 9 shows the cursor again through restore-cursor, which listens for signals and would end the process immediately.
    hideCursor: false,
  }).start();
  try {
    return await work((changed, below) => {
      spinner.suffixText = '';
      const lines = below === undefined ? visible(changed) : shown`${visible(changed)}\n  ${visible(below)}`;
      // ora would break the lines in the middle of words.
      spinner.text = joined(wrapWords(lines, streams.noteWidth - SPINNER_WIDTH), shown`\n`);
    });
  } finally {
    spinner.stop();
    free?.();
  }
}

/**
 * Keeps keys from being shown beside a spinner, until the returned function is called; null where no one types, or a
 * question has the keyboard. Ctrl-C interrupts as always.
 */
async function quietKeyboard(streams: Streams): Promise<(() => void) | null> {
  if ('isRaw' in streams.raw.stdin && streams.raw.stdin.isRaw === true) return null;
  const { interrupt } = await import('./live.ts');
  return streams.keys(({ name }) => {
    if (name === 'interrupt') interrupt();
  });
}

/** The spinner before the text, and a column that stays free. */
const SPINNER_WIDTH = 3;

/** Standard error for a library that draws on its own. */
function terminalOf({ stderr }: Streams['raw']): NodeJS.WriteStream {
  return stderr as NodeJS.WriteStream;
}

/** Watches something; Ctrl-C during this time ends only the watching, as `words` say. */
export async function untilInterrupted<T>(
  { streams }: { streams: Streams },
  words: string,
  watch: () => Promise<T>,
) {
  try {
    return await watch();
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    wipeEcho(streams);
    throw new StoppedError(error.signal, words);
  }
}

/** Resolves once a signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
