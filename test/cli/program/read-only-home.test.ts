import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runProgram } from '../../helpers/program.ts';
import { inScene } from '../../helpers/scene.ts';

/** A folder in which no one can make anything, root included. */
const CLOSED = '/proc/sys';

describe.runIf(process.platform === 'linux')('a read-only home folder', () => {
  it('lets quote use a temporary built-in service and print a warning', async () => {
    const [home, temporary] = [await temporaryFolder(), await temporaryFolder()];
    const env = { HOME: CLOSED, TMPDIR: temporary };
    const run = await runProgram(['quote', 'BTC', 'ETH', '0.1', '--json'], { home, env });
    expect(run.stderr).toMatch(
      /^warning: The database \/proc\/sys\/\.local\/state\/swapctl\/sandbox\.db could not be created: E[A-Z]+\. Using a temporary built-in service, which is discarded after this command\.\n$/,
    );
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({ amount: '0.1', environment: 'sandbox' });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each(['/dev/null', CLOSED])('lets commands read by a key pair of the environment: %s', async (HOME) => {
    await inScene({}, async ({ run, create }) => {
      const quote = await run(['quote', 'BTC', 'ETH', '0.1', '--json'], { HOME });
      expect([quote.code, quote.stderr]).toEqual([0, '']);
      for (const read of ['status', 'history', 'report', 'config list', 'auth list', 'auth status'])
        expect([read, (await run(read.split(' '), { HOME })).code]).toEqual([read, 0]);
      const sent = await create([], { HOME });
      expect([sent.code, sent.error().code, sent.error().outcome]).toEqual([
        11,
        'storage_failed',
        'nothing-sent',
      ]);
      expect(sent.error().hint).toContain('SWAPCTL_LEDGER');
      const ledger = join(await temporaryFolder(), 'ledger.db');
      expect((await create([], { HOME, SWAPCTL_LEDGER: ledger })).code).toBe(0);
    });
  });
});
