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
export class Connections {
  readonly #listener: RequestListener;
  readonly #maxWriteMs: number;
  readonly #connections = new Map<Socket, Connection>();
  /** Connections with waiting requests, none of which is being answered. */
  readonly #ready: Connection[] = [];
  readonly #sweep: NodeJS.Timeout;
  #waitedUnderWay = 0;
  #isDraining = false;

  constructor(listener: RequestListener, maxWriteMs: number, checkMs: number) {
    this.#listener = listener;
    this.#maxWriteMs = maxWriteMs;
    this.#sweep = setInterval(() => this.#cutOffUnread(performance.now()), checkMs).unref();
  }

  /** Takes a request: answers it now, or after the one before it on its connection. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connectionOf(request.socket);
    if (connection.current === null && connection.waiting.length === 0) {
      this.#answer(connection, { request, response });
    } else if (connection.waiting.push({ request, response }) > MAX_WAITING) {
      connection.socket.destroy();
    } else {
      connection.socket.pause();
    }
  }

  /** Makes every further response the last of its connection, with the corresponding header. */
  drain(): void {
    this.#isDraining = true;
    for (const { current } of this.#connections.values()) {
      if (current !== null) current.shouldKeepAlive = false;
    }
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { socket, waiting: [], current: null, unreadSince: null };
    this.#connections.set(socket, connection);
    // Node resumes a connection as soon as an answer is written.
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      connection.waiting.length = 0;
      this.#connections.delete(socket);
    });
    return connection;
  }

  #answer(connection: Connection, { request, response }: Exchange): void {
    connection.current = response;
    connection.unreadSince = null;
    if (this.#isDraining) response.shouldKeepAlive = false;
    response.once('close', () => this.#next(connection));
    this.#listener(request, response);
  }

  #next(connection: Connection): void {
    connection.current = null;
    if (connection.waiting.length === 0) return;
    this.#ready.push(connection);
    this.#answerWaiting();
  }

  #answerWaiting(): void {
    while (this.#waitedUnderWay < MAX_CONCURRENT_WAITING) {
      const connection = this.#ready.shift();
      if (connection === undefined) return;
      const exchange = connection.waiting.shift();
      if (connection.waiting.length === 0) connection.socket.resume();
      // The answer to a client that has gone never ends.
      if (exchange !== undefined && !connection.socket.destroyed)
        this.#answerOneThatWaited(connection, exchange);
    }
  }

  #answerOneThatWaited(connection: Connection, exchange: Exchange): void {
    this.#waitedUnderWay += 1;
    let isUnderWay = true;
    const done = () => {
      if (isUnderWay) this.#waitedUnderWay -= 1;
      isUnderWay = false;
      this.#answerWaiting();
    };
    // A written answer costs nothing more, however slowly its client reads.
    exchange.response.once('prefinish', done).once('close', done);
    this.#answer(connection, exchange);
  }

  #cutOffUnread(now: number): void {
    for (const connection of this.#connections.values()) {
      const { current, socket } = connection;
      if (current === null || !(current.writableEnded || current.writableNeedDrain)) {
        connection.unreadSince = null;
      } else if (connection.unreadSince === null) {
        connection.unreadSince = now;
      } else if (now - connection.unreadSince >= this.#maxWriteMs) {
        socket.destroy();
      }
    }
  }
}
