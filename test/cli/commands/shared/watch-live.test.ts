import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ClosedPipe, InterruptedError, SwapctlError } from '../../../../src/base/errors.ts';
import { initialState, watchLive } from '../../../../src/cli/commands/shared/watch-live.ts';
import type { Key, LiveBlock } from '../../../../src/cli/terminal/live.ts';
import { PLAIN } from '../../../../src/cli/terminal/style.ts';
import type { SwapResult } from '../../../../src/core/ledger/swap-result.ts';
import type { Followed } from '../../../../src/core/swaps/follow/profile.ts';
import { NOW, swapIn } from '../../views/live/swaps.ts';

const CLOCK = new Date(NOW).toTimeString().slice(0, 8);

/** A block that keeps its frames at 80 columns, and what rang. */
function recorder(closed: Promise<never> = new Promise<never>(() => undefined)) {
  const frames: string[][] = [];
  let bells = 0;
  let ended = false;
  const block: LiveBlock = {
    show: (lines) => void frames.push([...lines({ width: 80, height: 23, style: PLAIN })]),
    above: (write) => write(),
    leave: () => undefined,
    bell: () => {
      bells += 1;
    },
    closed,
    end: () => {
      ended = true;
    },
  };
  return { block, frames, bells: () => bells, ended: () => ended };
}

async function* sent(...events: readonly (Followed | Error)[]): AsyncGenerator<Followed> {
  for (const event of events) {
    if (event instanceof Error) throw event;
    yield event;
  }
}

const seen = (swap: SwapResult, before: SwapResult | null = null): Followed => ({
  kind: 'seen',
  key: `sandbox/${swap.order}`,
  at: NOW,
  swap,
  before,
});

const down = new SwapctlError('service_error', 'Down for maintenance', { httpStatus: 500, retryable: true });
const missed = (order: string): Followed => ({
  kind: 'missed',
  key: `sandbox/${order}`,
  at: NOW,
  order,
  error: down,
});

async function watched(orders: readonly string[], ...events: readonly (Followed | Error)[]) {
  const { block, ...recorded } = recorder();
  const work = watchLive({ now: () => NOW, streams: { keys: async () => null } }, block, sent(...events), {
    begun: initialState(orders, [], NOW),
    stopped: new AbortController(),
    needed: () => 6,
  });
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { ...recorded, error };
}

const swap = (order: string, status: string) => swapIn(status, { order });

