import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderOfFile, temporaryFolder } from '../../helpers/home.ts';
import { expectSwap, hasNode, nodeOf } from '../../helpers/smoke.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Whether this process may mount: root may, outside of a container that forbids it. */
const mayUnshare = spawnSync('unshare', ['--mount', 'true']).status === 0;

const out = await folderOfFile();
const binary = join(out, 'swapctl');

describe.skipIf(!hasNode(26))('the single executable', () => {
  beforeAll(async () => {
    const args = [join('build', 'binary.mjs'), '--node', nodeOf(26), '--out', out];
    const { stdout } = await run(process.execPath, args, { cwd: ROOT });
    expect(stdout).toMatch(new RegExp(`^${binary}: swapctl with Node v26\\.\\d+\\.\\d+\\n$`));
  }, 180_000);

  it('creates a swap without any other file in its folder', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    await expectSwap([binary], version);
  }, 60_000);

  it.skipIf(!mayUnshare)('runs on a read-only file system without /tmp', async () => {
    // Its folder is under /tmp, so that it gets another name below a folder that stays.
    const script = `mount --bind "$1" /mnt && mount -t tmpfs -o ro none /tmp && mount -o remount,bind,ro / && cd /tmp
! touch /root/x /tmp/x 2>&- && exec /mnt/swapctl quote BTC ETH 0.1 --sandbox --json`;
    const options = ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', out];
    const { stdout, stderr } = await run('unshare', options, {
      env: { HOME: '/nowhere', PATH: process.env['PATH'] },
    });
    expect(JSON.parse(stdout)).toMatchObject({ pair: 'BTC_ETH', amount: '0.1' });
    expect(stderr).toContain('Using a temporary built-in service');
  });

  it('contains the help topic for agents', async () => {
    const { stdout } = await run(binary, ['help', 'agents'], { env: { HOME: await temporaryFolder() } });
    expect(stdout).toContain('outcome_unknown');
  });

  it('completes bundled coins and names only existing documentation', async () => {
    const env = { HOME: await temporaryFolder() };
    const { stdout } = await run(binary, ['__complete', 'bash', 'swapctl quote BT'], { env });
    expect(stdout).toMatch(/^words\nBTC\n/);
    const help = await run(binary, ['--help'], { env });
    expect(help.stdout).toMatch(/Documentation:\n {2}the folder docs of the package swapctl\n$/);
  });
});
