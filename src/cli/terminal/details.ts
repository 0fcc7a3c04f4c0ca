import { joined, shown, type Visible, visible } from '../../base/text.ts';
import type { Style } from './style.ts';
import { displayWidth, padded, spaces, wrapWords } from './width.ts';

/**
 * One line of details: its label and its value; null leaves the line out. `prose` may be broken at spaces, a value
 * never is.
 */
export type DetailLine = readonly [
  label: string,
  value: string | null,
  paint?: ((text: Visible) => Visible) | undefined,
  kind?: 'prose' | undefined,
];

const INDENT = shown` `;
const GAP = shown`  `;
const OWN_LINE = shown`   `;
const MIN_PROSE = 20;

/**
 * Labelled lines for a single thing, values in one column. On a narrow terminal a value that does not fit beside
 * its label goes whole on the next line, so that an address can be read and copied in one piece.
 */
export function renderDetails(
  lines: readonly DetailLine[],
  style: Style,
  width: number = Number.POSITIVE_INFINITY,
): Visible {
  const filled = lines.flatMap(([label, value, ...rest]) =>
    value === null || value === '' ? [] : [[visible(label), visible(value), ...rest] as const],
  );
  const labels = Math.max(0, ...filled.map(([label]) => label.length));
  const start = INDENT.length + labels + GAP.length;
  return joined(
    filled.map(([label, value, paint = same, kind]) => {
      const head = shown`${INDENT}${style.dim(padded(label, labels))}${GAP}`;
      if (start + displayWidth(value) <= width) return shown`${head}${paint(value)}\n`;
      if (kind !== 'prose') return shown`${INDENT}${style.dim(label)}\n${ownLine(value, paint, width)}\n`;
      const wrapped = wrapWords(value, Math.max(MIN_PROSE, width - start));
      return shown`${head}${joined(wrapped.map(paint), shown`\n${spaces(start)}`)}\n`;
    }),
  );
}

const same = (text: Visible): Visible => text;

/** A value on a separate line; one wider than the terminal starts at its edge, so that it breaks late. */
function ownLine(value: Visible, paint: (text: Visible) => Visible, width: number): Visible {
  return OWN_LINE.length + displayWidth(value) <= width ? shown`${OWN_LINE}${paint(value)}` : paint(value);
}

/** Flattens a JSON-like value to `[path, value]` rows, `deposit.address` and so on; lists by their index. */
export function flatRows(value: unknown, path = ''): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[path, value === null ? '' : String(value)]];
  return Object.entries(value).flatMap(([key, item]) => flatRows(item, path === '' ? key : `${path}.${key}`));
}
