'use strict';

// Begins the program of a single executable: its files lie in the executable, not in a folder.

const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const { dirname, join, relative, resolve, sep } = require('node:path');
const sea = require('node:sea');
const vm = require('node:vm');

/** The folder in which the files seem to lie. There is none: the name is the executable's. */
const ROOT = process.execPath;
const EMBEDDED = new Set(sea.getAssetKeys());
const loaded = new Map();

const nameOf = (path) => relative(ROOT, String(path)).replaceAll(sep, '/');

/** The file system with the embedded files in it, as far as the program reads its own files. */
const fsWithEmbedded = {
  ...fs,
  existsSync: (path) => EMBEDDED.has(nameOf(path)) || fs.existsSync(path),
  readFileSync: (path, ...options) =>
    EMBEDDED.has(nameOf(path)) ? sea.getAsset(nameOf(path), 'utf8') : fs.readFileSync(path, ...options),
};

function requireFrom(folder) {
  return (id) => {
    if (id === 'node:fs') return fsWithEmbedded;
    return isBuiltin(id) ? require(id) : load(resolve(folder, id));
  };
}

/** Loads an embedded module once, as `require` does. */
function load(path) {
  const name = nameOf(path);
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  if (!EMBEDDED.has(name))
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  const module = { exports: {} };
  loaded.set(name, module);
  const run = vm.compileFunction(
    sea.getAsset(name, 'utf8').replace(/^#!.*/, ''),
    ['exports', 'require', 'module', '__filename', '__dirname'],
    { filename: path, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
  );
  run.call(module.exports, module.exports, requireFrom(dirname(path)), module, path, dirname(path));
  return module.exports;
}

load(join(ROOT, 'bin', 'swapctl.js'));
