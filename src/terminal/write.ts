import type { Writable } from 'node:stream';
import { ClosedPipe, SwapctlError } from '../errors.ts';
import { systemCode } from '../files.ts';
import type { Visible } from '../text.ts';

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
