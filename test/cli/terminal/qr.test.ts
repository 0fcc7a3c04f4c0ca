import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import jsQR from 'jsqr';
import { afterAll, describe, expect, it, test } from 'vitest';
import { backgroundOf } from '../../../src/cli/terminal/environment.ts';
import { renderQr } from '../../../src/cli/terminal/qr.ts';
import { createStyle, PLAIN } from '../../../src/cli/terminal/style.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { hasTool } from '../../helpers/tools.ts';
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

const SOCKET = `swapctl-qr-${process.pid}-${Date.now()}`;

/** Brightness, from 0 to 255, of what a terminal shows. */
type Theme = Readonly<Record<'paper' | 'ink' | 'black' | 'brightWhite', number>>;

const THEMES = {
  dark: { paper: 0, ink: 229, black: 0, brightWhite: 255 },
  light: { paper: 255, ink: 0, black: 0, brightWhite: 255 },
  // Solarized's light colours, in grey.
  cream: { paper: 245, ink: 119, black: 45, brightWhite: 245 },
} as const satisfies Record<string, Theme>;

const ROWS = 60;
const COLUMNS = 100;

/** The screen of a real terminal after it was sent a text, with its colours. */
async function screenWith(text: string): Promise<string> {
  const home = await temporaryFolder();
  await writeFile(join(home, 'text'), text);
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-L', SOCKET, ...args], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
  const size = ['-x', String(COLUMNS), '-y', String(ROWS)];
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'qr', ...size, `cat '${home}/text'; echo END; sleep 60`);
  try {
    for (let look = 0; look < 200; look += 1) {
      const screen = tmux('capture-pane', '-e', '-p', '-t', 'qr');
      if (screen.includes('END')) return screen.replace('END', '');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  } finally {
    tmux('kill-session', '-t', 'qr');
  }
  throw new Error('The terminal shows nothing.');
}

const PIXELS = 4;

type Picture = Readonly<{ width: number; height: number; grey: Buffer }>;

/** A photograph of the screen: two halves of a cell above each other, each a square. */
function picture(screen: string, theme: Theme): Picture {
  const [width, height] = [COLUMNS * PIXELS, ROWS * 2 * PIXELS];
  const grey = Buffer.alloc(width * height, theme.paper);
  screen.split('\n').forEach((line, row) => {
    let [ink, paper, column]: number[] = [theme.ink, theme.paper, 0];
    for (const [part, codes] of line.matchAll(/\u001b\[([0-9;]*)m|./gu)) {
      if (codes === undefined) {
        const upper = part === '█' || part === '▀' ? ink : paper;
        const lower = part === '█' || part === '▄' ? ink : paper;
        for (const [half, value] of [upper, lower].entries())
          for (let y = 0; y < PIXELS; y += 1)
            grey.fill(
              value ?? 0,
              ((row * 2 + half) * PIXELS + y) * width + (column ?? 0) * PIXELS,
              ((row * 2 + half) * PIXELS + y) * width + ((column ?? 0) + 1) * PIXELS,
            );
        column = (column ?? 0) + 1;
        continue;
      }
      for (const code of codes === '' ? ['0'] : codes.split(';')) {
        if (code === '97') ink = theme.brightWhite;
        if (code === '40') paper = theme.black;
        if (code === '0' || code === '39') ink = theme.ink;
        if (code === '0' || code === '49') paper = theme.paper;
      }
    }
  });
  return { width, height, grey };
}

function byJsqr({ width, height, grey }: Picture): string | null {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const [index, value] of grey.entries()) pixels.fill(value, index * 4, index * 4 + 3);
  return jsQR(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null;
}

async function byZbar({ width, height, grey }: Picture): Promise<string | null> {
  const file = join(await temporaryFolder(), 'screen.pgm');
  await writeFile(file, Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), grey]));
  const { stdout } = spawnSync(
    'zbarimg',
    ['--quiet', '--raw', '--set', '*.enable=0', '--set', 'qr.enable=1', file],
    { encoding: 'utf8' },
  );
  return stdout === '' ? null : stdout.trimEnd();
}

describe.skipIf(!hasTool('tmux') || !hasTool('zbarimg'))('a QR code on a real terminal', () => {
  afterAll(() => void spawnSync('tmux', ['-L', SOCKET, 'kill-server']));

  it.each([
    ['with color', true, {}, ['dark', 'light', 'cream']],
    ['without color', false, {}, ['dark']],
    [
      'without color on a terminal that reports a light background',
      false,
      { COLORFGBG: '0;15' },
      ['light', 'cream'],
    ],
    [
      'without color on a terminal that reports a dark background',
      false,
      { COLORFGBG: '15;default;0' },
      ['dark'],
    ],
  ] as const)('%s is read by two QR readers without inversion', async (_name, colour, env, themes) => {
    const code = await renderQr(TEXT, await createStyle(colour, { background: backgroundOf(env) }), COLUMNS);
    const screen = await screenWith(`\n\n${code}\n`);
    for (const theme of themes) {
      const seen = picture(screen, THEMES[theme]);
      expect([theme, byJsqr(seen), await byZbar(seen)]).toEqual([theme, TEXT, TEXT]);
    }
  });

  it('without color is inverted on a light background that the terminal does not report', async () => {
    const code = await renderQr(TEXT, await createStyle(false), COLUMNS);
    const seen = picture(await screenWith(`\n\n${code}\n`), THEMES.light);
    expect([byJsqr(seen), await byZbar(seen)]).toEqual([null, null]);
  });
});

it.each([
  [undefined, 'unknown'],
  ['', 'unknown'],
  ['15', 'unknown'],
  ['15;0', 'dark'],
  ['0;default;15', 'light'],
  ['0;7', 'light'],
  ['7;8', 'dark'],
  ['0;default', 'unknown'],
  ['0;99', 'unknown'],
] as const)('the detected background of a terminal with COLORFGBG=%s is %s', (value, background) => {
  expect(backgroundOf(value === undefined ? {} : { COLORFGBG: value })).toBe(background);
});
