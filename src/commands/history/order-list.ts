import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { openInput } from '../../terminal/input.ts';
import { echoed, looksSecret, someOf } from '../../text.ts';
import { sheetRows, sheetText } from '../shared/sheet.ts';

/**
 * Reads order numbers from a file, or from standard input for `-`: one per line, or the first column of a CSV. Blank
 * lines, `#` comments and a CSV's header are passed over, and an order that comes twice counts once. Throws a usage
 * error that names every line which is no order number.
 */
export async function readOrderList(context: Context, source: string): Promise<readonly string[]> {
  const orders = new Set<string>();
  const wrong: string[] = [];
  let isFirst = true;
  const input = openInput(source, { stdin: context.streams.raw.stdin, signal: context.signal });
  for await (const { line, cells } of sheetRows(sheetText(input), { comments: true })) {
    const cell = (cells[0] ?? '').trim();
    if (cell === '' || cell.startsWith('#')) continue;
    const isHeader = isFirst && HEADER.test(cell);
    isFirst = false;
    if (isHeader) continue;
    // A key or a seed phrase that stands there by mistake is neither sent nor shown.
    if (/^[\x21-\x7e]{1,128}$/.test(cell) && !looksSecret(cell)) orders.add(cell);
    else wrong.push(`line ${line}: ${echoed(cell)}`);
  }
  if (wrong.length > 0)
    throw new UsageError(
      `${wrong.length === 1 ? 'A line is' : `${wrong.length} lines are`} not an order number: ${someOf(wrong, '; ')}.`,
      'Write one order number per line, or a CSV with them in its first column. Nothing was asked.',
    );
  if (orders.size === 0)
    throw new UsageError('There is no order number to import.', 'Write one per line, or the file of a CSV.');
  return [...orders];
}

/** Titles of a first column that are no order number. */
const HEADER = /^(order|id|number|order[ _-]?(number|id|no)|transaction[ _-]?id)$/i;
