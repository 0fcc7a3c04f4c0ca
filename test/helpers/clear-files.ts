import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// Of a whole run the temporary folders together would be gigabytes: each test file has one of its own, and clears it.
const before = tmpdir();
const folder = mkdtempSync(join(before, 'f-'));
chmodSync(folder, 0o711);
process.env['TMPDIR'] = folder;

afterAll(() => {
  process.env['TMPDIR'] = before;
  // A process that a test has killed may still be writing.
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
