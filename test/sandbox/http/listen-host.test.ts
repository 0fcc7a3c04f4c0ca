import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { listeningUrl, startProgram } from '../../helpers/program.ts';
import { freshFile } from '../sandbox.ts';

describe('the host of sandbox start', () => {
  it.each([
    ['', 'The host to listen on is empty.'],
    [' ', 'The host to listen on is empty.'],
    ['0', 'Incomplete host 0.'],
    ['127.1', 'Incomplete host 127.1.'],
    ['0x7f000001', 'Incomplete host 0x7f000001.'],
    ['2130706433', 'Incomplete host 2130706433.'],
    ['no-such-host.invalid', 'The host no-such-host.invalid cannot be found.'],
  ])('is rejected as %j with its reason', async (host, message) => {
    const started = startSandbox({ database: freshFile(), host });
    await expect(started).rejects.toBeInstanceOf(UsageError);
    await expect(started).rejects.toThrow(message);
  });

  it('causes a warning if other machines can reach it', async () => {
    const home = await temporaryFolder();
    for (const [host, warned] of [
      ['0.0.0.0', true],
      ['localhost', false],
    ] as const) {
      const started = startProgram(['sandbox', 'start', '--port', '0', '--host', host], { home });
      await listeningUrl(started);
      started.child.kill('SIGTERM');
      const { stderr } = await started.ended;
      expect(stderr.includes(`warning: ${host} can be reached from other machines.`)).toBe(warned);
    }
  });
});
