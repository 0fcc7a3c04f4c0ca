import { drawn, joined, shown, type Visible } from '../../base/text.ts';
import type { Style } from './style.ts';

const QUIET_ZONE = 2;
const MARGIN = 1;

/** Loads the QR encoder early, before loading must no longer fail. */
export function loadQr(): Promise<typeof import('uqr')> {
  return import('uqr');
}

/**
 * A QR code in half-block characters, or null if it is wider than the terminal, or nothing is to be drawn. With
 * colour both colours are painted, whatever the terminal's own are. Without, the light modules are drawn, which is right
 * on a dark background, or the dark ones where the terminal says that its background is light.
 */
export async function renderQr(text: string, style: Style, width: number): Promise<Visible | null> {
  if (!style.hasBlocks) return null;
  const { encode } = await loadQr();
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  if (size + MARGIN > width) return null;
  const inked = !style.colour && style.background === 'light';
  const dark = (row: number, column: number) => (data[row]?.[column] ?? false) !== inked;
  const lines: Visible[] = [];
  for (let row = 0; row < size; row += 2) {
    let line = '';
    for (let column = 0; column < size; column += 1)
      line += halfBlock(dark(row, column), row + 1 < size && dark(row + 1, column), row + 1 < size);
    lines.push(shown` ${style.paper(drawn(line))}\n`);
  }
  return joined(lines);
}

/** One character for two modules, one above the other; dark modules are left blank, or light ones on a light background. */
function halfBlock(upperDark: boolean, lowerDark: boolean, hasLower: boolean): string {
  if (!hasLower) return upperDark ? ' ' : '▀';
  if (upperDark) return lowerDark ? ' ' : '▄';
  return lowerDark ? '▀' : '█';
}
