import { createHmac } from 'node:crypto';
import { visible } from '../../../base/text.ts';
import type { ProxyServer } from '../../client/proxy.ts';
import { sendWebhook } from '../../client/webhook.ts';
import { type Attempt, type RecordedEvent, type SwapEvent, storedEvent } from '../../ledger/events/event.ts';
import type { Ports } from '../ports.ts';

/** Prefix of a Standard Webhooks secret; the rest is its bytes in Base64. */
const SECRET_PREFIX = 'whsec_';

/**
 * The headers that sign a webhook by Standard Webhooks 1.0, https://www.standardwebhooks.com: HMAC-SHA256 of id, time
 * and body. `at` is when it is sent, in milliseconds since 1970, different for each attempt.
 */
export function webhookHeaders(
  secret: string,
  { id, body }: { readonly id: string; readonly body: string },
  at: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const timestamp = String(Math.floor(at / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** Time limit of one attempt at a target, in milliseconds: less than the lease of an event. */
const ATTEMPT_TIMEOUT_MS = 15_000;

/** Where events are delivered; an event goes to all targets. */
export interface TargetOptions {
  /** A URL that receives webhooks, and the proxy that it is reached through. */
  readonly webhook: { readonly url: string; readonly proxy: ProxyServer | null } | null;
  /** Runs a command with an event, for so many milliseconds; null if it ended with 0, else why, as a clause. */
  readonly command: ((event: RecordedEvent, timeoutMs: number) => Promise<string | null>) | null;
}

/** Tries to deliver an event once. Never throws for what the target does. */
export type Target = (event: RecordedEvent) => Promise<Attempt>;

/** The targets that were given; `secret` signs the webhooks. */
export function openTargets(
  ports: Pick<Ports, 'now' | 'monotonic' | 'notify'>,
  { webhook, command }: TargetOptions,
  secret: string,
): readonly Target[] {
  const targets: Target[] = [];
  if (webhook !== null)
    targets.push(
      timed(ports, 'http', (event, at) =>
        sendWebhook({
          ...webhook,
          timeoutMs: ATTEMPT_TIMEOUT_MS,
          headers: webhookHeaders(secret, event, at),
          body: event.body,
        }),
      ),
    );
  if (command !== null)
    targets.push(
      timed(ports, 'exec', async (event) => {
        const problem = await command(event, ATTEMPT_TIMEOUT_MS);
        return { httpStatus: null, error: problem === null ? null : `the command ${problem}` };
      }),
    );
  return targets;
}

/** A function as a target: returning is delivered; throwing, or outlasting the lease, is tried again. */
export function functionTarget(
  ports: Pick<Ports, 'now' | 'monotonic' | 'notify' | 'sleep'>,
  name: string,
  handle: (event: SwapEvent) => unknown,
): Target {
  return timed(ports, name, async (event) => {
    const settled = new AbortController();
    const late = ports.sleep(ATTEMPT_TIMEOUT_MS, settled.signal).then(
      () => `it took longer than ${ATTEMPT_TIMEOUT_MS / 1000} s`,
      () => null,
    );
    const handled = (async () => handle(storedEvent(event)))().then(
      () => null,
      (error: unknown) =>
        visible(error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON),
    );
    try {
      return { httpStatus: null, error: await Promise.race([handled, late]) };
    } finally {
      settled.abort();
    }
  });
}

/** Longest reason of a failure that is recorded, in characters. */
const MAX_REASON = 200;

function timed(
  ports: Pick<Ports, 'now' | 'monotonic' | 'notify'>,
  target: Attempt['target'],
  deliver: (event: RecordedEvent, at: number) => Promise<Pick<Attempt, 'httpStatus' | 'error'>>,
): Target {
  return async (event) => {
    const [at, started] = [ports.now(), ports.monotonic()];
    const { httpStatus, error } = await deliver(event, at);
    const milliseconds = Math.round(ports.monotonic() - started);
    const text = `event ${event.id} to ${target}: ${error ?? 'delivered'}, ${milliseconds} ms`;
    await ports.notify({ level: 'debug', text });
    return { at, target, httpStatus, error, milliseconds };
  };
}
