import { once } from 'node:events';
import { createServer } from 'node:net';
import { stopServer } from './stop-server.ts';

/** A port of 127.0.0.1 that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  await stopServer(probe);
  return address.port;
}
