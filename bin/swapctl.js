#!/usr/bin/env node
'use strict';

const { join } = require('node:path');

// Node answers this signal by opening a debugger, to whoever asks and with every secret in memory, unless it is heard.
process.on('SIGUSR1', () => undefined);

const ROOT = join(__dirname, '..');

// The version and the list of commands are answered before anything is loaded: they are asked for often, in scripts
// and by people who only want to look something up.
const answer = process.argv.length > 3 ? undefined : readyAnswer(process.argv[2] ?? '--help');
if (answer === undefined) {
  keepCompiled(require('node:module'));
  require('../dist/main.js')
    .main(process.argv.slice(2))
    .then((code) => {
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

/** Keeps the compiled program where nobody else can put another in its place, on a Node that can. */
function keepCompiled({ enableCompileCache }) {
  if (enableCompileCache === undefined) return;
  const { privateFolder } = require('./compile-cache.js');
  const folder = privateFolder(process.env, process.platform, process.geteuid?.());
  if (folder !== undefined) enableCompileCache(folder);
}

/** What a lone flag asks for, where it needs no program: the build leaves the help behind as a text. */
function readyAnswer(flag) {
  const { existsSync, readFileSync } = require('node:fs');
  if (flag === '--version' || flag === '-V') {
    // The program says what is wrong where it is missing.
    const manifest = join(ROOT, 'package.json');
    return existsSync(manifest) ? `${JSON.parse(readFileSync(manifest, 'utf8')).version}\n` : undefined;
  }
  if (flag !== '--help' && flag !== '-h') return undefined;
  const file = join(ROOT, 'dist', 'help.txt');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // A narrower terminal has its lines broken, which the program knows how to do.
  const longest = Math.max(...text.split('\n').map((line) => line.length));
  return text === '' || process.stdout.columns < longest ? undefined : text;
}
