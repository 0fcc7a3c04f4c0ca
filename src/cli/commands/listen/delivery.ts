import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { isWindows } from '../../../base/files.ts';
import { visible } from '../../../base/text.ts';
import { type Attempt, type RecordedEvent, storedEvent } from '../../../core/ledger/events/event.ts';
import { type Delivering, deliverDue } from '../../../core/swaps/listen/deliver.ts';
import { pauseFor, type Waker } from '../../../core/swaps/listen/loops.ts';
import { openTargets, type TargetOptions } from '../../../core/swaps/listen/targets.ts';
import type { Context } from '../../context.ts';
import { shellCall, stopCommand } from '../../settings/shell.ts';
import { type Listening, type ListenOptions, loopContext } from './follow.ts';

/** Delivery to the given targets while the program listens. */
export type Delivery = NonNullable<Awaited<ReturnType<typeof openDelivery>>>;

/** Opens the given targets; null if there are none. From then on the account's events wait for delivery. */
export async function openDelivery(listening: Listening, onSettled: (attempts: readonly Attempt[]) => void) {
  const { context, ledger, owner, options, orders, stop } = listening;
  if (options.forwardTo === null && options.exec === null) return null;
  const { events } = ledger;
  const secret = await events.webhooks.listen(owner.account, context.now());
  const scope = { account: owner.account, orders };
  const work: Omit<Delivering, 'pause'> = {
    events,
    scope,
    holder: randomUUID(),
    types: options.types,
    now: context.now,
    stop,
    targets: openTargets(context, await targetsOf(context, options), secret),
    unrecorded: [],
    onDraining: (count) => {
      const what = count === 1 ? 'the delivery' : `${count} deliveries`;
      context.streams.note(`Stopping after ${what} in progress.`);
    },
    onSettled: (event, attempts) => {
      onSettled(attempts);
      const failed = attempts.find(({ error }) => error !== null);
      if (failed !== undefined)
        context.streams.note(
          `${event.type} of ${event.order ?? 'a request'} was not delivered: ${failed.error}.`,
        );
    },
  };
  return {
    deliver: async (waker: Waker) => {
      await deliverDue({ ...work, pause: () => pauseFor(loopContext(listening), waker) });
    },
    /** Whether anything waits for delivery, now or later. */
    hasWaiting: async () => (await events.nextDue(scope)) !== null,
    wait: async (waker: Waker) => {
      const due = await events.nextDue(scope);
      await pauseFor(loopContext(listening), waker, due === null ? undefined : due - context.now());
    },
  };
}

async function targetsOf(context: Context, { forwardTo: url, exec }: ListenOptions): Promise<TargetOptions> {
  return {
    webhook: url === null ? null : { url, proxy: await context.proxyFor(url) },
    command: exec === null ? null : (event, timeoutMs) => runExec(context, exec, event, timeoutMs),
  };
}

/** Runs the command of `--exec` with an event on its standard input, and its main parts in the environment. */
function runExec({ settings }: Context, command: string, event: RecordedEvent, timeoutMs: number) {
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

/** An event as a command gets it. */
interface ExecRequest {
  /** For the system's shell. */
  readonly command: string;
  /** On its standard input. */
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds after which the command is killed, with everything it started. */
  readonly timeoutMs: number;
}

/** Maximum number of characters kept of a command's standard error. */
const MAX_STDERR = 4096;
const MAX_SHOWN = 200;

/**
 * Runs a command with an event on its standard input, in a process group of its own: a Ctrl-C at the terminal does not
 * end it. Null if it ended with 0, otherwise the reason, as a clause.
 */
export function runCommand({ command, input, env, timeoutMs }: ExecRequest): Promise<string | null> {
  return new Promise((resolve) => {
    const { file, args, ...how } = shellCall(command, env);
    // On Windows it would open a console of its own.
    const detached = !isWindows();
    const child = spawn(file, args, { ...how, env, detached, stdio: ['pipe', 'ignore', 'pipe'] });
    let stderr = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void stopCommand(child, detached);
    }, timeoutMs);
    const end = (problem: string | null) => {
      clearTimeout(timer);
      child.stderr.destroy();
      // Otherwise processes left by a failed command would pile up with each attempt.
      if (problem === null) resolve(null);
      else void stopCommand(child, detached).finally(() => resolve(problem));
    };
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (stderr = `${stderr}${text}`.slice(-MAX_STDERR)));
    // A command that does not read its input has not failed.
    child.stdin.on('error', () => undefined).end(input);
    child.once('error', ({ message }) => end(`could not be started: ${message}`));
    // Not `close`: something that the command left running may keep its outputs open.
    child.once('exit', (code, signal) => {
      if (late) end(`did not finish within ${timeoutMs / 1000} s`);
      else if (code === 0) end(null);
      // Its last output may still be on its way.
      else setImmediate(() => end(`ended with ${code ?? signal}${lastLine(stderr)}`));
    });
  });
}

function lastLine(stderr: string): string {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${visible(line).slice(0, MAX_SHOWN)}`;
}
