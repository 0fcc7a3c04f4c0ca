import { type AddressInfo, connect, type Server } from 'node:net';

/**
 * Stops a server and waits until connections to it are refused. Closing it is not enough: a program that another thread
 * of this process is starting holds the listening socket too until it executes, and resets what it accepts.
 */
export async function stopServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const { port, address } = server.address() as AddressInfo;
  server.close();
  while (await isAccepted(port, address));
}

function isAccepted(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
