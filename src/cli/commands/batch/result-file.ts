import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { codeInBrackets, replaceFile, systemCode } from '../../../base/files.ts';
import { echoed, type Visible, visible } from '../../../base/text.ts';
import type { RowFormat } from './rows/columns.ts';

/** The form of a result, by the name of its file. */
export function resultFormat(path: string): RowFormat {
  if (/\.csv$/i.test(path)) return 'csv';
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return 'jsonl';
  throw new UsageError(
    `Unknown format of the result file ${echoed(path)}.`,
    'Use a name that ends in .csv or .jsonl.',
  );
}

/** A file that appears whole under its name, and that only its owner can read. */
export type ResultFile = Awaited<ReturnType<typeof openResultFile>>;

/** Begins a temporary file next to its path. Throws a usage error if that is impossible, or the path is a folder. */
export async function openResultFile(path: string) {
  const format = resultFormat(path);
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}`);
  const file = await begun(path, draft);
  let isPublished = false;
  return {
    format,
    write: (text: Visible) => withWriteErrors(path, () => file.writeFile(text)),
    /** Moves it to its path, replacing an existing file. */
    publish: () =>
      withWriteErrors(path, async () => {
        await file.sync();
        await file.close();
        replaceFile(draft, path);
        isPublished = true;
      }),
    /** Removes it, unless it was published. */
    discard: async () => {
      if (isPublished) return;
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

async function begun(path: string, draft: string): Promise<FileHandle> {
  try {
    const there = await stat(path).catch(() => null);
    if (there !== null && !there.isFile())
      throw new UsageError(`The result cannot be written to ${visible(path)}, which is not a file.`);
    return await open(draft, 'wx', 0o600);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    throw new UsageError(`The result cannot be written to ${visible(path)}${codeInBrackets(error)}.`);
  }
}

async function withWriteErrors(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (systemCode(error) === null) throw error;
    const words = `The result could not be written to ${visible(path)}${codeInBrackets(error)}.`;
    const hint =
      'All created swaps are in the ledger. Run the same command again to write the result; no row is created twice.';
    throw new SwapctlError('write_failed', words, { outcome: 'done', hint });
  }
}
