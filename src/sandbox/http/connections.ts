import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Maximum number of requests waiting on a connection: about as many as fit into one network packet. */
const MAX_WAITING = 512;

/** Waiting requests that are answered at a time, so that those of other clients come first. */
const MAX_CONCURRENT_WAITING = 8;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** One connection: the answer in progress, and the requests that arrived during it. */
interface Connection {
  readonly socket: Socket;
  readonly waiting: Exchange[];
  current: ServerResponse | null;
  /** Time on the monotonic clock at which the answer in progress began to wait for its reader. */
  unreadSince: number | null;
}

/**
 * Serves the requests of each connection one after the other. A client that sends many requests and reads no answer
 * holds only one answer in memory, and is cut off after `maxWriteMs`.
 */
export function serveInTurn(listener: RequestListener, maxWriteMs: number, checkMs: number) {
  const connections = new Map<Socket, Connection>();
  /** Connections with waiting requests, none of which is being answered. */
  const ready: Connection[] = [];
  let waitedUnderWay = 0;
  let isDraining = false;

  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { socket, waiting: [], current: null, unreadSince: null };
    connections.set(socket, connection);
    // Node resumes a connection as soon as an answer is written.
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      connection.waiting.length = 0;
      connections.delete(socket);
    });
    return connection;
  };

  const answer = (connection: Connection, { request, response }: Exchange): void => {
    connection.current = response;
    connection.unreadSince = null;
    if (isDraining) response.shouldKeepAlive = false;
    response.once('close', () => {
      connection.current = null;
      if (connection.waiting.length === 0) return;
      ready.push(connection);
      answerWaiting();
    });
    listener(request, response);
  };

  const answerWaiting = (): void => {
    while (waitedUnderWay < MAX_CONCURRENT_WAITING) {
      const connection = ready.shift();
      if (connection === undefined) return;
      const exchange = connection.waiting.shift();
      if (connection.waiting.length === 0) connection.socket.resume();
      // The answer to a client that has gone never ends.
      if (exchange !== undefined && !connection.socket.destroyed) answerOneThatWaited(connection, exchange);
    }
  };

  const answerOneThatWaited = (connection: Connection, exchange: Exchange): void => {
    waitedUnderWay += 1;
    let isUnderWay = true;
    const done = () => {
      if (isUnderWay) waitedUnderWay -= 1;
      isUnderWay = false;
      answerWaiting();
    };
    // A written answer costs nothing more, however slowly its client reads.
    exchange.response.once('prefinish', done).once('close', done);
    answer(connection, exchange);
  };

  const cutOffUnread = (now: number): void => {
    for (const connection of connections.values()) {
      const { current, socket } = connection;
      if (current === null || !(current.writableEnded || current.writableNeedDrain)) {
        connection.unreadSince = null;
      } else if (connection.unreadSince === null) {
        connection.unreadSince = now;
      } else if (now - connection.unreadSince >= maxWriteMs) {
        socket.destroy();
      }
    }
  };
  const sweep = setInterval(() => cutOffUnread(performance.now()), checkMs).unref();

  return {
    /** Takes a request: answers it now, or after the one before it on its connection. */
    take: (request: IncomingMessage, response: ServerResponse): void => {
      const connection = connectionOf(request.socket);
      if (connection.current === null && connection.waiting.length === 0) {
        answer(connection, { request, response });
      } else if (connection.waiting.push({ request, response }) > MAX_WAITING) {
        connection.socket.destroy();
      } else {
        connection.socket.pause();
      }
    },
    /** Makes every further response the last of its connection, with the corresponding header. */
    drain: (): void => {
      isDraining = true;
      for (const { current } of connections.values()) {
        if (current !== null) current.shouldKeepAlive = false;
      }
    },
    close: () => clearInterval(sweep),
  };
}
