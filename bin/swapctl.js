#!/usr/bin/env node
'use strict';

// The version is answered before anything is loaded: it is asked for in scripts, often.
const [, , first, ...others] = process.argv;
if (others.length === 0 && (first === '--version' || first === '-V')) {
  process.stdout.on('error', ({ code }) => {
    if (code === 'EPIPE') return;
    process.exitCode = 1;
    process.stderr.write(`error: The result could not be written to standard output (${code}).\n`);
  });
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  require('node:module').enableCompileCache?.();
  require('../dist/main.js')
    .main(process.argv.slice(2))
    .then((code) => {
      process.exitCode = code;
    });
}
