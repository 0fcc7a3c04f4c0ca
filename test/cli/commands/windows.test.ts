import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { rawServer, sendJson } from '../../helpers/raw-server.ts';
import { runHere } from '../../helpers/run-here.ts';

/** A home in which everybody may read everything, as modes say that mean nothing on Windows. */
async function windowsHome(content: string) {
  const home = await temporaryFolder();
  const folder = join(home, 'swapctl');
  await mkdir(folder);
  await writeFile(join(folder, 'config.json'), content, { mode: 0o644 });
  await chmod(folder, 0o755);
  const env = { APPDATA: home, LOCALAPPDATA: join(home, 'local') };
  const run = (args: string) => runHere(args.split(' '), { home, env, platform: 'win32' });
  return { folder, run };
}

describe('on Windows', () => {
  it('auth status and doctor ignore file modes and point to the access list', async () => {
    const { url } = await rawServer((_, response) =>
      sendJson(response, 403, { message: 'Invalid signature.' }),
    );
    const prod = { baseUrl: url, publicKey: 'pk', secret: 'the-secret', environment: 'sandbox' };
    const { folder, run } = await windowsHome(JSON.stringify({ current: 'prod', profiles: { prod } }));
    const reported = `Windows has no file modes: the access list of ${folder} decides who may read it, by default you, the administrators and the system. See it with: icacls "${folder}"`;
    const status = await run('auth status');
    expect(status.stderr).toContain(reported);
    expect(status.error).toMatchObject({ code: 'invalid_signature' });
    const doctor = await run('doctor --json');
    const { checks } = JSON.parse(doctor.stdout);
    expect(checks).toContainEqual({ name: 'modes', state: 'ok', detail: reported, remedy: null });
    expect(doctor.stdout).not.toContain('chmod');
  });

  it('the hint for an unusable configuration moves it away with the Windows `move` command', async () => {
    const { folder, run } = await windowsHome('[');
    const file = join(folder, 'config.json');
    expect((await run('auth list')).error?.hint).toBe(
      `Fix the file, or move it away: move "${file}" "${file}.old"`,
    );
  });
});
