import type { SwapctlError } from '../../errors.ts';
import { verdictOn } from '../shared/watch.ts';
import { Bell } from './bell.ts';
import type { Delivery } from './delivery.ts';
import { follow, type LookListener } from './follow.ts';
import { keepOn, type Listening, pauseFor } from './listening.ts';

/** The tasks that run side by side while listening. */
export interface Parts {
  /** Null without a target. */
  readonly deliver: Delivery | null;
  /** Prints what turned up. */
  print(): Promise<void>;
  /** Records creates that nobody settled, and removes old events, where it is time for that. */
  upkeep(): Promise<void>;
  readonly onAnswer: LookListener['onAnswer'];
}

/** Looks at each swap once, prints and delivers what came of it, and throws what kept a swap from being looked at. */
export async function lookOnce(
  listening: Listening,
  { deliver, print, upkeep, onAnswer }: Parts,
): Promise<void> {
  const { context } = listening;
  const { missed } = await follow(listening, { onLook: () => undefined, onAnswer });
  await upkeep();
  await print();
  await deliver?.deliver(new Bell());
  context.signal.throwIfAborted();
  if (missed !== null) throw missed;
}

/** Follows the swaps, prints and delivers, until there is nothing more to follow or the program is interrupted. */
export async function runParts(
  listening: Listening,
  { deliver, print, upkeep, onAnswer }: Parts,
  end: () => void,
): Promise<void> {
  const { context, stop } = listening;
  const bells = { follow: new Bell(), print: new Bell(), deliver: new Bell() };
  const ringAll = () => {
    for (const bell of Object.values(bells)) bell.ring();
  };
  stop.addEventListener('abort', ringAll, { once: true });
  let late: SwapctlError | null = null;
  const followed = follow(listening, { onLook: ringAll, onAnswer }).then(({ open }) => {
    late = verdictOn(open, false, true);
    if (late !== null || deliver === null) return;
    // Every order that was named has ended, but perhaps not everything of them is delivered.
    return keepOn(listening, bells.follow, async () => {
      if (await deliver.hasWaiting()) await pauseFor(listening, bells.follow);
      else end();
    });
  });
  const printed = keepOn(listening, bells.print, async () => {
    await upkeep();
    await print();
    await pauseFor(listening, bells.print);
  });
  const delivered = keepOn(listening, bells.deliver, async () => {
    await deliver?.deliver(bells.deliver);
    await (deliver === null ? pauseFor(listening, bells.deliver) : deliver.wait(bells.deliver));
  });
  await allEnded([followed, printed, delivered], end);
  await print();
  context.signal.throwIfAborted();
  if (late !== null) throw late;
}

/** Waits for all. The first that ends or fails ends the others, which finish what they are about; a failure is thrown. */
async function allEnded(parts: readonly Promise<void>[], end: () => void): Promise<void> {
  const results = await Promise.allSettled(parts.map((part) => part.finally(end)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
