import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageError } from '../../../base/errors.ts';
import { codeInBrackets, systemCode } from '../../../base/files.ts';
import { linesOf } from '../../terminal/input.ts';

/** Items on disk in the order in which they were added, for this process only, so that many rows need no memory. */
export type Spool<T> = Awaited<ReturnType<typeof openSpool<T>>>;

const BUFFER_CHARACTERS = 65_536;
/** A checked row has the contents of the file and the results of the check. */
const MAX_ITEM_CHARACTERS = 1_000_000;

/** Makes a spool in a private temporary file, which disappears with the process. Throws `storage_failed`. */
export async function openSpool<T>() {
  const { file, folder } = await writeOrExplain(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'swapctl-batch-'));
    return { folder, file: await open(join(folder, 'rows'), 'wx+', 0o600) };
  });
  // The open file stays usable; on systems where it does not, the folder is removed at the end.
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  let buffered = '';
  const flush = () =>
    writeOrExplain(async () => {
      const text = buffered;
      buffered = '';
      await file.writeFile(text);
    });
  return {
    add: async (item: T) => {
      buffered += `${JSON.stringify(item)}\n`;
      if (buffered.length > BUFFER_CHARACTERS) await flush();
    },
    /** All items, once every one has been added. */
    items: async function* () {
      await flush();
      for await (const { text } of linesOf(textOf(file), MAX_ITEM_CHARACTERS)) yield JSON.parse(text) as T;
    },
    close: async () => {
      await file.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function* textOf(file: FileHandle): AsyncGenerator<string> {
  const stream = file.createReadStream({ start: 0, autoClose: false, encoding: 'utf8' });
  for await (const chunk of stream) yield String(chunk);
}

async function writeOrExplain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (systemCode(error) === null) throw error;
    throw new StorageError(
      `The checked rows could not be written to a temporary file${codeInBrackets(error)}.`,
      'Free some space in the folder for temporary files, or set TMPDIR to another folder.',
    );
  }
}
