import { type BigIntStats, closeSync, constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { UsageError } from '../../base/errors.ts';
import { systemCode, unreadableFile } from '../../base/files.ts';
import { echoed } from '../../base/text.ts';

/** Source of standard input, and the signal that ends reading. */
export interface InputIo {
  readonly stdin: Readable;
  readonly signal: AbortSignal;
}

/** An input named by the person: a file, a named pipe, or standard input. */
export interface Input {
  /** For messages: `Standard input`, or the path. */
  readonly name: string;
  /**
   * Throws the reason of the signal as soon as that is aborted, even if no one writes to a pipe. Throws a usage error
   * if it cannot be read to its end.
   */
  readonly bytes: AsyncIterable<Buffer>;
  /** The file as it was when it was opened; null for standard input. */
  readonly found: BigIntStats | null;
  close(): void;
}

/** Opens a named input; `-` is standard input. Does not wait. Throws a usage error if it cannot be opened. */
export function openInput(path: string, { stdin, signal }: InputIo): Input {
  if (path === '-')
    return {
      name: 'Standard input',
      found: null,
      close: () => undefined,
      bytes: bytesOf(stdin, signal, 'standard input'),
    };
  try {
    // Without O_NONBLOCK, the opening of a pipe waits for its writer, and no signal can end that.
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(descriptor, { bigint: true });
    if (found.isDirectory()) {
      closeSync(descriptor);
      throw new UsageError(`${echoed(path)} is a folder, not a file.`);
    }
    const stream = streamOf(descriptor, found);
    const name = echoed(path);
    return { name, found, bytes: bytesOf(stream, signal, path), close: () => void stream.destroy() };
  } catch (error) {
    throw error instanceof UsageError ? error : unreadableFile(path, error);
  }
}

/** Reads a whole input in UTF-8. Throws a usage error. */
export async function readInput({ name, bytes }: Input, maxBytes = MAX_TEXT_BYTES): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new UsageError(`${name} is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const MAX_TEXT_BYTES = 64_000_000;
const MAX_LINE_CHARACTERS = 65_536;

/** Pipes and terminals are read as sockets are: no thread of Node's waits for them, which no signal could end. */
function streamOf(descriptor: number, found: BigIntStats): Readable {
  if (found.isFIFO()) return new Socket({ fd: descriptor, readable: true, writable: false });
  if (isatty(descriptor)) return new ReadStream(descriptor);
  return createReadStream('', { fd: descriptor });
}

async function* bytesOf(stream: Readable, signal: AbortSignal, path: string): AsyncGenerator<Buffer> {
  const stop = () => void stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    for await (const chunk of stream) yield Buffer.from(chunk);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (systemCode(error) === null || error instanceof UsageError) throw error;
    throw unreadableFile(path, error);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
  signal.throwIfAborted();
}

/** Decodes UTF-8 as it arrives, in parts that never split a character; invalid bytes become U+FFFD. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/**
 * The lines of a text that arrives in pieces, without their line breaks; the first is number 1. Throws a usage error
 * for one that is too long.
 */
export async function* linesOf(text: AsyncIterable<string>, maxCharacters: number = MAX_LINE_CHARACTERS) {
  let rest = '';
  let line = 0;
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) yield { line: ++line, text: each.replace(/\r$/, '') };
    if (rest.length > maxCharacters)
      throw new UsageError(`Line ${line + 1} is longer than ${maxCharacters} characters.`);
  }
  if (rest !== '') yield { line: line + 1, text: rest.replace(/\r$/, '') };
}
