import type { Context } from '../../context.ts';
import { InterruptedError } from '../../errors.ts';
import type { CheckedRow } from './checked-row.ts';
import type { CreateTools, RowEnd } from './create-row.ts';
import { createRow, failed } from './create-row.ts';
import { inOrder } from './in-order.ts';
import { Patience } from './patience.ts';

/** Rows that are under way together. */
export const MAX_AT_ONCE = 5;

/**
 * Creates the rows, a few at once, and gives their ends in the order of the file. After an interruption no further row
 * is begun, those under way are waited for, and the interruption is thrown at the end.
 */
export async function* createAll(
  context: Context,
  tools: CreateTools,
  rows: AsyncIterable<CheckedRow>,
): AsyncGenerator<RowEnd, void, undefined> {
  const patience = new Patience();
  const one = async (checked: CheckedRow): Promise<RowEnd | InterruptedError> => {
    const refusal = checked.fresh === null ? null : patience.refusal();
    if (refusal !== null) return failed(checked, refusal);
    try {
      const end = await createRow(context, tools, checked);
      patience.note(end);
      return end;
    } catch (error) {
      if (error instanceof InterruptedError) return error;
      throw error;
    }
  };
  for await (const end of inOrder(untilAborted(context, rows), MAX_AT_ONCE, one))
    if (!(end instanceof InterruptedError)) yield end;
  context.signal.throwIfAborted();
}

async function* untilAborted<T>({ signal }: Context, items: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const item of items) {
    if (signal.aborted) return;
    yield item;
    // A long file of rows that were created before must not keep a signal from being heard.
    await new Promise(setImmediate);
  }
}
