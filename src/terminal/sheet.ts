import { visible } from '../swap/text.ts';
import type { Style } from './style.ts';
import { displayWidth, wrapWords } from './width.ts';

/**
 * One line of a sheet: what it is, and its value; null leaves the line out. `prose` may be broken at blanks, a
 * value never is.
 */
export type SheetLine = readonly [
  label: string,
  value: string | null,
  paint?: ((text: string) => string) | undefined,
  kind?: 'prose' | undefined,
];

const INDENT = ' ';
const GAP = '  ';
const OWN_LINE = '   ';
const LEAST_PROSE = 20;

/**
 * Labelled lines for a single thing, values in one column. On a narrow terminal a value that does not fit beside
 * its label stands whole on the next line, so that an address can be read and copied in one piece.
 */
export function renderSheet(
  lines: readonly SheetLine[],
  style: Style,
  width: number = Number.POSITIVE_INFINITY,
): string {
  const shown = lines.filter(([, value]) => value !== null && value !== '');
  const labels = Math.max(0, ...shown.map(([label]) => label.length));
  const start = INDENT.length + labels + GAP.length;
  return shown
    .map(([label, value, paint = String, kind]) => {
      const head = INDENT + style.dim(label.padEnd(labels)) + GAP;
      const clean = visible(value ?? '');
      if (start + displayWidth(clean) <= width) return `${head}${paint(clean)}\n`;
      if (kind !== 'prose') return `${INDENT}${style.dim(label)}\n${ownLine(clean, paint, width)}\n`;
      const wrapped = wrapWords(clean, Math.max(LEAST_PROSE, width - start));
      return `${head}${wrapped.map(paint).join(`\n${' '.repeat(start)}`)}\n`;
    })
    .join('');
}

/** A value that is wider than the terminal starts at its edge, so that the terminal breaks it as late as it can. */
function ownLine(value: string, paint: (text: string) => string, width: number): string {
  return `${OWN_LINE.length + displayWidth(value) <= width ? OWN_LINE : ''}${paint(value)}`;
}

/** Flattens a JSON-like value to `[path, value]` rows, `deposit.address` and so on; lists by their index. */
export function flatRows(value: unknown, path = ''): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[path, value === null ? '' : String(value)]];
  return Object.entries(value).flatMap(([key, item]) => flatRows(item, path === '' ? key : `${path}.${key}`));
}
