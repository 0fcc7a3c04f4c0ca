import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { freshPostgres } from '../core/database/postgres/fresh.ts';
import { silentWay } from '../core/database/postgres/silent-way.ts';
import { rawEnd, rawRequest, rawSocket } from './raw.ts';
import { NEW_SWAP, newOrder } from './sandbox.ts';

it('a sandbox closes in time even if its database stops responding during creates', async () => {
  const way = await silentWay(await freshPostgres());
  // Longer than a test may take.
  const limits = { headers: 60_000, request: 60_000, write: 60_000, check: 100, drain: 50 };
  const sandbox = await startSandbox({ database: way.url, limits });
  await newOrder(sandbox);
  way.fallSilent();
  const clients = Array.from({ length: 20 }, () => {
    const socket = rawSocket(sandbox.url);
    socket.write(rawRequest(sandbox, 'create-transaction', '', JSON.stringify(NEW_SWAP)));
    return rawEnd(socket);
  });
  // This request needs no database and is answered after the creates have been read.
  expect((await fetch(`${sandbox.url}/nowhere`)).status).toBe(404);
  await sandbox.close();
  for (const { text } of await Promise.all(clients)) expect(text).not.toContain('201');
  way.close();
});
