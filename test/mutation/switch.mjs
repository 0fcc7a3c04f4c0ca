// The switch of all mutants: `mutant(7)` is true while number 7 is on. The tests turn it by `globalThis.__mutants`
// (runner.mjs). A program that a test starts reads the number from a file; number 0 has each mutant that it reaches noted
// beside the test under way.

const FOLDER = '__FOLDER__';

globalThis.__mutants ??= ofProgram();
const mutants = globalThis.__mutants;

export function mutant(id) {
  if (mutants.on === 0) mutants.note(id);
  else if (--mutants.left < 0) throw new Error('The mutant does not end.');
  return mutants.on === id;
}

function ofProgram() {
  // In a browser no mutant is on.
  const fs = globalThis.process?.getBuiltinModule('fs');
  if (fs === undefined) return { on: -1, left: Number.POSITIVE_INFINITY };
  const read = (name) => fs.readFileSync(`${FOLDER}/${name}`, 'utf8');
  const [on, test, noted] = [Number.parseInt(read('on'), 10), read('current-test'), new Set()];
  const note = (id) => {
    if (noted.has(id)) return;
    noted.add(id);
    fs.appendFileSync(`${FOLDER}/reached`, `${id} ${test}\n`);
  };
  return { on, note, left: Number.POSITIVE_INFINITY };
}
