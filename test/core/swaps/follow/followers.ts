import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Context } from '../../../../src/cli/context.ts';
import { createContext } from '../../../../src/cli/wiring.ts';
import type { Client } from '../../../../src/core/client/client.ts';
import { DEFAULT_BUDGET } from '../../../../src/core/ledger/budget/limit.ts';
import type { CreateIntent } from '../../../../src/core/ledger/entry.ts';
import type { Swap } from '../../../../src/core/swap/swap.ts';
import { followSwaps } from '../../../../src/core/swaps/follow/follow.ts';
import type { Followed, FollowOptions } from '../../../../src/core/swaps/follow/profile.ts';
import type { Ports } from '../../../../src/core/swaps/ports.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { profileAt } from '../../../helpers/scene.ts';
import { claimed } from '../../ledger/entries.ts';
import { CREATE } from '../../swap/requests.ts';

/** A clock that goes on only while everybody who goes by it sleeps: to when the first of them wants to wake. */
export class SharedClock {
  #now: number;
  readonly #sleepers = new Map<() => void, number>();
  #users = 0;

  constructor(now: number) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  /** Someone goes by the clock until the returned function is called. */
  join(): () => void {
    this.#users += 1;
    return () => {
      this.#users -= 1;
      this.#goOn();
    };
  }

  /** Goes by the clock as long as some work lasts. */
  during<T>(work: () => Promise<T>): Promise<T> {
    const leave = this.join();
    return work().finally(leave);
  }

  readonly sleep = async (milliseconds: number): Promise<void> => {
    await new Promise<void>((resolve) => {
      this.#sleepers.set(resolve, this.#now + Math.max(1, milliseconds));
      this.#goOn();
    });
    // Answers that are under way come in meanwhile.
    await new Promise(setImmediate);
  };

  #goOn(): void {
    if (this.#sleepers.size === 0 || this.#sleepers.size < this.#users) return;
    const [wake, at] = [...this.#sleepers].reduce((first, other) => (other[1] < first[1] ? other : first));
    this.#now = Math.max(this.#now, at);
    this.#sleepers.delete(wake);
    wake();
  }
}

/** A context as a process has it, on a clock of the tests; standard error goes to `stderr`. */
export function contextOn(
  clock: Pick<SharedClock, 'now' | 'sleep'>,
  home: string,
  env: Readonly<Record<string, string>> = {},
  signal = new AbortController().signal,
): { readonly context: Context; readonly stderr: () => string } {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  let text = '';
  streams.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  const variables = { HOME: home, TERM: 'dumb', ...env };
  const parts = { streams, env: variables, platform: 'linux', processId: process.pid } as const;
  const times = { now: clock.now, monotonic: clock.now, sleep: clock.sleep };
  const context = createContext({ ...parts, signal, ...times }, {});
  return { context, stderr: () => text };
}

/** A context at a time that does not pass, with an empty ledger, and a service that no one runs; closed after the test. */
export const contextAt = (now: number | (() => number)): Promise<Context> =>
  contextBy({ now: typeof now === 'number' ? () => now : now, sleep: async () => undefined });

/** The same on a clock, with the built-in service if its environment is empty. */
export async function contextBy(
  clock: Pick<SharedClock, 'now' | 'sleep'>,
  env: Readonly<Record<string, string>> = profileAt('http://127.0.0.1:1'),
): Promise<Context> {
  const { context } = contextOn(clock, await temporaryFolder(), env);
  onTestFinished(() => context.close());
  return context;
}

/** Ports to a service that has these calls in place of its own. */
export async function withClient<P extends Pick<Ports, 'service'>>(
  ports: P,
  calls: Partial<Client>,
): Promise<P> {
  const service = await ports.service();
  const changed = { ...service, client: { ...service.client, ...calls } };
  return { ...ports, service: async () => changed };
}

/** What the tests ask for; the services of the tests make just that. */
export const REQUEST: CreateIntent = {
  ...CREATE,
  asked: CREATE.amount,
  quoted: null,
  minReceive: null,
  leastReceive: null,
  depositMemoNeeded: false,
};

/** Creates a swap as the program does, or takes one that the service has already, and records it in the ledger. */
export async function recordSwap(context: Context, made?: Swap): Promise<string> {
  const [owner, ledger, service] = [await context.owner(), await context.ledger(), await context.service()];
  const entry = await claimed(ledger, owner, REQUEST, null, context.now());
  const swap = made ?? (await service.client.create(REQUEST)).value;
  await ledger.created(entry.id, { swap, doubts: [], at: context.now() }, null);
  return swap.order;
}

/** Follows every open swap of a context's profile; all that was learned. */
export async function followAll(
  context: Context,
  options: Partial<FollowOptions> = {},
  onNews: (news: Followed) => void | Promise<void> = () => undefined,
): Promise<readonly Followed[]> {
  const learned: Followed[] = [];
  const given = { intervalMs: null, budget: DEFAULT_BUDGET, maxInFlight: 1, ...options };
  for await (const news of followSwaps(context, [{ ports: context, orders: null }], given)) {
    learned.push(news);
    await onNews(news);
  }
  return learned;
}

/** Most of some times that lie in any window of a length. */
export function mostIn(times: readonly number[], length: number): number {
  const ordered = [...times].sort((a, b) => a - b);
  return Math.max(...ordered.map((time) => ordered.filter((at) => at > time - length && at <= time).length));
}
