import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { freshPostgres } from '../core/database/postgres/fresh.ts';
import { silentWay } from '../core/database/postgres/silent-way.ts';
import { rawEnd, rawRequest, rawSocket } from './raw.ts';
import { NEW_SWAP, newOrder } from './sandbox.ts';

it('a server whose database falls silent in the middle of a create still closes in time', async () => {
  const way = await silentWay(await freshPostgres());
  const limits = { headers: 10_000, request: 10_000, write: 10_000, check: 100, drain: 50 };
  const sandbox = await startSandbox({ database: way.url, limits });
  await newOrder(sandbox);
  way.fallSilent();
  const clients = Array.from({ length: 20 }, () => {
    const socket = rawSocket(sandbox.url);
    socket.write(rawRequest(sandbox, 'create-transaction', '', JSON.stringify(NEW_SWAP)));
    return rawEnd(socket);
  });
  await pause(200);
  const began = performance.now();
  await sandbox.close();
  // The time to drain, and a second for each set of tables to part with its connections: far less than the limits above.
  expect(performance.now() - began).toBeLessThan(8_000);
  for (const { text } of await Promise.all(clients)) expect(text).not.toContain('201');
  way.close();
});
