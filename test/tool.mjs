// Runs a program of test/package.json, and installs what is in there first if it is missing or the lockfile has changed:
//   node test/tool.mjs vitest run
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const HERE = import.meta.dirname;
const LOCK = join(HERE, 'package-lock.json');
const MODULES = join(HERE, 'node_modules');
/** The lockfile of what is installed. */
const INSTALLED = join(MODULES, '.installed-lock.json');

const [program, ...args] = process.argv.slice(2);
if (!existsSync(INSTALLED) || !readFileSync(INSTALLED).equals(readFileSync(LOCK))) {
  process.stderr.write('Installing what the tests need.\n');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], HERE);
  copyFileSync(LOCK, INSTALLED);
}
if (program !== undefined) run(program, args, join(HERE, '..'));

/** Ends this program too if that one fails. */
function run(name, words, cwd) {
  const env = { ...process.env, PATH: `${join(MODULES, '.bin')}${delimiter}${process.env.PATH}` };
  const { status, error } = spawnSync(name, words, {
    cwd,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
