import jsQR from 'jsqr';
import { describe, expect, test } from 'vitest';
import { renderQr } from '../../../src/cli/terminal/qr.ts';
import { createStyle, PLAIN } from '../../../src/cli/terminal/style.ts';
import { scanned, scannedCodes } from './scan.ts';

const TEXT = 'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.10000001';

describe('a QR code in block characters', () => {
  test('is read back as the original text', async () => {
    const code = (await renderQr(TEXT, PLAIN, 80)) ?? '';
    expect(scanned(code)).toBe(TEXT);
  });

  test('with color is read back as the original text', async () => {
    const style = await createStyle(true);
    const code = (await renderQr(TEXT, style, 80)) ?? '';
    expect(code).toContain('\u001b[40m');
    expect(scanned(code)).toBe(TEXT);
  });

  test.each(['1', 'X'.repeat(40), 'münze 12', TEXT.repeat(4)])('can contain %s', async (text) => {
    expect(scanned((await renderQr(text, PLAIN, 200)) ?? '')).toBe(text);
  });

  test('is not drawn if wider than the terminal', async () => {
    const drawn = (await renderQr(TEXT, PLAIN, 80)) ?? '';
    const width = Math.max(...drawn.split('\n').map((line) => line.length));
    expect(await renderQr(TEXT, PLAIN, width)).toBe(drawn);
    expect(await renderQr(TEXT, PLAIN, width - 1)).toBeNull();
  });

  test('has a light border and lines of equal length', async () => {
    const lines = ((await renderQr(TEXT, PLAIN, 80)) ?? '').trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ █+$/);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });

  test('is not detected in text without a code', () => {
    expect(jsQR(new Uint8ClampedArray(40 * 40 * 4).fill(255), 40, 40)).toBeNull();
    expect(scannedCodes('no code here\n')).toEqual([]);
  });
});
