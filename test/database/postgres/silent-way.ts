import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a database that can fall silent: connections stay, and nothing goes through any more. */
export async function silentWay(url: string): Promise<{ url: string; fallSilent(): void; close(): void }> {
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
