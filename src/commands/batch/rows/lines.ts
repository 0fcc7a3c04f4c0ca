import { UsageError } from '../../../errors.ts';
import { MAX_ROW_CHARACTERS } from '../../shared/csv-rows.ts';

/** The lines of a text that comes in pieces, without their line breaks; the first has the number 1. Throws for one that is too long. */
export async function* linesOf(
  chunks: AsyncIterable<string>,
  most: number = MAX_ROW_CHARACTERS,
): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  let rest = '';
  let line = 0;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) yield { line: ++line, text: text.replace(/\r$/, '') };
    if (rest.length > most) throw new UsageError(`Line ${line + 1} is longer than ${most} characters.`);
  }
  if (rest !== '') yield { line: line + 1, text: rest.replace(/\r$/, '') };
}
