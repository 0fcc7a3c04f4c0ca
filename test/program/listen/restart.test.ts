import { describe, expect, it } from 'vitest';
import { postgresForFile } from '../../database/postgres/for-file.ts';
import { ownsPostgres } from '../../database/postgres/server.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import type { SeenRequest } from '../../helpers/raw-server.ts';
import { rawServer } from '../../helpers/raw-server.ts';
import { startFlow, until } from './flow.ts';

const server = postgresForFile();

describe.runIf(ownsPostgres())('a listener whose database restarts', () => {
  it('reports it, continues when it is back, and loses nothing', { timeout: 60_000 }, async () => {
    const home = await temporaryFolder();
    const postgres = await server();
    const flow = await startFlow({ home, ledger: await postgres.database() }, 4, 6);
    try {
      const accepted: SeenRequest[] = [];
      const { url } = await rawServer((seen, response) => {
        accepted.push(seen);
        response.writeHead(204).end();
      });
      const run = flow.listen(url);
      await until(() => accepted.length >= 6, 'the first deliveries');
      await postgres.stop();
      await until(() => run.stderr().includes('Trying again.'), 'the trouble is told');
      await postgres.start();
      await flow.hurry();
      await until(flow.isDone, 'the end', 40);
      run.child.kill('SIGTERM');
      expect((await run.ended).code).toBe(143);
      expect(await flow.problems(accepted)).toEqual([]);
    } finally {
      await flow.close();
    }
  });
});
