import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Receiver } from '../../simulation/model/receiver.ts';
import type { Committed } from '../../simulation/world/committed.ts';
import type { Faults } from '../../simulation/world/faults.ts';
import type { RealProcess } from './process.ts';

/** The dependencies of the webhook receiver. */
interface HookParts {
  readonly receiver: Receiver;
  readonly faults: Faults;
  readonly committed: Committed;
  processOf(name: string): RealProcess | undefined;
  step(): Promise<void>;
  fail(rule: string, what: string): unknown;
}

/** A webhook receiver that rejects some, drops some, and passes the others to the model. */
export interface Hooks {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the webhook receiver. */
export async function startHooks(parts: HookParts): Promise<Hooks> {
  const server = createServer((request, response) => {
    take(parts, request).then(
      (status) => (status === null ? response.destroy() : response.writeHead(status).end()),
      (error: unknown) => {
        parts.fail('soak', error instanceof Error ? (error.stack ?? error.message) : String(error));
        response.destroy();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The status of the response, or null to accept the event without a response. */
async function take(
  { receiver, faults, committed, processOf, step, fail }: HookParts,
  request: IncomingMessage,
): Promise<number | null> {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  const process = processOf(decodeURIComponent((request.url ?? '').slice(1)));
  if (process === undefined) return 404;
  if (faults.strikes('receiver', process.name)) return faults.random.chance(0.5) ? 500 : 408;
  await step();
  const id = String(request.headers['webhook-id']);
  const [event] = committed.rows<{ intent_id: string; sequence: number }>(
    'select intent_id, sequence from events where id = ?',
    id,
  );
  if (event === undefined) throw fail('delivery', `event ${id} is delivered, and is not in the ledger`);
  receiver.take(process, { id, body, intentId: event.intent_id, sequence: event.sequence });
  await step();
  return faults.strikes('answer-lost', process.name) ? null : 204;
}
