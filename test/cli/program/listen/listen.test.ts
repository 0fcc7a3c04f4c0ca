import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresForFile } from '../../../core/database/postgres/for-file.ts';
import { ownsPostgres } from '../../../core/database/postgres/server.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { rawServer, type SeenRequest } from '../../../helpers/raw-server.ts';
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

describe.runIf(ownsPostgres())('swapctl listen while its database restarts', () => {
  const server = postgresForFile();

  it('records and delivers what it polled during the outage, and loses no event', {
    timeout: 60_000,
  }, async () => {
    const [home, postgres] = [await temporaryFolder(), await server()];
    const accepted: SeenRequest[] = [];
    const { url } = await rawServer((seen, response) => {
      accepted.push(seen);
      response.writeHead(204).end();
    });
    let isStopped = false;
    const flow = await startFlow({ home, ledger: await postgres.database() }, 4, 6, async (ended) => {
      if (ended > 0) return;
      await postgres.stop();
      isStopped = true;
    });
    onTestFinished(() => flow.close());
    const run = flow.listen(url);
    await until(() => isStopped && run.stderr().includes('Trying again.'), 'the trouble is told', 30);
    await postgres.start();
    await flow.hurry();
    await until(flow.isDone, 'the end', 40);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(143);
    expect(await flow.problems(accepted)).toEqual([]);
  });
});
