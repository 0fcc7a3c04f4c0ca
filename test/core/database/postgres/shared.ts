import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers a GET with the URL of a fresh, empty database on the run's one PostgreSQL server. */
    freshDatabases: string;
  }
}

/**
 * Starts one PostgreSQL server for all test files of a run, when the first of them asks, and removes it at the end. The
 * runs of a mutation test share one.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const front = process.env['SWAPCTL_TEST_DATABASES'];
  return front === undefined ? startFront(project) : void project.provide('freshDatabases', front);
}

async function startFront(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | undefined;
  const front = createServer(async (_, response) => {
    try {
      started ??= startPostgres();
      response.end(await (await started).database());
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  project.provide('freshDatabases', `http://127.0.0.1:${(front.address() as AddressInfo).port}`);
  return async () => {
    front.close();
    front.closeAllConnections();
    await (await started)?.remove();
  };
}
