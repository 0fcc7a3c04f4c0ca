import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Context } from '../../../context.ts';
import { UsageError } from '../../../errors.ts';
import { codeInBrackets, systemCode } from '../../../files.ts';
import { visible } from '../../../text.ts';

/** The text of the rows, and whether it is still what was read. */
export interface Source {
  /** The text in pieces; throws a usage error where it is no UTF-8. A byte order mark is left out. */
  readonly chunks: AsyncIterable<string>;
  /** Whether the file was changed or replaced since it was opened; never for a pipe, which is read only once. */
  hasChanged(): Promise<boolean>;
  /** Whether a path leads to the file that is read. */
  isSame(path: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the rows at a path; `-` is standard input. */
export async function openSource(context: Context, path: string): Promise<Source> {
  if (path === '-') {
    const { stdin } = context.streams.raw;
    const never = async () => false;
    return {
      chunks: decoded(context, stdin, path),
      ...{ hasChanged: never, isSame: never, close: async () => undefined },
    };
  }
  const file = await opened(path);
  const before = await file.stat({ bigint: true });
  if (before.isDirectory()) {
    await file.close();
    throw new UsageError(`${visible(path)} is a folder.`);
  }
  return {
    chunks: decoded(context, file.createReadStream({ autoClose: false }), path),
    hasChanged: async () => before.isFile() && !isUnchanged(before, await found(path)),
    isSame: async (other) => {
      const there = await found(other);
      return there !== null && there.dev === before.dev && there.ino === before.ino;
    },
    close: () => file.close(),
  };
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (systemCode(error) === null) throw error;
    const words = systemCode(error) === 'ENOENT' ? 'There is no file' : 'This file cannot be read:';
    throw new UsageError(`${words} ${visible(path)}${codeInBrackets(error)}.`);
  }
}

async function found(path: string): Promise<BigIntStats | null> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

function isUnchanged(before: BigIntStats, now: BigIntStats | null): boolean {
  if (now === null) return false;
  return (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((name) => before[name] === now[name]);
}

async function* decoded({ signal }: Context, stream: Readable, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const text = (chunk?: Uint8Array) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new UsageError(
        `${path === '-' ? 'Standard input' : visible(path)} is not text in UTF-8.`,
        'Save it again as UTF-8; a spreadsheet calls that “CSV UTF-8”.',
      );
    }
  };
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream) yield text(Buffer.from(chunk));
    signal.throwIfAborted();
    yield text();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (systemCode(error) === null || error instanceof UsageError) throw error;
    throw new UsageError(`${visible(path)} cannot be read to its end${codeInBrackets(error)}.`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