describe('swaps watched on a terminal', () => {
  test('are drawn after each event', async () => {
    const confirming = swapIn('confirmation', { order: 'A', deposit: { confirmations: 1, txId: 'x' } });
    const { frames, ended, error } = await watched(['A'], seen(swap('A', 'new')), seen(confirming));
    expect(frames.map(([head, steps]) => [head, steps])).toEqual([
      [' A  BTC → USDT  floating rate  · sandbox', ' ● new → ○ confirmation → ○ exchanging → ○ success'],
      [' A  BTC → USDT  floating rate  · sandbox', ' ✓ new → ● confirmation 1/6 → ○ exchanging → ○ success'],
    ]);
    expect([ended(), error]).toEqual([true, null]);
  });

  test('start with the status in the ledger and its age before the first poll', async () => {
    const known = (order: string, status: string, seconds: number) => ({
      key: `sandbox/${order}`,
      swap: swap(order, status),
      seenAt: NOW - seconds * 1000,
    });
    const { frames, bells } = await watched(
      ['A', 'B', 'C'],
      { kind: 'known', swaps: [known('A', 'exchanging', 12), known('B', 'frozen', 180)] },
      seen(swap('A', 'pause')),
    );
    expect(frames[0]?.filter((line) => line.includes('not checked yet'))).toHaveLength(1);
    expect(frames[0]?.find((line) => line.startsWith(' B'))).toMatch(/frozen .* 3 min$/);
    expect(frames[0]?.find((line) => line.startsWith(' A'))).toMatch(/exchanging .* 12 s$/);
    // It went on by itself when it was last seen.
    expect(bells()).toBe(1);
  });

  test('are drawn as a table once there is a second swap', async () => {
    const { frames } = await watched(['A'], seen(swap('A', 'new')), seen(swap('B', 'exchanging')));
    expect(frames.at(-1)?.map((line) => line.slice(0, 20))).toEqual([
      ' 2 open  · sandbox',
      ' ORDER  STATUS      ',
      ' B      exchanging  ',
      ' A      new         ',
    ]);
  });

  test('have one line for all failed polls until each poll succeeded', async () => {
    const both = ['A', 'B'].map((order) => seen(swap(order, 'new')));
    const { frames } = await watched(['A', 'B'], ...both, missed('A'), missed('B'), missed('A'), ...both);
    const lineOf = (frame: readonly string[]) => frame.filter((line) => line.includes('Down'));
    const reported = ` ${CLOCK}  Down for maintenance. Retrying.`;
    expect(frames.map(lineOf)).toEqual([[], [], [reported], [reported], [reported], [reported], []]);
  });

  test('ring the bell once when a swap begins to need attention', async () => {
    const frozen = swap('A', 'frozen');
    const { bells } = await watched(
      [],
      seen(swap('A', 'exchanging')),
      seen(frozen, swap('A', 'exchanging')),
      seen(frozen, frozen),
      seen(swap('B', 'pause')),
      seen(swap('C', 'success'), swap('C', 'exchanging')),
    );
    expect(bells()).toBe(1);
  });

  test('show the error of a rejected key on every open swap of the profile', async () => {
    const refused = new SwapctlError('invalid_signature', 'Invalid signature');
    const { frames } = await watched(
      [],
      seen(swap('A', 'new')),
      seen(swap('B', 'new')),
      seen(swap('C', 'success')),
      { ...missed('A'), kind: 'gone', error: refused, isWholeProfile: true } as Followed,
    );
    expect(frames.at(-1)?.map((line) => line.replace(/ {2,}.*$/, ''))[0]).toBe(' 0 open, 3 ended');
    expect(frames.at(-1)?.filter((line) => line.includes('Invalid signature.'))).toHaveLength(2);
  });

  test('keep the last frame when interrupted', async () => {
    const { frames, ended, error } = await watched(
      ['A'],
      seen(swap('A', 'new')),
      new InterruptedError('SIGINT'),
    );
    expect([frames.length, ended()]).toEqual([1, true]);
    expect(error).toMatchObject({ code: 'interrupted', exitCode: 130 });
  });

  test('are no longer watched once the terminal is closed, even if no response arrives', async () => {
    const { block, ended } = recorder(Promise.reject(new ClosedPipe()));
    const never: AsyncIterable<Followed> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
    };
    const work = watchLive({ now: () => NOW, streams: { keys: async () => null } }, block, never, {
      begun: initialState(['A'], [], NOW),
      stopped: new AbortController(),
    });
    await expect(work).rejects.toThrow(ClosedPipe);
    expect(ended()).toBe(true);
  });
});

describe('swaps watched on a terminal with a keyboard', () => {
  /** Follows two swaps until a person leaves; `keys` are pressed as soon as both are on the board. */
  async function typed(...keys: readonly Key[]) {
    const { block, frames, ended } = recorder();
    let press: (key: Key) => void = () => undefined;
    let isGivenBack = false;
    let framesWhenStopped = 0;
    const stopped = new AbortController();
    const streams = {
      keys: async (pressed: typeof press) => {
        press = pressed;
        return () => {
          isGivenBack = true;
        };
      },
    };
    async function* endless(): AsyncGenerator<Followed> {
      yield* [seen(swap('A', 'new')), seen(swap('B', 'exchanging'))];
      for (const key of keys) press(key);
      await once(stopped.signal, 'abort');
      framesWhenStopped = frames.length;
    }
    const begun = initialState(['A', 'B'], [], NOW);
    const work = watchLive({ now: () => NOW, streams }, block, endless(), { begun, stopped });
    const end = await work.catch((error: unknown) => error);
    return { end, frames, last: frames.at(-1) ?? [], ended: ended(), isGivenBack, framesWhenStopped };
  }

  test('q quits, leaves the table without the key hints and restores the terminal', async () => {
    const { end, last, ended, isGivenBack, frames, framesWhenStopped } = await typed({
      name: 'q',
      text: 'q',
    });
    expect(end).toMatchObject({ isLeft: true });
    expect([ended, isGivenBack]).toEqual([true, true]);
    // Polls in flight end before the last frame is drawn.
    expect(framesWhenStopped).toBe(frames.length - 1);
    expect(last.at(0)).toBe(' 2 open  · sandbox');
    expect(last.join('\n')).not.toContain('q quit');
  });

  test('Ctrl-C interrupts although raw mode sends no signal', async () => {
    const { end, isGivenBack } = await typed({ name: 'interrupt', text: '' });
    expect(end).toBeInstanceOf(InterruptedError);
    expect(isGivenBack).toBe(true);
  });
});
