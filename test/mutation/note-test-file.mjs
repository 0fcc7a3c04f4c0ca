// Runs before each test file: it leaves the name of the file for the switch.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

globalThis.__testFile = expect.getState().testPath;
writeFileSync(join('__FOLDER__', 'test-file'), globalThis.__testFile ?? '');
