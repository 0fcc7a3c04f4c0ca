'use strict';

// Loaded before the program by build/bytecode.mjs: writes what V8 compiles for a command next to what it has for others.

const { mkdirSync, writeFileSync } = require('node:fs');
const { bytecode } = require('../bin/load.js');

bytecode.compiled = new Map();
mkdirSync(bytecode.folder, { recursive: true });
process.on('exit', () => {
  for (const [file, script] of bytecode.compiled) writeFileSync(file, script.createCachedData());
});
