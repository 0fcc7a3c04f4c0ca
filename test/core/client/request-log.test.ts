import { expect, it } from 'vitest';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { profileEnv, rawServer } from '../../helpers/raw-server.ts';
import { runHere } from '../../helpers/run-here.ts';

it('--debug logs each attempt, even without a response, but no headers, query or secrets', async () => {
  const { url } = await rawServer((_, __, request) => request.socket.destroy());
  const run = await runHere(['networks', 'the-secret', '--debug'], {
    env: profileEnv(url),
    sleep: async () => undefined,
  });
  const sent = run.stderr.split('\n').filter((line) => line.includes('GET'));
  const line = 'debug: GET /api/private/get-coin-network no response n ms, attempt';
  expect(sent.map((each) => each.replace(/\d+ ms/, 'n ms'))).toEqual([1, 2, 3].map((n) => `${line} ${n}`));
  for (const hidden of ['the-secret', sign('get-coin-network', 'the-secret'), 'public-key', 'coin='])
    expect(run.stderr).not.toContain(hidden);
});
