// The switch of all mutants: `mutant(7)` is true while number 7 is on. The tests turn it by `globalThis.__mutants`
// (runner.mjs). A program that a test starts reads the number from a file; number 0 has each mutant that it reaches noted
// beside the test under way.

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '__FOLDER__';

globalThis.__mutants ??= ofProgram();
const mutants = globalThis.__mutants;

export function mutant(id) {
  if (mutants.on === 0) mutants.note(id);
  else if (--mutants.left < 0) throw new Error('The mutant does not end.');
  return mutants.on === id;
}

function ofProgram() {
  const read = (name) => readFileSync(join(FOLDER, name), 'utf8');
  const [on, test, noted] = [Number.parseInt(read('on'), 10), read('current-test'), new Set()];
  const note = (id) => {
    if (noted.has(id)) return;
    noted.add(id);
    appendFileSync(join(FOLDER, 'reached'), `${id} ${test}\n`);
  };
  return { on, note, left: Number.POSITIVE_INFINITY };
}
