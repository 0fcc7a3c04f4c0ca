import type { Readable } from 'node:stream';
import { UsageError } from '../errors.ts';

const MAX_SECRET_BYTES = 8192;
const MAX_LINE_CHARACTERS = 65_536;

/** Reads all of standard input as text, at most `limit` bytes. */
export async function readText(stdin: Readable, limit: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = () => stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > limit) throw new UsageError(`Standard input holds more than ${limit} bytes.`);
      chunks.push(bytes);
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads a secret from standard input; one line break at its end is not part of it. */
export async function readSecret(stdin: Readable, signal: AbortSignal): Promise<string> {
  return (await readText(stdin, MAX_SECRET_BYTES, signal)).replace(/\r?\n$/, '');
}

/** The lines of standard input, one after the other, without their line breaks. */
export async function* inputLines(stdin: Readable, signal: AbortSignal): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stdin) {
    signal.throwIfAborted();
    const lines = (rest + decoder.decode(Buffer.from(chunk), { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new UsageError(`A line is longer than ${MAX_LINE_CHARACTERS} characters.`);
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  signal.throwIfAborted();
  if (rest !== '') yield rest.replace(/\r$/, '');
}
