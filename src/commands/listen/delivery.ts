import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import { type Attempt, type RecordedEvent, storedEvent } from '../../ledger/events/event.ts';
import { type Delivering, deliverDue } from '../../swaps/listen/deliver.ts';
import { openTargets, type TargetOptions } from '../../swaps/listen/targets.ts';
import { visible } from '../../text.ts';
import type { Bell } from './bell.ts';
import { runCommand } from './exec.ts';
import { type Listening, pauseFor } from './listening.ts';
import type { ListenOptions } from './options.ts';

/** Delivering, for as long as somebody listens. */
export interface Delivery {
  /** Delivers everything that is due. */
  deliver(bell: Bell): Promise<void>;
  /** Whether anything waits for delivery, now or later. */
  hasWaiting(): Promise<boolean>;
  /** Waits until something may be due. */
  wait(bell: Bell): Promise<void>;
}

/** Opens the targets that were given; null where there is none. From then on the account's events wait for delivery. */
export async function openDelivery(
  listening: Listening,
  onSettled: (attempts: readonly Attempt[]) => void,
): Promise<Delivery | null> {
  const { context, ledger, owner, options, orders, stop } = listening;
  if (options.forwardTo === null && options.exec === null) return null;
  const { events } = ledger;
  const secret = await events.webhooks.listen(owner.account, context.now());
  const scope = { account: owner.account, orders };
  const work: Omit<Delivering, 'pause'> = {
    ...{ events, scope, holder: randomUUID(), types: options.types, now: context.now, stop },
    targets: openTargets(context, await targetsOf(context, options), secret),
    onFinishing: (count) => {
      const what = count === 1 ? 'the delivery' : `${count} deliveries`;
      context.streams.note(`Ending after ${what} under way.`);
    },
    onSettled: (event, attempts) => {
      onSettled(attempts);
      const failed = attempts.find(({ error }) => error !== null);
      if (failed !== undefined)
        context.streams.note(
          `${event.type} of ${event.order ?? 'a create'} was not delivered: ${failed.error}.`,
        );
    },
  };
  return {
    deliver: async (bell) => {
      await deliverDue({ ...work, pause: () => pauseFor(listening, bell) });
    },
    hasWaiting: async () => (await events.nextDue(scope)) !== null,
    wait: async (bell) => {
      const due = await events.nextDue(scope);
      await pauseFor(listening, bell, due === null ? undefined : due - context.now());
    },
  };
}

async function targetsOf(
  context: Context,
  { forwardTo: url, exec }: Pick<ListenOptions, 'forwardTo' | 'exec'>,
): Promise<TargetOptions> {
  return {
    webhook: url === null ? null : { url, proxy: await context.proxyFor(url) },
    command: exec === null ? null : (event, timeoutMs) => runExec(context, exec, event, timeoutMs),
  };
}

/** Runs the command of `--exec` with an event on its standard input, and its main parts in the environment. */
function runExec(
  { settings }: Context,
  command: string,
  event: RecordedEvent,
  timeoutMs: number,
): Promise<string | null> {
  const { order, data } = storedEvent(event);
  const env = {
    ...settings.childEnv,
    SWAPCTL_EVENT_ID: event.id,
    SWAPCTL_EVENT_TYPE: event.type,
    SWAPCTL_ORDER: visible(order ?? ''),
    SWAPCTL_STATUS: 'swap' in data ? data.swap.status : '',
  };
  return runCommand({ command, input: `${event.body}\n`, env, timeoutMs });
}
