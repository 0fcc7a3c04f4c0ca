import { StorageError } from '../../../../src/base/errors.ts';
import { openLedger } from '../../../../src/core/ledger/ledger.ts';
import type { Swap } from '../../../../src/core/swap/swap.ts';
import { swapOf } from '../../../core/ledger/entries.ts';
import { bodies, eventsOf } from '../../../core/ledger/events/ledgers.ts';
import { type StartedRun, startProgram } from '../../../helpers/program.ts';
import { type SeenRequest, sendJson } from '../../../helpers/raw-server.ts';
import { ownerAt, profileAt } from '../../../helpers/scene.ts';
import { ADDRESSES, BTC_TO_ETH, startSwapService, wireSwap } from '../../../helpers/swap-service.ts';

/** Status codes of open swaps, one after the other: each poll of a swap finds another one. At the end it is refunded, which needs no evidence. */
const OPEN_CODES = [1, 10, 1, 11];

/** Swaps that change with every poll, and a listener of theirs that can be killed. */
export interface Flow {
  /** Starts the built program; it delivers to the URL. */
  listen(url: string): StartedRun;
  /** What is wrong with what a receiver got, held against the ledger; nothing where all is well. */
  problems(received: readonly SeenRequest[]): Promise<readonly string[]>;
  /** Whether every swap has ended, and every event was delivered. */
  isDone(): Promise<boolean>;
  /** Makes everything due at once that waits, or that a listener had taken or was looking at which is dead. */
  hurry(): Promise<void>;
  /** How many events wait for delivery. */
  undelivered(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Makes swaps that end after so many changes each, on a ledger at a place. `onEnd` is called with the number of swaps that
 * have ended, before the answer that says so of another one.
 */
export async function startFlow(
  { home, ledger: location }: { readonly home: string; readonly ledger: string },
  swaps: number,
  changes: number,
  onEnd: (ended: number) => Promise<void> = async () => undefined,
): Promise<Flow> {
  const polls = new Map<string, number>();
  let ended = 0;
  const service = await startSwapService({
    'get-transaction': async ({ query }, response) => {
      const orderNumber = query.get('id') ?? '';
      const before = polls.get(orderNumber) ?? 0;
      polls.set(orderNumber, before + 1);
      const status = before + 1 >= changes ? 13 : (OPEN_CODES[before % OPEN_CODES.length] ?? 1);
      if (before + 1 === changes) {
        ended += 1;
        await onEnd(ended - 1);
      }
      sendJson(response, 200, { ...wireSwap(BTC_TO_ETH), orderNumber, status });
    },
  });
  const owner = ownerAt(service.url);
  const orders = Array.from({ length: swaps }, (_, index) => `ORDER${index}`);
  const ledger = await openLedger(location);
  await ledger.events.webhooks.listen(owner.account, 0);
  for (const order of orders) await ledger.imported(owner, { swap: newSwap(order), doubts: [], at: 1 });
  const env = { ...profileAt(service.url), SWAPCTL_LEDGER: location };
  return {
    listen: (url) =>
      startProgram(['listen', '--json', '--interval', '0.1', '--budget', '1000000/1s', '--forward-to', url], {
        home,
        env,
      }),
    problems: async (received) => problemsOf(received, await eventsOf(ledger), orders),
    isDone: async () => {
      try {
        const [open, waiting] = [await ledger.open(owner), await ledger.events.undelivered(owner.account)];
        return open.length + waiting === 0;
      } catch (error) {
        if (error instanceof StorageError) return false;
        throw error;
      }
    },
    hurry: async () => {
      for (const { id, delivery, nextAttemptAt } of await eventsOf(ledger))
        if (delivery === 'pending' && nextAttemptAt !== null) await ledger.events.resend(id, Date.now());
      for (const { id } of await ledger.open(owner)) await ledger.polls.postpone(id, 0);
    },
    undelivered: () => ledger.events.undelivered(owner.account),
    close: async () => {
      await ledger.close();
      await service.close();
    },
  };
}

/** A swap as the service first describes it. */
function newSwap(order: string): Swap {
  const swap = swapOf(order);
  return {
    ...swap,
    deposit: { ...swap.deposit, amount: '0.1' },
    receive: {
      ...swap.receive,
      coin: 'ETH',
      network: 'ETH',
      address: ADDRESSES.eth,
      amount: '2.5',
      memo: null,
    },
  };
}

type Recorded = Awaited<ReturnType<typeof eventsOf>>;

function problemsOf(
  received: readonly SeenRequest[],
  events: Recorded,
  orders: readonly string[],
): readonly string[] {
  const first = new Map<string, string>();
  const problems: string[] = [];
  const arrived = new Map<string, number>();
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id']);
    const { order, sequence } = JSON.parse(body) as { order: string; sequence: number };
    if (first.has(id)) {
      if (first.get(id) !== body) problems.push(`${id} came with two bodies`);
      continue;
    }
    first.set(id, body);
    if (sequence !== (arrived.get(order) ?? 0) + 1) problems.push(`${order} ${sequence} came out of order`);
    arrived.set(order, sequence);
  }
  for (const { id, body, delivery, order, sequence } of events) {
    if (delivery !== 'delivered') problems.push(`${order} ${sequence} is ${delivery}`);
    if (first.get(id) !== body) problems.push(`${order} ${sequence} never came, or otherwise than recorded`);
  }
  if (first.size !== events.length) problems.push('something came that is not recorded');
  for (const order of orders) {
    const reported = bodies(events.filter((event) => event.order === order));
    if (reported.some(({ sequence }, index) => sequence !== index + 1)) problems.push(`${order} has a gap`);
    if (reported.some(({ type }) => type === 'swap.doubtful')) problems.push(`${order} is in doubt`);
    if (reported.at(-1)?.type !== 'swap.refund') problems.push(`${order} did not end`);
  }
  return problems;
}

/** Waits until something holds; throws after a while. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  seconds = 15,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It did not come to this: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
