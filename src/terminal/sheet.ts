import { visible } from '../swap/text.ts';
import type { Style } from './style.ts';

/** One line of a sheet: what it is, and its value; null leaves the line out. */
export type SheetLine = readonly [label: string, value: string | null, paint?: (text: string) => string];

const INDENT = ' ';

/** Labelled lines for a single thing, values in one column; no value is ever shortened or broken. */
export function renderSheet(lines: readonly SheetLine[], style: Style): string {
  const shown = lines.filter(([, value]) => value !== null && value !== '');
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown
    .map(
      ([label, value, paint]) =>
        `${INDENT}${style.dim(label.padEnd(width))}  ${(paint ?? String)(visible(value ?? ''))}\n`,
    )
    .join('');
}

/** Flattens a JSON-like value to `[path, value]` rows, `deposit.address` and so on; lists by their index. */
export function flatRows(value: unknown, path = ''): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[path, value === null ? '' : String(value)]];
  return Object.entries(value).flatMap(([key, item]) => flatRows(item, path === '' ? key : `${path}.${key}`));
}
