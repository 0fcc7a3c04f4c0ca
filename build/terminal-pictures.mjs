// Draws docs/images/*.svg: screens of the built program, run in a real terminal (tmux) in an empty home.
// Run it after a build, whenever a screen has changed: npm run pictures [names]
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const IMAGES = join(ROOT, 'docs', 'images');
const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** Each picture: its size in characters, commands that prepare it, and what is typed; an array waits for its first text. */
const PICTURES = {
  quote: { size: [72, 9], typed: ['swapctl quote BTC ETH 0.1'], until: /Maximum/ },
  review: {
    size: [92, 18],
    typed: [`swapctl create BTC ETH 0.1 --float --address ${ETH}`],
    until: /\(y\/N/,
  },
  board: {
    size: [92, 14],
    before: openSwaps,
    typed: ['swapctl status --watch'],
    until: /exchanging|confirmation/,
  },
  batch: {
    size: [100, 20],
    before: payroll,
    typed: ['swapctl batch payroll.csv --yes'],
    until: /Creating .*[2-9]\d of 200/,
  },
};

/** Six swaps in different states. */
function openSwaps(run) {
  const pairs = [
    ['BTC', 'ETH', '0.1', ETH],
    ['LTC', 'ETH', '12', ETH],
    ['ETH', 'BTC', '1.5', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['USDT:TRX', 'BTC', '500', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['BTC', 'ETH', '0.02', ETH],
    ['SOL', 'ETH', '20', ETH],
  ];
  const orders = pairs.map(([from, to, amount, address]) => {
    const args = ['create', from, to, amount, '--address', address, '--yes', '--json', '--no-input'];
    return JSON.parse(run(args)).order;
  });
  for (const order of orders.slice(0, 4)) run(['sandbox', 'deposit', order]);
  run(['sandbox', 'move', orders[3], 'freeze']);
  run(['sandbox', 'move', orders[1], 'pause']);
}

function payroll(_run, home) {
  const rows = Array.from({ length: 200 }, (_, index) => `BTC,ETH,0.0${index + 100},${ETH}`);
  writeFileSync(join(home, 'payroll.csv'), `from,to,amount,address\n${rows.join('\n')}\n`);
}

async function screenOf({ size: [columns, rows], before, typed, until }) {
  const home = mkdtempSync(join(tmpdir(), 'swapctl-picture-'));
  const socket = join(home, 'tmux');
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const program = [join(ROOT, 'bin', 'swapctl.js')];
  const run = (args) =>
    execFileSync(process.execPath, [...program, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' });
  const screen = (...flags) => tmux('capture-pane', '-p', ...flags);
  const seen = async (pattern) => {
    for (let waited = 0; waited < 60_000; waited += 50) {
      if (pattern.test(screen())) return;
      await pause(50);
    }
    throw new Error(`The screen never showed ${pattern}:\n${screen()}`);
  };
  writeFileSync(join(home, 'rc'), "PS1='$ '\n");
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'swapctl'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  env.PATH = `${join(home, 'bin')}:${env.PATH}`;
  try {
    before?.(run, home);
    tmux(
      'new-session',
      '-d',
      '-x',
      String(columns),
      '-y',
      String(rows),
      '-c',
      home,
      `bash --noprofile --rcfile ${join(home, 'rc')}`,
    );
    for (const step of typed) {
      const [wait, text] = Array.isArray(step) ? step : [/\$$/m, step];
      await seen(wait);
      tmux('send-keys', '-l', text);
      tmux('send-keys', 'Enter');
    }
    await seen(until);
    await pause(400);
    const lost = tmux('display-message', '-p', '#{history_size}').trim();
    if (lost !== '0') throw new Error(`The screen needs ${lost} more lines:\n${screen()}`);
    return screen('-e').replace(/\n+$/, '').split('\n');
  } finally {
    spawn('tmux', ['-S', socket, 'kill-server'], { env, stdio: 'ignore' });
    await pause(200);
    rmSync(home, { recursive: true, force: true });
  }
}

const COLOURS = ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#c9d1d9'];
const [CHAR, LINE, EDGE] = [8.4, 19, 14];

/** Style after a `CSI … m` sequence; only what the program uses. */
function styled(style, codes) {
  for (const code of codes.split(';').map((text) => Number.parseInt(text || '0', 10))) {
    if (code === 0) style = {};
    else if (code === 1) style = { ...style, bold: true };
    else if (code === 2) style = { ...style, dim: true };
    else if (code === 7) style = { ...style, inverse: true };
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 27) style = { ...style, inverse: false };
    else if (code === 39) style = { ...style, colour: undefined };
    else if (code >= 30 && code <= 37) style = { ...style, colour: COLOURS[code - 30] };
    else if (code >= 90 && code <= 97)
      style = { ...style, colour: code === 90 ? '#8b949e' : COLOURS[code - 90] };
  }
  return style;
}

/** Spaces become no-break spaces, because SVG folds the others. */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0');

function svgOf(name, lines, columns) {
  const texts = lines.flatMap((line, row) => {
    const runs = [];
    let [style, column] = [{}, 0];
    for (const part of line.split(/(\x1b\[[\d;]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\))/)) {
      const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
      if (codes !== undefined) style = styled(style, codes);
      else if (!part.startsWith('\x1b') && part !== '') {
        const length = [...part].length;
        if (part.trim() !== '') runs.push(textRun(part, column, row, style));
        column += length;
      }
    }
    return runs;
  });
  const [width, height] = [columns * CHAR + 2 * EDGE, lines.length * LINE + 2 * EDGE];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="Terminal: ${name}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${texts.join('\n')}
</g>
</svg>
`;
}

function textRun(text, column, row, { bold, dim, inverse, colour = '#c9d1d9' }) {
  const x = (EDGE + column * CHAR).toFixed(1);
  const y = EDGE + (row + 0.75) * LINE;
  const width = ([...text].length * CHAR).toFixed(1);
  const back = inverse
    ? `<rect x="${x}" y="${EDGE + row * LINE}" width="${width}" height="${LINE}" fill="${colour}"/>`
    : '';
  const fill = inverse ? '#0d1117' : colour;
  const weight = `${bold ? ' font-weight="bold"' : ''}${dim ? ' opacity="0.65"' : ''}`;
  return `${back}<text x="${x}" y="${y}" textLength="${width}" fill="${fill}"${weight}>${escaped(text)}</text>`;
}

mkdirSync(IMAGES, { recursive: true });
const wanted = process.argv.slice(2);
for (const [name, picture] of Object.entries(PICTURES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const lines = await screenOf(picture);
  writeFileSync(join(IMAGES, `${name}.svg`), svgOf(name, lines, picture.size[0]));
  process.stdout.write(`${lines.join('\n').replaceAll(/\x1b\[[\d;]*m/g, '')}\n\n`);
}
