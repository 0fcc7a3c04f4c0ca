// Runs before each test file: it leaves the file and the test under way for the switch, `file id`.

import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';

const FOLDER = '__FOLDER__';
const file = relative(FOLDER, expect.getState().testPath);

function note(text) {
  globalThis.__test = text;
  writeFileSync(join(FOLDER, 'current-test'), text);
}

note(file);
beforeEach(({ task }) => note(`${file} ${task.id}`));
afterEach(() => note(file));
