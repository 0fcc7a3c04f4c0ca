import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { rawServer } from '../../../helpers/raw-server.ts';
import { startFlow, until } from './flow.ts';

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('swapctl listen stopped by %s finishes the delivery in progress', async (signal, code) => {
  const home = await temporaryFolder();
  const flow = await startFlow({ home, ledger: join(home, 'ledger.db') }, 1, 1);
  onTestFinished(() => flow.close());
  let answer: () => void = () => undefined;
  const { url, requests } = await rawServer((_, response) => {
    answer = () => response.writeHead(204).end();
  });
  const run = flow.listen(url);
  await until(() => requests.length === 1, 'a delivery');
  await until(async () => (await flow.undelivered()) === 2, 'a second event');
  run.child.kill(signal);
  await until(() => run.stderr().includes('Stopping after the delivery in progress.'), 'the signal is heard');
  answer();
  const ended = await run.ended;
  expect([ended.code, ended.error().code]).toEqual([code, 'interrupted']);
  expect(requests).toHaveLength(1);
  expect(await flow.undelivered()).toBe(1);
});
