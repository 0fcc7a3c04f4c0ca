import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import { createWithoutLedger } from '../../../src/library/create.ts';
import { type GotOptions, wire } from '../stand-ins/got.ts';
import { PAYEES } from '../world/coins.ts';
import { WIRES, type Wire } from '../world/wires.ts';
import type { Program } from '../world/world.ts';
import { answerOf, clientFor, TIMEOUT_MS } from './client.ts';

const REQUEST = {
  from: { coin: 'BTC', network: 'BTC' },
  to: { coin: 'ETH', network: 'ETH' },
  amount: '0.1',
  address: PAYEES.ETH[0],
};

/** What a program without a ledger learns wrongly about a create whose connection fails; null for nothing. */
export async function wireMistake(program: Program): Promise<string | null> {
  const { ports } = program;
  for (const each of WIRES) {
    let opened = 0;
    let followed: string | null = null;
    wire.open = (options) => {
      opened += 1;
      const { location } = each.headers ?? {};
      if (options.followRedirect !== false && location !== undefined) followed = location;
      return streamOf(program, each, options);
    };
    const began = ports.monotonic();
    const ended = await attempt(() => createWithoutLedger(portsFor(program, each), REQUEST));
    wire.open = null;
    const words = ended instanceof SwapctlError ? `${ended.outcome}: ${ended.message}` : 'created';
    const told = `${each.what} becomes ${words}`;
    if (!words.startsWith(each.outcome) || each.message?.test(words) === false) return told;
    if (followed !== null) return `${each.what} is followed to ${followed}, with the credentials`;
    if (opened !== (each.timeLeft === 0 ? 0 : 1)) return `${told} after ${opened} requests`;
    if (ports.monotonic() - began > MAX_MS) return `${told} after ${ports.monotonic() - began} ms`;
  }
  return null;
}

/** The time limit of the create, and of a quote before it. */
const MAX_MS = 2 * TIMEOUT_MS;

/** The ports of a program whose creates leave through the wire, and whose quotes do not. */
function portsFor({ ports }: Program, { timeLeft }: Wire): Ports {
  return {
    ...ports,
    service: async () => {
      const service = await ports.service();
      const limit = timeLeft === undefined ? {} : { deadline: ports.monotonic() + timeLeft };
      const { create } = clientFor(ports, service, limit);
      return { ...service, client: { ...service.client, create } };
    },
  };
}

/** The stream that got returns for a request, with the events of a wire. */
function streamOf(
  program: Program,
  { refused, isSelfSigned, status, headers = {}, body, pauses = 0, ends }: Wire,
  options: GotOptions,
): PassThrough {
  const stream = new PassThrough();
  const request = new EventEmitter();
  const socket = Object.assign(new EventEmitter(), {
    connecting: true,
    encrypted: true,
    destroy: () => undefined,
  });
  const fail = (code: string) => stream.destroy(Object.assign(new Error('It failed.'), { code }));
  const pause = async () => {
    if (pauses > (options.timeout.socket ?? Number.POSITIVE_INFINITY)) fail('ETIMEDOUT');
    await program.process.pause(pauses + 1);
  };
  const happen = async () => {
    await pause();
    stream.emit('request', request);
    request.emit('socket', socket);
    if (refused !== undefined) return fail(refused);
    if (isSelfSigned === true && options.https?.rejectUnauthorized !== false)
      return fail('DEPTH_ZERO_SELF_SIGNED_CERT');
    socket.emit('secureConnect');
    await pause();
    if (status === 101) return stream.emit('upgrade', { statusCode: status }, socket);
    if (status !== undefined) {
      request.emit('response', { statusCode: status });
      stream.emit('response', { statusCode: status, headers });
    }
    await pause();
    if (body === 'answer') {
      const sent = { endpoint: 'create-transaction' as const, body: options.body ?? '' };
      const { text } = await answerOf(program, sent);
      stream.write(text.slice(0, 10));
      await pause();
      stream.write(text.slice(10));
    } else if (body !== undefined) stream.write(Buffer.alloc(body, ' '));
    if (ends === undefined) return stream.end();
    return ends === 'hang' ? undefined : fail(ends);
  };
  void happen();
  return stream;
}
