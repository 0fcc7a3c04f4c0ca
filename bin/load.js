'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');

const DIST = join(__dirname, '..', 'dist');

/**
 * The folder of what V8 has compiled, and the build's map of what was compiled just now, by the file in which to keep it.
 * V8 itself refuses the bytecode of another version, and of other flags.
 */
const bytecode = {
  folder: join(DIST, 'bytecode', `${process.version}-${process.platform}-${process.arch}`),
  compiled: undefined,
};

/**
 * Requires a file of dist/. Where the build has kept bytecode for this Node, V8 need not compile, which makes a
 * command a fifth faster.
 */
function load(name) {
  const kept = bytecode.compiled !== undefined || existsSync(bytecode.folder);
  return kept ? requireFile(join(DIST, name), new Map()) : require(join(DIST, name));
}

function requireFile(path, loaded) {
  const known = loaded.get(path);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(path, module);
  const folder = dirname(path);
  const requireFrom = (id) => (id.startsWith('.') ? requireFile(join(folder, id), loaded) : require(id));
  try {
    compile(path).runInThisContext()(module.exports, requireFrom, module, path, folder);
  } catch (error) {
    // As `require` does: what is asked for again is tried again.
    loaded.delete(path);
    throw error;
  }
  return module.exports;
}

function compile(path) {
  const { Script } = require('node:vm');
  const kept = bytecodeFile(basename(path));
  const cachedData = kept !== undefined && existsSync(kept) ? readFileSync(kept) : undefined;
  const code = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`;
  const script = new Script(code, { filename: path, cachedData });
  if (kept !== undefined && cachedData === undefined) bytecode.compiled?.set(kept, script);
  return script;
}

/** Where the bytecode of a file is kept: only of files with a hash in their name, since V8 compares no more than their length. */
function bytecodeFile(name) {
  return /-[\w-]{8}\.js$/.test(name) ? join(bytecode.folder, `${name}.bin`) : undefined;
}

module.exports = { bytecode, load };
