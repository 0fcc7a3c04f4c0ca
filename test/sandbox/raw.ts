import { connect, type Socket } from 'node:net';
import { ENDPOINTS, type EndpointName, endpointPath } from '../../src/core/partner-api/endpoints.ts';
import { authHeaders } from '../../src/core/partner-api/signature.ts';
import type { Place } from './sandbox.ts';

/** The bytes received on a connection until it ended, and how it ended. */
export interface RawAnswer {
  readonly text: string;
  readonly end: 'closed' | 'reset';
}

/** Sends bytes unchanged and reads until the server ends the connection. */
export function sendRaw(url: string, bytes: string): Promise<RawAnswer> {
  const socket = rawSocket(url);
  socket.write(bytes);
  return rawEnd(socket);
}

/** A TCP connection to a server. */
export function rawSocket(url: string): Socket {
  const { port } = new URL(url);
  return connect(Number.parseInt(port, 10), '127.0.0.1');
}

/** Reads a connection until the server ends it. */
export function rawEnd(socket: Socket): Promise<RawAnswer> {
  let text = '';
  let end: RawAnswer['end'] = 'closed';
  return new Promise((resolve) => {
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => (end = 'reset'));
    socket.on('close', () => resolve({ text, end }));
  });
}

/** A signed request as text, which asks the server to close the connection. */
export function rawRequest(place: Place, endpoint: EndpointName, query = '', body = ''): string {
  const headers = Object.entries({
    host: 'localhost',
    connection: 'close',
    'content-type': 'application/json',
    ...authHeaders(endpoint, place.credentials),
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return `${ENDPOINTS[endpoint].method} ${endpointPath(endpoint)}${query} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
