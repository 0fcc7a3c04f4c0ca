import type { Context, Service } from '../../../context.ts';
import { SwapctlError } from '../../../errors.ts';
import type { SwapResult } from '../../../ledger/swap-result.ts';
import { lookUpSwap } from '../lookup.ts';
import type { Followed } from './followed.ts';

/** How orders are followed. */
export interface FollowOptions {
  readonly intervalMs: number;
  /** An order that the service does not know is told and let be, instead of ending the watch. */
  readonly forgiving?: boolean;
  /** The context in which an order's own service is asked; the watch's own unless given. */
  readonly placeOf?: (order: string) => Context;
}

/**
 * Looks at orders one after the other until all are final or the time of `--timeout` is up. Missed looks are passed
 * over; anything that will not mend itself is thrown. What is in `known` has been seen before.
 */
export async function* lookInTurn(
  context: Context,
  service: Service,
  orders: readonly string[],
  { intervalMs, forgiving = false, placeOf = () => context }: FollowOptions,
  { known, signal }: { readonly known: readonly SwapResult[]; readonly signal: AbortSignal },
): AsyncGenerator<Followed> {
  const last = new Map(known.map((swap) => [swap.order ?? '', swap]));
  // The client gives up then too: a look after it could only be a missed one.
  const end = context.deadline();
  const open = new Set(orders);
  const doubted = new Set<string>();
  for (;;) {
    for (const order of [...open]) {
      const place = placeOf(order);
      const asked = place === context ? async () => service : place.service;
      const before = last.get(order) ?? null;
      const event = await look(place, asked, order, { before, doubted, forgiving });
      // The last look has no time left for its answer, so it is not a missed one.
      if (event.kind !== 'missed' || context.monotonic() < end) yield event;
      if (event.kind === 'gone') open.delete(order);
      if (event.kind !== 'seen') continue;
      last.set(order, event.swap);
      if (!event.swap.final) continue;
      open.delete(order);
      yield { kind: 'ended', key: order, at: context.now(), order, swap: event.swap };
    }
    const left = end - context.monotonic();
    if (open.size === 0 || left <= 0) break;
    await context.sleep(Math.min(intervalMs, left), signal);
  }
  for (const order of open)
    yield { kind: 'ended', key: order, at: context.now(), order, swap: last.get(order) ?? null };
}

interface Look {
  readonly before: SwapResult | null;
  /** What has been told to be in doubt; it is told once. */
  readonly doubted: Set<string>;
  readonly forgiving: boolean;
}

async function look(
  context: Context,
  service: () => Promise<Service>,
  order: string,
  { before, doubted, forgiving }: Look,
): Promise<Exclude<Followed, { kind: 'ended' }>> {
  try {
    const swap = await lookUpSwap(context, await service(), order, doubted);
    return { kind: 'seen', key: order, at: context.now(), swap, before };
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    const failed = { key: order, at: context.now(), order, error };
    if (forgiving && error.code === 'not_found') return { ...failed, kind: 'gone', isWholeProfile: false };
    if (!error.retryable || error.code === 'interrupted') throw error;
    return { ...failed, kind: 'missed' };
  }
}
