// The switch of all mutants. The number of the one that is on is in a file, since programs that tests start have an
// environment of their own. Number 0 has each mutant that is reached noted beside the test under way.

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '__FOLDER__';
const on = Number.parseInt(readFileSync(join(FOLDER, 'on'), 'utf8'), 10);
let [test, noted] = ['', new Set()];

export function mutant(id) {
  if (on === 0) note(id);
  return on === id;
}

function note(id) {
  const current = globalThis.__test ?? readFileSync(join(FOLDER, 'current-test'), 'utf8');
  if (current !== test) [test, noted] = [current, new Set()];
  if (noted.has(id)) return;
  noted.add(id);
  appendFileSync(join(FOLDER, 'reached'), `${id} ${current}\n`);
}
