import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bugOf, patched } from './plugin.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PARTS = ['bin', 'build', 'docs', 'src', 'package.json', 'tsconfig.json'];
/** Builds the program, completion and the page; the library takes longer than these. */
const CONFIGURATION = `import all from './rolldown.config.mjs';
export default all.slice(0, 3);
`;

/** Builds a copy of the program with the planted bug of this name in a folder, and returns the path of its `bin/swapctl.js`. */
export function plantedProgram(name, copy) {
  const bug = bugOf(name);
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const file = join(copy, bug.file);
  writeFileSync(file, patched(bug, readFileSync(file, 'utf8')));
  writeFileSync(join(copy, 'build', 'planted.config.mjs'), CONFIGURATION);
  execFileSync(
    process.execPath,
    [join(ROOT, 'node_modules', '.bin', 'rolldown'), '-c', 'build/planted.config.mjs'],
    { cwd: copy, stdio: 'ignore' },
  );
  return join(copy, 'bin', 'swapctl.js');
}
