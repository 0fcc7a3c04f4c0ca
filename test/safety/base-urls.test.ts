import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSwapClient } from '../../src/library/library.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';
import { CREATE, profileAt, SECRET } from '../helpers/scene.ts';
import { startSwapService } from '../helpers/swap-service.ts';

const service = await startSwapService();
afterAll(() => service.close());

const MARK = 'The base URL must not contain ? or #.';

describe('a base URL with a question mark', () => {
  const url = () => `${service.url}/?`;

  it.each([
    ['create', CREATE],
    ['conformance', ['conformance', '--json']],
    ['sandbox record', ['sandbox', 'record', '--port', '0', '-o', 'x.har']],
    ['listen', ['listen', '--once']],
  ])('in SWAPCTL_BASE_URL is rejected by %s', async (_, args) => {
    const run = await runHere(args, { home: await temporaryFolder(), env: profileAt(url()) });
    expect(run.error).toMatchObject({ code: 'usage', message: MARK, hint: `Use ${service.url}` });
  });

  it('fails a check of doctor', async () => {
    const run = await runHere(['doctor'], { home: await temporaryFolder(), env: profileAt(url()) });
    expect(run.stdout).toContain(MARK);
    expect(run.error?.exitCode).toBe(1);
  });

  it('is rejected by auth login', async () => {
    const pair = ['--base-url', url(), '--public-key', 'pk', '--with-secret', '-p', 'x'];
    const run = await runHere(['auth', 'login', ...pair], { home: await temporaryFolder(), input: SECRET });
    expect(run.error).toMatchObject({ code: 'usage', message: MARK });
  });

  it('is rejected in a stored profile', async () => {
    const home = await temporaryFolder();
    const folder = join(home, '.config', 'swapctl');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const profile = { baseUrl: url(), publicKey: 'pk', secret: SECRET, environment: 'sandbox' };
    const config = JSON.stringify({ current: 'x', profiles: { x: profile } });
    await writeFile(join(folder, 'config.json'), config, { mode: 0o600 });
    expect((await runHere(['coins'], { home })).error?.message).toContain(`profile x: ${MARK}`);
  });

  it('is rejected by sandbox run --against', async () => {
    const home = await temporaryFolder();
    const run = await runHere(['sandbox', 'run', 'success', '--against', url()], { home });
    expect(run.error).toMatchObject({ code: 'usage', message: MARK });
  });

  it('is rejected by the library', () => {
    expect(() => createSwapClient({ baseUrl: url(), publicKey: 'pk', secret: SECRET })).toThrow(MARK);
  });
});

it('policy stop applies to every spelling of the base URL', async () => {
  const home = await temporaryFolder();
  const stop = await runHere(['policy', 'stop', '--reason', 'drill'], { home, env: profileAt(service.url) });
  expect(stop.error).toBeNull();
  const { port } = new URL(service.url);
  const spellings = ['127.0.0.1', '127.1', 'localhost', 'LOCALHOST.', '[::ffff:127.0.0.1]', '127.0.0.1.'];
  for (const host of spellings)
    for (const path of ['', '/', '/./', '/a/..']) {
      const run = await runHere(CREATE, { home, env: profileAt(`http://${host}:${port}${path}`) });
      expect([host, path, run.error?.code]).toEqual([host, path, 'stopped']);
    }
});
