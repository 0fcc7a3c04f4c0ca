import type { Visible } from '../text.ts';
import { drawn, joined, shown } from '../text.ts';
import type { Style } from './style.ts';

const QUIET_ZONE = 2;
const MARGIN = 1;

/** Loads the encoder of the codes before the moment in which loading must not fail. */
export function loadQr(): Promise<typeof import('uqr')> {
  return import('uqr');
}

/**
 * A QR code in half-block characters, or null where it is wider than the terminal, or nothing is to be drawn. Without colour the light
 * modules are drawn, which is right on a dark background; with colour the background is painted too.
 */
export async function renderQr(text: string, style: Style, width: number): Promise<Visible | null> {
  if (!style.blocks) return null;
  const { encode } = await loadQr();
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  if (size + MARGIN > width) return null;
  const dark = (row: number, column: number) => data[row]?.[column] ?? false;
  const lines: Visible[] = [];
  for (let row = 0; row < size; row += 2) {
    let line = '';
    for (let column = 0; column < size; column += 1)
      line += halfBlock(dark(row, column), row + 1 < size && dark(row + 1, column), row + 1 < size);
    lines.push(shown` ${style.paper(drawn(line))}\n`);
  }
  return joined(lines);
}

/** One character for two modules, one above the other; dark modules are left blank. */
function halfBlock(upperDark: boolean, lowerDark: boolean, hasLower: boolean): string {
  if (!hasLower) return upperDark ? ' ' : '▀';
  if (upperDark) return lowerDark ? ' ' : '▄';
  return lowerDark ? '▀' : '█';
}
