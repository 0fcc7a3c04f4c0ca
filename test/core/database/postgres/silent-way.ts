import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a database that can be blocked. */
interface SilentWay {
  readonly url: string;
  /** Connections stay, and nothing goes through any more. */
  fallSilent(): void;
  /** Connections break; a new session ends in the packet that opens it, as when PostgreSQL is being stopped. */
  shutDown(): void;
  close(): void;
}

export async function silentWay(url: string): Promise<SilentWay> {
  const { port } = new URL(url);
  const ends: Socket[] = [];
  let isDown = false;
  const relay: Server = createServer((near) => {
    if (isDown) {
      near.on('error', () => undefined);
      near.once('data', () => near.end(Buffer.concat([AUTHENTICATED, READY, SHUTTING_DOWN])));
      return;
    }
    const far = connect(Number.parseInt(port, 10), '127.0.0.1');
    near.pipe(far).pipe(near);
    ends.push(near, far);
    for (const end of [near, far]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const here = new URL(url);
  here.port = String((relay.address() as AddressInfo).port);
  return {
    url: here.href,
    fallSilent: () => {
      for (const end of ends) end.unpipe().pause();
    },
    shutDown: () => {
      isDown = true;
      for (const end of ends) end.destroy();
    },
    close: () => {
      for (const end of ends) end.destroy();
      relay.close();
    },
  };
}

const AUTHENTICATED = message('R', '\0\0\0\0');
const READY = message('Z', 'I');
const SHUTTING_DOWN = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}
