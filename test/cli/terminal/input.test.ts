import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { openInput, readInput } from '../../../src/cli/terminal/input.ts';

const never = new AbortController().signal;

it('standard input above the size limit is rejected', async () => {
  const stdin = new PassThrough().end('more than ten');
  await expect(readInput(openInput('-', { stdin, signal: never }), 10)).rejects.toThrow(
    'Standard input is larger than 10 bytes.',
  );
});

it('reading idle standard input ends when the signal is aborted', async () => {
  const stopped = new AbortController();
  const read = readInput(openInput('-', { stdin: new PassThrough(), signal: stopped.signal }));
  stopped.abort(new InterruptedError('SIGINT'));
  await expect(read).rejects.toBe(stopped.signal.reason);
});

it('reading an endless device can be stopped in the middle', async () => {
  const input = openInput('/dev/zero', { stdin: new PassThrough(), signal: never });
  for await (const chunk of input.bytes) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  input.close();
});
