import { UsageError } from '../../base/errors.ts';
import type { Database } from '../../core/database/database.ts';
import { orderStateAt, type Transition } from '../orders/lifecycle.ts';
import { orderPagesOf } from '../orders/repository.ts';
import { beginGeneration, copyGeneration, replaceCurrent } from '../snapshots/copy.ts';
import type { SandboxSchema } from '../state/schema.ts';
import { changeState, stateRow, virtualTime } from '../state/state-row.ts';

/** RFC 3339 has four digits for a year and no sign, and a reset subtracts as much from recorded times. */
const END_OF_TIME = Date.UTC(3000, 0, 1);

export type ClockReading = Awaited<ReturnType<typeof readClock>>;

/** A change of an order's status caused by advancing the clock. */
interface FiredTransition extends Transition {
  readonly order: string;
}

export interface ClockAdvance extends ClockReading {
  readonly transitions: readonly FiredTransition[];
}

/** Everything that the verbs of clock and snapshots work with. */
export interface ClockTools {
  readonly database: Database<SandboxSchema>;
  readonly wallClock: () => number;
}

export async function readClock({ database, wallClock }: ClockTools) {
  const row = await stateRow(database.kysely);
  return {
    now: virtualTime(row, wallClock()),
    /** Milliseconds by which it was advanced. */
    offset: row.clock_offset,
    /** Whether it is stopped, and moves only when it is advanced. */
    standsStill: row.clock_start !== null,
  };
}

/** The operators' verbs for the clock: read it, advance it, and set it back to real time. */
export function clockVerbs(tools: ClockTools) {
  return {
    read: () => readClock(tools),
    /** Returns the transitions that happened. Throws UsageError for a negative or excessive time. */
    advance: async (milliseconds: number): Promise<ClockAdvance> => {
      if (!Number.isSafeInteger(milliseconds) || milliseconds <= 0)
        throw new UsageError(
          'The clock can only be advanced, by whole milliseconds.',
          'Example: swapctl sandbox clock advance 10m',
        );
      if (milliseconds > END_OF_TIME) throw beyondEnd();
      await tools.database.transaction(async (tx) => {
        const row = await changeState(tx, { clock_offset: milliseconds, revision: 1 });
        refuseBeyondEnd(row, tools.wallClock());
      });
      const reading = await readClock(tools);
      return { ...reading, transitions: await firedBetween(tools, reading.now - milliseconds, reading.now) };
    },
    /**
     * Sets the clock back to real time. All recorded times move back with it, so every swap keeps its state and its
     * remaining waits: no transition is undone.
     */
    reset: async (): Promise<ClockReading> => {
      await tools.database.transaction(async (tx) => {
        const state = await beginGeneration(tx);
        const { clock_offset: offset, clock_rebased: rebased } = state;
        if (offset === 0) return;
        await copyGeneration(tx, { from: state.generation, to: state.generations_made, shift: -offset });
        await replaceCurrent(tx, state);
        await changeState(tx, { clock_offset: -offset, clock_rebased: -rebased, revision: 1 });
      });
      return readClock(tools);
    },
  };
}

/** Throws a UsageError if the clock of a row is beyond what it can show. */
export function refuseBeyondEnd(row: Parameters<typeof virtualTime>[0], wallTime: number): void {
  if (virtualTime(row, wallTime) > END_OF_TIME) throw beyondEnd();
}

function beyondEnd(): UsageError {
  return new UsageError(
    'The clock cannot go beyond the year 2999.',
    'Reset it with `swapctl sandbox clock reset`.',
  );
}

async function firedBetween({ database }: ClockTools, after: number, until: number) {
  const fired: FiredTransition[] = [];
  for await (const page of orderPagesOf(database, { changing: [after, until] })) {
    for (const { order, events } of page) {
      for (const transition of orderStateAt(order, events, until).transitions) {
        if (transition.at > after) fired.push({ order: order.orderNumber, ...transition });
      }
    }
  }
  return fired.toSorted((a, b) => a.at - b.at || (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
}
