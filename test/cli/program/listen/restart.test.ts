import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresForFile } from '../../../core/database/postgres/for-file.ts';
import { ownsPostgres, type PostgresServer } from '../../../core/database/postgres/server.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import type { SeenRequest } from '../../../helpers/raw-server.ts';
import { rawServer } from '../../../helpers/raw-server.ts';
import { startFlow, until } from './flow.ts';

const server = postgresForFile();

/** A receiver that takes everything, and a listener's flow with it, on a server that is stopped and started. */
async function listening(onEnd?: (postgres: PostgresServer, ended: number) => Promise<void>) {
  const [home, postgres] = [await temporaryFolder(), await server()];
  const accepted: SeenRequest[] = [];
  const { url } = await rawServer((seen, response) => {
    accepted.push(seen);
    response.writeHead(204).end();
  });
  const ledger = await postgres.database();
  const flow = await startFlow({ home, ledger }, 4, 6, async (ended) => onEnd?.(postgres, ended));
  return { postgres, flow, accepted, run: flow.listen(url) };
}

describe.runIf(ownsPostgres())('swapctl listen while its database restarts', () => {
  it('reports the outage, continues afterwards and loses no event', { timeout: 60_000 }, async () => {
    const { postgres, flow, accepted, run } = await listening();
    onTestFinished(() => flow.close());
    await until(() => accepted.length >= 6, 'the first deliveries');
    await postgres.stop();
    await until(() => run.stderr().includes('Trying again.'), 'the trouble is told');
    await postgres.start();
    await flow.hurry();
    await until(flow.isDone, 'the end', 40);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(143);
    expect(await flow.problems(accepted)).toEqual([]);
  });

  it('records and delivers a final status that it polled during the outage', {
    timeout: 60_000,
  }, async () => {
    let isStopped = false;
    const { postgres, flow, accepted, run } = await listening(async (stoppable, ended) => {
      if (ended > 0) return;
      await stoppable.stop();
      isStopped = true;
    });
    onTestFinished(() => flow.close());
    await until(() => isStopped && run.stderr().includes('Trying again.'), 'the trouble is told', 30);
    await postgres.start();
    await flow.hurry();
    await until(flow.isDone, 'the end', 40);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(143);
    expect(await flow.problems(accepted)).toEqual([]);
  });
});
