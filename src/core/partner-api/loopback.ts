import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../../base/errors.ts';
import { systemCode } from '../../base/files.ts';

/** Names of this machine, as a `Host` header writes them. */
const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a `Host` header names this machine and, if a port is given, this port. A server on loopback must refuse any other
 * name: a web page can point its own host name at 127.0.0.1 (DNS rebinding). Without `port` any port is accepted, such as
 * that of a tunnel.
 */
export function isOwnHost(host: string | undefined, port?: number): boolean {
  const [, name = '', given] = /^(.*?)(?::(\d+))?$/.exec(host ?? '') ?? [];
  return OWN_NAMES.includes(name.toLowerCase()) && (port === undefined || given === String(port));
}

/** Whether a host name of a URL, or an address, always means this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.[0-9]{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Listens on a port of this machine, 0 for any, and returns the URL. `what` begins the UsageError if it cannot. */
export async function listenHere(server: Server, port: number, what: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const code = systemCode(error);
      const reason = code === 'EADDRINUSE' ? 'the port is in use' : (code ?? error.message);
      const words = `${what} on 127.0.0.1:${port}: ${reason}.`;
      reject(new UsageError(words, 'Choose another port; 0 picks a free one.'));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const DRAIN_STEP_MS = 20;

/** Closes a server once its running requests have ended, or after `longest` milliseconds. */
export async function drain(server: Server, longest: number): Promise<void> {
  const whenClosed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Node has no event for a busy connection that becomes idle after its answer.
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_STEP_MS);
  const forceCloseTimer = setTimeout(() => server.closeAllConnections(), longest);
  await whenClosed;
  clearInterval(idle);
  clearTimeout(forceCloseTimer);
}
