import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLANTED } from '../../simulation/planted/bugs.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PARTS = ['bin', 'build', 'docs', 'src', 'package.json', 'tsconfig.json'];

/** Builds a copy of the program with a planted bug in a folder, and returns the path of its `bin/swapctl.js`. */
export function plantedProgram(name: string, copy: string): string {
  const bug = PLANTED.find((each) => each.name === name);
  if (bug === undefined) throw new Error(`No planted bug is called ${name}.`);
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const file = join(copy, bug.file);
  const text = readFileSync(file, 'utf8');
  if (text.split(bug.find).length !== 2) throw new Error(`The text of ${name} is not once in ${bug.file}.`);
  writeFileSync(
    file,
    text.replace(bug.find, () => bug.replace),
  );
  execFileSync(
    process.execPath,
    [join(ROOT, 'node_modules', '.bin', 'rolldown'), '-c', 'build/rolldown.config.mjs'],
    { cwd: copy, stdio: 'ignore' },
  );
  return join(copy, 'bin', 'swapctl.js');
}
