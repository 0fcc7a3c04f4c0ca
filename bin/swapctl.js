#!/usr/bin/env node
'use strict';

const { join } = require('node:path');

// Without a listener Node answers this signal by opening a debugger to any process, with every secret in memory.
process.on('SIGUSR1', () => undefined);

const ROOT = join(__dirname, '..');

// The version and the help are answered before the program is loaded, since scripts and people ask for them often.
const answer = process.argv.length > 3 || isDevice() ? undefined : readyAnswer(process.argv[2]);
if (process.argv[2] === '__complete') completeWords(process.argv.slice(3));
else if (answer === undefined) {
  // Stacks then name the functions and lines of the source. Reading the maps takes time that nobody else need wait for.
  const isDebugging = process.argv.includes('--debug') || process.env.SWAPCTL_DEBUG === '1';
  if (isDebugging) process.setSourceMapsEnabled(true);
  keepCompiled(require('node:module'));
  const { load } = require('./load.js');
  (isDebugging ? require('../dist/main.js') : load('main.js')).main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
} else {
  process.stdout.on('error', ({ code }) => {
    if (code === 'EPIPE') return;
    process.exitCode = 1;
    process.stderr.write(`error: The result could not be written to standard output (${code}).\n`);
  });
  process.stdout.write(answer);
}

/** Whether standard output is a device other than a terminal: the program can tell whether it was closed. */
function isDevice() {
  return !process.stdout.isTTY && require('node:fs').fstatSync(1).isCharacterDevice();
}

/** Answers a shell that completes a line, which waits for it: with a program of its own, and with nothing where that fails. */
function completeWords(words) {
  const { env, platform } = process;
  const { load } = require('./load.js');
  load('completion/complete.js')
    .complete(words, { env, platform, folder: join(ROOT, 'dist') })
    // Making the stream of standard output would take a tenth of the time.
    .then((text) => require('node:fs').writeFileSync(1, text))
    .catch(() => undefined);
}

/** Caches the compiled program in a folder that nobody else can write to, on a Node that can. */
function keepCompiled({ enableCompileCache }) {
  if (enableCompileCache === undefined) return;
  const { privateFolder } = require('./compile-cache.js');
  const folder = privateFolder(process.env, process.platform, process.geteuid?.());
  if (folder !== undefined) enableCompileCache(folder);
}

/** Output of a lone `--help` or `--version`, which needs no program: the build writes the help to a file. */
function readyAnswer(flag) {
  const { existsSync, readFileSync } = require('node:fs');
  if (flag === '--version' || flag === '-V') {
    // The program says what is wrong where it is missing.
    const manifest = join(ROOT, 'package.json');
    return existsSync(manifest) ? `${JSON.parse(readFileSync(manifest, 'utf8')).version}\n` : undefined;
  }
  if (flag !== '--help' && flag !== '-h') return undefined;
  const file = join(ROOT, 'dist', 'help.txt');
  const stored = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const text = stored.replace('{docs}', join(ROOT, 'docs'));
  // A narrower terminal has its lines broken, which the program knows how to do.
  const longest = Math.max(...text.split('\n').map((line) => line.length));
  return text === '' || process.stdout.columns < longest ? undefined : text;
}
