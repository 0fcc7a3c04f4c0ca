import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { openInput, readInput } from '../../../src/cli/terminal/input.ts';

const never = new AbortController().signal;

it('standard input has a limit', async () => {
  const stdin = new PassThrough().end('more than ten');
  await expect(readInput('-', { stdin, signal: never }, 10)).rejects.toThrow(
    'Standard input is larger than 10 bytes.',
  );
});

it('standard input that says nothing is left as soon as the signal is aborted', async () => {
  const stopped = new AbortController();
  const read = readInput('-', { stdin: new PassThrough(), signal: stopped.signal });
  stopped.abort(new InterruptedError('SIGINT'));
  await expect(read).rejects.toBe(stopped.signal.reason);
});

it('a device without an end can be given up half-way', async () => {
  const input = openInput('/dev/zero', { stdin: new PassThrough(), signal: never });
  for await (const chunk of input.bytes) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  input.close();
});
