import { SwapctlError } from '../../base/errors.ts';
import type { RateAnswer } from '../swap/rate-limit.ts';

/** A limit of requests: a service's own, or the budget that all processes with a key pair share. */
export interface RequestLimit {
  /** Takes the right to send one request and gives 0, or else the milliseconds to the next try; infinity for never. */
  tryTake(): Promise<number>;
  observe(answer: RateAnswer): Promise<void>;
}

/** How a request waits for its turns in a limit: one for its first try, and one for each repeat. */
export interface RequestTurns {
  readonly limit: RequestLimit;
  /** Milliseconds until nothing is sent anymore. */
  timeLeft(): number;
  /** Gives the request up, in place of the client's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait, with its milliseconds. */
  onWait?(milliseconds: number): void;
  /** Whether to try again after a failure, with or without an answer. Default: after each temporary one. */
  repeats?(error: SwapctlError, isAnswered: boolean): boolean;
}

/** Another process may have returned turns, or learned of more. */
const MAX_SLEEP_MS = 30_000;

/** Waits until a limit allows one more request; false if time is too short. The only code that waits for a limit. */
export async function takeTurn(
  { limit, timeLeft, signal, onWait }: RequestTurns,
  sleep: (milliseconds: number, stopped?: AbortSignal) => Promise<void>,
): Promise<boolean> {
  for (;;) {
    if (timeLeft() <= 0) return false;
    const wait = await limit.tryTake();
    if (wait <= 0) return true;
    if (wait >= timeLeft()) return false;
    onWait?.(wait);
    await sleep(Math.min(wait, MAX_SLEEP_MS), signal);
  }
}

/** Hint for a request that was not sent because {@link takeTurn} had no time: why, and which flags help. */
export const MORE_TIME =
  'The limit is shared with other processes. Use a longer --timeout or a larger --budget.';

/** The retryable error `timeout` for a request that was not sent because {@link takeTurn} had no time. */
export function noTimeLeft(): SwapctlError {
  return new SwapctlError('timeout', 'The request limit left no time to send the request before --timeout.', {
    retryable: true,
    hint: `Nothing was sent. ${MORE_TIME}`,
  });
}
