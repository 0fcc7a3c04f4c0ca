import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { runProgram } from '../helpers/program.ts';

/** GNU tail tells when nobody reads a pipe any more; another one has no version. */
const HAS_GNU_TAIL =
  process.env['CI'] === 'true' ||
  spawnSync('tail', ['--version'], { encoding: 'utf8' }).stdout.includes('GNU');

// Each of these has nothing to write for an hour, so it is not a next line that ends it.
describe.skipIf(!HAS_GNU_TAIL).concurrent('a pipe that nobody reads any more', () => {
  it.each([
    ['quote --watch', 'quote BTC ETH 0.1 --watch --interval 3600 --json', 'head -1'],
    ['listen', 'listen', 'sleep 0.1'],
  ])('ends %s at once, with 0 and without a word', async (_name, line, reader) => {
    const home = await temporaryFolder();
    const run = await runProgram(line.split(' '), {
      home,
      shell: `{ "$0" "$@"; echo "ended with $?" >&2; } | ${reader}`,
    });
    expect(run.stderr).toMatch(/^(profile sandbox .*\n)?ended with 0\n$/);
  });
});
