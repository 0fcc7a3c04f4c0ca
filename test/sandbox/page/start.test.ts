import { expect, it } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { startHere } from '../start-here.ts';

it('sandbox start --ui prints the URL of the page once and logs its token nowhere', async () => {
  const home = await temporaryFolder();
  const stopping = new AbortController();
  let ended: ReturnType<typeof runHere> | undefined;
  const [url, page] = await new Promise<readonly [string, string]>((resolve, reject) => {
    const onOutput = (text: string) => {
      const found = /^listening on (\S+)\npage at (\S+)\n/.exec(text);
      if (found !== null) resolve([found[1] ?? '', found[2] ?? '']);
    };
    const args = ['sandbox', 'start', '--port', '0', '--ui', '0'];
    ended = runHere(args, { home, signal: stopping.signal, onOutput });
    ended.then(({ error }) => reject(error), reject);
  });
  const { origin, hash } = new URL(page);
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const token = hash.slice(1);
  expect(token).toMatch(/^[\w-]{32}$/);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${origin}/api/info`, { headers })).status).toBe(200);
  expect((await fetch(`${origin}/`)).status).toBe(200);
  expect((await fetch(`${url}/x?${token}`, { headers })).status).toBe(404);
  const requests = await (await fetch(`${origin}/api/requests`, { headers })).text();
  expect(JSON.parse(requests)).toMatchObject([{ path: '/x', status: 404 }]);
  expect(requests).not.toContain(token);
  stopping.abort();
  const { stdout, stderr } = (await ended) ?? { stdout: '', stderr: '' };
  expect(stdout.split(token)).toHaveLength(2);
  expect(stderr).not.toContain(token);
});

it('sandbox start --ui is a usage error if the port of the page is in use', async () => {
  const home = await temporaryFolder();
  const { url, stop } = await startHere(home);
  const { error } = await runHere(['sandbox', 'start', '--port', '0', '--ui', new URL(url).port], {
    home,
    signal: AbortSignal.abort(new InterruptedError('SIGTERM')),
  });
  expect(error).toMatchObject({ code: 'usage', exitCode: 2 });
  expect(error?.message).toMatch(/: the port is in use\.$/);
  await stop();
});
