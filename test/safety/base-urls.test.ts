import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';
import { CREATE, profileAt } from '../helpers/scene.ts';
import { startSwapService } from '../helpers/swap-service.ts';

const service = await startSwapService();
afterAll(() => service.close());

it('sandbox run --against a base URL with a question mark is rejected', async () => {
  const run = await runHere(['sandbox', 'run', 'success', '--against', `${service.url}/?`]);
  expect(run.error).toMatchObject({ code: 'usage', message: 'The base URL must not contain ? or #.' });
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
