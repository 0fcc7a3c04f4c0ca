import type { Context } from '../../context.ts';
import type { Attempt, RecordedEvent } from '../../ledger/events/event.ts';
import { storedEvent } from '../../ledger/events/event.ts';
import { visible } from '../../text.ts';
import { webhookHeaders } from './webhook.ts';

/** Time limit of one attempt at a target, in milliseconds: less than the lease of an event. */
const ATTEMPT_TIMEOUT_MS = 15_000;

/** Targets of the deliveries; an event goes to all of them. */
export interface TargetOptions {
  /** A URL that takes webhooks. */
  readonly forwardTo: string | null;
  /** A command for `sh -c`. */
  readonly exec: string | null;
}

/** Tries to deliver an event once. Never throws for what the target does. */
export type Target = (event: RecordedEvent) => Promise<Attempt>;

/** The targets that were given; `secret` signs the webhooks. */
export async function openTargets(
  context: Context,
  { forwardTo, exec }: TargetOptions,
  secret: string,
): Promise<readonly Target[]> {
  return [
    ...(forwardTo === null ? [] : [await webhookTarget(context, forwardTo, secret)]),
    ...(exec === null ? [] : [await commandTarget(context, exec)]),
  ];
}

async function webhookTarget(context: Context, url: string, secret: string): Promise<Target> {
  const { sendWebhook } = await import('../../client/webhook.ts');
  const proxy = await context.proxyFor(url);
  return timed(context, 'http', (event, at) =>
    sendWebhook({
      ...{ url, proxy, timeoutMs: ATTEMPT_TIMEOUT_MS },
      headers: webhookHeaders(secret, event, at),
      body: event.body,
    }),
  );
}

async function commandTarget(context: Context, command: string): Promise<Target> {
  const { runCommand } = await import('./exec.ts');
  return timed(context, 'exec', async (event) => {
    const { order, data } = storedEvent(event);
    const env = {
      ...context.settings.childEnv,
      SWAPCTL_EVENT_ID: event.id,
      SWAPCTL_EVENT_TYPE: event.type,
      SWAPCTL_ORDER: visible(order ?? ''),
      SWAPCTL_STATUS: 'swap' in data ? data.swap.status : '',
    };
    const input = `${event.body}\n`;
    const problem = await runCommand({ command, input, env, timeoutMs: ATTEMPT_TIMEOUT_MS });
    return { httpStatus: null, error: problem === null ? null : `the command ${problem}` };
  });
}

function timed(
  context: Context,
  target: Attempt['target'],
  deliver: (event: RecordedEvent, at: number) => Promise<Pick<Attempt, 'httpStatus' | 'error'>>,
): Target {
  return async (event) => {
    const [at, started] = [context.now(), context.monotonic()];
    const { httpStatus, error } = await deliver(event, at);
    const milliseconds = Math.round(context.monotonic() - started);
    const text = `event ${event.id} by ${target}: ${error ?? 'delivered'}, ${milliseconds} ms`;
    await context.notify({ level: 'debug', text });
    return { at, target, httpStatus, error, milliseconds };
  };
}
