import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { freshPostgres } from '../database/postgres/fresh.ts';
import { rawEnd, rawRequest, rawSocket } from './raw.ts';
import { NEW_SWAP, newOrder } from './sandbox.ts';

/** A way to a database that can fall silent: connections stay, and nothing goes through any more. */
async function wayTo(url: string): Promise<{ url: string; fallSilent(): void; close(): void }> {
  const { port } = new URL(url);
  const ends: Socket[] = [];
  const relay: Server = createServer((near) => {
    const far = connect(Number.parseInt(port, 10), '127.0.0.1');
    near.pipe(far).pipe(near);
    ends.push(near, far);
    for (const end of [near, far]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const address = relay.address();
  const here = new URL(url);
  here.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: here.href,
    fallSilent: () => {
      for (const end of ends) end.unpipe().pause();
    },
    close: () => {
      for (const end of ends) end.destroy();
      relay.close();
    },
  };
}

it('a server whose database falls silent in the middle of a create closes in its time all the same', async () => {
  const way = await wayTo(await freshPostgres());
  const limits = { headers: 10_000, request: 10_000, write: 10_000, check: 100, drain: 300 };
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
  // The time to drain, and a second for each set of tables to part with its connections.
  expect(performance.now() - began).toBeLessThan(3500);
  for (const { text } of await Promise.all(clients)) expect(text).not.toContain('201');
  way.close();
});
