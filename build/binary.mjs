import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// Writes Node and the built program as one file: npm run build:binary [-- --node <path of a Node>] [--out <folder>]

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    out: { type: 'string', default: 'binary' },
  },
});

/** Not for the program, and the help names a folder of pages, which the file has not. */
const LEFT_OUT = /^dist\/(?:bytecode|library|modules|types)\/|\.map$|^dist\/help\.txt$|LICENCES/;

/** Files of the program, by the name under which they are embedded. */
function assets() {
  const files = ['bin', 'dist'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const named = [...files, 'package.json', 'docs/skills/swapctl/SKILL.md'].map((file) => [
    file.replaceAll('\\', '/'),
    file,
  ]);
  return Object.fromEntries(named.filter(([name]) => !LEFT_OUT.test(name)));
}

/** A copy of Node without its symbols, a fifth of it, where the system can take them out. */
function strippedNode(folder) {
  const copy = join(folder, 'node');
  copyFileSync(values.node, copy);
  if (process.platform === 'linux') spawnSync('strip', [copy]);
  return copy;
}

function run(...args) {
  const { status, stdout, stderr } = spawnSync(values.node, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${values.node} ${args[0]}: ${stderr || stdout}`);
  return stdout;
}

const version = run('--version').trim();
if (!run('--help').includes('--build-sea'))
  throw new Error(`Node ${version} cannot build a single executable; name Node 26 with --node <path>.`);
mkdirSync(values.out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'swapctl-binary-'));
try {
  const config = join(folder, 'sea.json');
  const output = join(values.out, process.platform === 'win32' ? 'swapctl.exe' : 'swapctl');
  const executable = strippedNode(folder);
  const options = { disableExperimentalSEAWarning: true, useCodeCache: false, useSnapshot: false };
  const main = join('build', 'binary-main.cjs');
  writeFileSync(config, JSON.stringify({ main, executable, output, ...options, assets: assets() }));
  run('--build-sea', config);
  copyFileSync('dist/THIRD-PARTY-LICENCES.txt', join(values.out, 'THIRD-PARTY-LICENCES.txt'));
  process.stdout.write(`${output}: swapctl with Node ${version}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
