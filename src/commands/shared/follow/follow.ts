import type { Context } from '../../../context.ts';
import type { Followed, FollowOptions, FollowPlace } from './followed.ts';
import { Follower } from './follower.ts';

/**
 * Follows swaps to their ends, or until `--timeout` is up, within the budget of each profile's key. Swaps of the ledger
 * are looked at by one process at a time, and what the others see is told too. Lost connections, 429 and 5xx are told
 * and end nothing. Throws what ends the program, as an interruption.
 */
export async function* followSwaps(
  context: Context,
  places: readonly FollowPlace[],
  options: FollowOptions,
): AsyncGenerator<Followed, void, undefined> {
  const follower = new Follower(context, options);
  try {
    for (const place of places) await follower.add(place);
    while (!follower.isDone) {
      await follower.step();
      yield* follower.takeNews();
    }
    follower.endRest();
    yield* follower.takeNews();
  } finally {
    await follower.stop();
  }
}
