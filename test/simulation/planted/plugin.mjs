import { join, relative } from 'node:path';
import { PLANTED } from './bugs.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Replaces one exact text of one source file. Fails where the text is not there exactly once. */
export function planted({ name, file, find, replace }) {
  return {
    name: 'planted-bug',
    enforce: 'pre',
    transform(code, id) {
      if (relative(ROOT, id).replaceAll('\\', '/') !== file) return null;
      if (code.split(find).length !== 2)
        this.error(`Planted bug ${name}: its text is not found exactly once in ${file}. Update the patch.`);
      return { code: code.replace(find, () => replace), map: null };
    },
  };
}

/** The bug of this name. */
export function bugOf(name) {
  const bug = PLANTED.find((each) => each.name === name);
  if (bug === undefined) throw new Error(`No planted bug ${name}.`);
  return bug;
}
