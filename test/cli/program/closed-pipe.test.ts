import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runProgram } from '../../helpers/program.ts';

describe('a pipe closed by the reader', () => {
  it('ends quote --watch at its next line with exit code 0 and no message', async () => {
    const home = await temporaryFolder();
    const run = await runProgram('quote BTC ETH 0.1 --watch --interval 0.1 --json'.split(' '), {
      home,
      shell: '{ "$0" "$@"; echo "ended with $?" >&2; } | head -1',
    });
    expect(run.stderr).toBe('ended with 0\n');
  });
});
