import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Bytes of a connection that are read at a time: some hundred of the shortest requests. */
const SLICE_BYTES = 4096;

/** Slices that are read in one turn of the event loop, by all connections together. */
const SLICES_IN_TURN = 4;

/**
 * Lets a server read its connections in turn, a slice of each at a time. Node would read up to 64 KiB of a connection
 * without a pause, which is thousands of pipelined requests, and those of other clients would wait behind them.
 */
export function readConnectionsInTurn(server: Server, event: 'connection' | 'secureConnection'): void {
  const [accept] = server.listeners(event);
  if (accept === undefined) throw new TypeError('The server takes no connections.');
  const turns = new Turns();
  server.removeAllListeners(event);
  server.on(event, (socket: Socket) => Reflect.apply(accept, server, [new SlicedSocket(socket, turns)]));
}

/** What waits for its turn. */
class Turns {
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  add(work: () => void): void {
    this.#waiting.push(work);
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    for (const work of this.#waiting.splice(0, SLICES_IN_TURN)) work();
    this.#isRunning = this.#waiting.length > 0;
    if (this.#isRunning) setImmediate(() => this.#run());
  }
}

/** A connection that gives the bytes of its socket in slices, each after the one before it has been read. */
class SlicedSocket extends Duplex {
  readonly #socket: Socket;
  readonly #turns: Turns;
  /** What has arrived and was not read yet. */
  #rest: Buffer = Buffer.alloc(0);
  #isInTurn = false;

  constructor(socket: Socket, turns: Turns) {
    super({ allowHalfOpen: true, readableHighWaterMark: SLICE_BYTES });
    this.#socket = socket;
    this.#turns = turns;
    socket.on('data', (bytes: Buffer) => {
      this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
      if (this.#rest.length > SLICE_BYTES) this.#later();
      else this.#give();
    });
    socket.on('end', () => {
      if (this.#rest.length === 0) this.push(null);
      else this.#later();
    });
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    if (this.#rest.length > 0) this.#later();
    else this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void) {
    this.#socket.cork();
    for (const [index, { chunk }] of chunks.entries())
      this.#socket.write(chunk, index === chunks.length - 1 ? done : undefined);
    this.#socket.uncork();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  setTimeout(milliseconds: number): this {
    this.#socket.setTimeout(milliseconds);
    return this;
  }

  resetAndDestroy(): this {
    this.#socket.resetAndDestroy();
    return this.destroy();
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }

  #later(): void {
    this.#socket.pause();
    if (this.#isInTurn) return;
    this.#isInTurn = true;
    this.#turns.add(() => {
      this.#isInTurn = false;
      if (!this.destroyed) this.#give();
    });
  }

  #give(): void {
    const slice = this.#rest.subarray(0, SLICE_BYTES);
    this.#rest = this.#rest.subarray(SLICE_BYTES);
    const wantsMore = slice.length === 0 || this.push(slice);
    if (this.#rest.length > 0) {
      if (wantsMore) this.#later();
    } else if (this.#socket.readableEnded) this.push(null);
    else if (!wantsMore) this.#socket.pause();
    else this.#socket.resume();
  }
}
