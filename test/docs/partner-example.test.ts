import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { PROGRAM } from '../helpers/program.ts';
import { hasTool } from '../helpers/tools.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'partner.py');

// Needs Debian's package python3.
it.skipIf(!hasTool('python3'))('the tests of the Python partner in docs/examples pass', async () => {
  const env = {
    PATH: process.env['PATH'],
    HOME: await temporaryFolder(),
    SWAPCTL: `'${process.execPath}' '${PROGRAM}'`,
  };
  const reported = execFileSync('bash', ['-c', `python3 '${EXAMPLE}' 2>&1`], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(reported).toMatch(/^\.{6}\n-+\nRan 6 tests in .*\n\nOK\n$/);
});
