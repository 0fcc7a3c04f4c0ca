import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { stopServer } from './stop-server.ts';

/** A proxy that opens tunnels with CONNECT, or refuses to. */
export interface ConnectProxy {
  /** Host and port. */
  readonly host: string;
  /** Host and port of each tunnel that was asked for. */
  readonly asked: readonly string[];
  /** The passwords that came with them, as they were sent. */
  readonly passwords: readonly (string | undefined)[];
  /** Status of the refusal from now on; null to open tunnels. */
  refuseWith(status: number | null): void;
  /** Answers nothing from now on. */
  keepSilent(): void;
  close(): Promise<void>;
}

/** Starts a proxy on loopback. */
export async function connectProxy(): Promise<ConnectProxy> {
  const asked: string[] = [];
  const passwords: (string | undefined)[] = [];
  const open = new Set<Socket>();
  let refusal: number | null = null;
  let silent = false;
  const server: Server = createServer((_request, response) => response.writeHead(501).end());
  server.on('connect', (request, client: Socket) => {
    open.add(client);
    asked.push(request.url ?? '');
    passwords.push(request.headers['proxy-authorization']);
    if (silent) return;
    if (refusal !== null) {
      client.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    open.add(target);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    asked,
    passwords,
    refuseWith: (status) => (refusal = status),
    keepSilent: () => (silent = true),
    close: async () => {
      for (const socket of open) socket.destroy();
      await stopServer(server);
    },
  };
}
