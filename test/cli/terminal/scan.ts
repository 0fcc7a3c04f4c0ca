import jsQR from 'jsqr';

const PIXELS = 4;
const BLANKS_AROUND = 4;

/** Reads a QR code drawn in half-block characters, light modules as ink, as a camera would see it. */
export function scanned(drawing: string): string | null {
  const lines = drawing
    .replace(ANSI, '')
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => line.slice(1));
  const columns = Math.max(...lines.map((line) => line.length));
  const light = (row: number, column: number): boolean => {
    const character = lines[Math.floor(row / 2)]?.charAt(column) ?? ' ';
    return character === '█' || character === (row % 2 === 0 ? '▀' : '▄');
  };
  const [width, height] = [columns + 2 * BLANKS_AROUND, lines.length * 2 + 2 * BLANKS_AROUND].map(
    (n) => n * PIXELS,
  );
  if (width === undefined || height === undefined) return null;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [row, column] = [Math.floor(y / PIXELS) - BLANKS_AROUND, Math.floor(x / PIXELS) - BLANKS_AROUND];
      // Around the drawing, and in the half line that is not drawn, the terminal is dark.
      const value = row >= 0 && column >= 0 && light(row, column) ? 255 : 0;
      pixels.fill(value, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  return jsQR(pixels, width, height)?.data ?? null;
}

/** All codes in a screen of text, from top to bottom. */
export function scannedCodes(screen: string): (string | null)[] {
  const blocks = screen.replace(ANSI, '').match(/(?:^ [ ▀▄█]{20,}\n)+/gm) ?? [];
  return blocks.map(scanned);
}

// biome-ignore lint/complexity/useRegexLiterals: the escape is written out.
const ANSI = new RegExp('\u001b\\[[0-9;]*m', 'g');
