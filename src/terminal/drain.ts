import { InterruptedError } from '../errors.ts';

/** Silence after which the terminal counts as drained, in milliseconds; shorter than any keystroke takes. */
const QUIET_MS = 60;
const CTRL_C = 0x03;

/**
 * Discards what was typed before now, so that it does not answer a question that was not on the screen yet. Throws
 * {@link InterruptedError} for a Ctrl-C in it and for the end of input.
 */
export async function drain(input: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  // Without raw mode a terminal keeps a line to itself until the Enter key, and it would answer the next question.
  input.setRawMode?.(true);
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer | string) => {
      if (Buffer.from(chunk).includes(CTRL_C)) settle(() => reject(new InterruptedError('SIGINT')));
      else timer.refresh();
    };
    const onEnd = () => settle(() => reject(new InterruptedError('SIGINT')));
    const onAbort = () => settle(resolve);
    const timer = setTimeout(onAbort, QUIET_MS);
    const settle = (how: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      input.off('data', onData).off('end', onEnd).off('close', onEnd).pause();
      how();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    input.on('data', onData).once('end', onEnd).once('close', onEnd).resume();
  });
}
