import { join, relative } from 'node:path';
import { PLANTED } from './bugs.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The source with the bug in it. Fails where the exact text that it replaces is not there once. */
export function patched({ name, file, find, replace }, code) {
  if (code.split(find).length !== 2)
    throw new Error(`Planted bug ${name}: its text is not found exactly once in ${file}. Update the patch.`);
  return code.replace(find, () => replace);
}

/** Plants a bug in its source file. */
export function planted(bug) {
  return {
    name: 'planted-bug',
    enforce: 'pre',
    transform: (code, id) =>
      relative(ROOT, id).replaceAll('\\', '/') === bug.file ? { code: patched(bug, code), map: null } : null,
  };
}

/** The bug of this name. */
export function bugOf(name) {
  const bug = PLANTED.find((each) => each.name === name);
  if (bug === undefined) throw new Error(`No planted bug ${name}.`);
  return bug;
}
