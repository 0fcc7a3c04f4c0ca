import { StorageError, SwapctlError } from '../../../src/base/errors.ts';
import type { DeliveryResult } from '../../../src/core/ledger/events/deliveries.ts';
import { followSwaps } from '../../../src/core/swaps/follow/follow.ts';
import { deliverDue, openUpkeep } from '../../../src/core/swaps/listen/deliver.ts';
import { BUDGET } from '../model/budget.ts';
import type { Program } from '../world/world.ts';

/** `swapctl listen`, for some time, until it is stopped or once, to some types of events. */
export async function listen(
  { world, ports, process, show }: Program,
  forMs: number | null,
  types: readonly string[] | null = null,
  stopped?: AbortSignal,
): Promise<void> {
  const [ledger, owner] = [await ports.ledger(), await ports.owner()];
  const { events } = ledger;
  const end = new AbortController();
  const stop = end.signal;
  // Node keeps a signal of several forever once a killed process listens to it, and with it the whole world.
  ports.signal.addEventListener('abort', () => end.abort(ports.signal.reason));
  const secret = await events.webhooks.listen(owner.account, ports.now());
  const upkeep = openUpkeep(ports, events, { account: owner.account, keptMs: null });
  const webhook = world.receiver.targetOf(process, types, secret);
  const ended = { target: 'exec', httpStatus: null, error: null, milliseconds: 1 };
  const command = async () => ({ ...ended, at: ports.now() });
  const unrecorded: DeliveryResult[] = [];
  const deliver = async () => {
    await upkeep();
    await deliverDue({
      unrecorded,
      events,
      scope: { account: owner.account, orders: null },
      holder: process.name,
      types,
      now: ports.now,
      stop,
      // A command beside a webhook, first or last.
      targets: /[02468]$/.test(process.name) ? [command, webhook] : [webhook, command],
      onDraining: () => undefined,
      onSettled: () => undefined,
      pause: () => process.pause(200),
    });
  };
  const options = {
    intervalMs: null,
    budget: BUDGET,
    endless: forMs !== null,
    once: forMs === null,
    mustRecord: true,
    signal: stop,
  };
  const follow = async () => {
    const ended: string[] = [];
    for await (const news of followSwaps(ports, [{ ports, orders: null }], options)) {
      if (news.kind === 'seen') show(news.swap, 30_000);
      if (news.kind === 'seen' && news.swap.final) ended.push(news.swap.order ?? '');
      if (news.kind === 'gone' && news.isWholeProfile) throw news.error;
    }
    const open = ended.find((order) => world.disk.rows(STILL_OPEN, order).length > 0);
    if (open !== undefined)
      throw world.model.fail('ends', `${process.name} saw ${open} end, which is not recorded`);
  };
  if (forMs === null) {
    await follow();
    return deliver();
  }
  world.scheduler.after(forMs, () => process.isAlive && end.abort());
  stopped?.addEventListener('abort', () => end.abort(), { once: true });
  const delivering = (async () => {
    const pause = forMs > LONG_MS ? LONG_PAUSE_MS : DELIVERY_PAUSE_MS;
    for (; !stop.aborted; await process.pause(pause)) await unlessLedgerFails(deliver());
  })();
  try {
    await follow();
  } catch (error) {
    // An end that was asked for is none.
    if (!stop.aborted || error instanceof SwapctlError) throw error;
  } finally {
    end.abort();
    await delivering;
  }
}

const STILL_OPEN = `select id from intents where final = 0 and outcome = 'created' and order_number = ?`;
const DELIVERY_PAUSE_MS = 3_000;
/** One that listens for longer delivers less often, because most of its statements look for events. */
const LONG_MS = 2 * 60_000;
const LONG_PAUSE_MS = 10_000;

/** A ledger that fails is tried again. */
async function unlessLedgerFails(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}
