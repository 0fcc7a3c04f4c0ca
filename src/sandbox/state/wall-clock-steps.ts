/** A step back that is worth mending, in milliseconds; smaller ones are waited out. */
export const MIN_STEP_MS = 1000;

/** Where the sandbox's time stood at a look, and what both clocks of this machine showed then. */
interface Look {
  readonly time: number;
  readonly wall: number;
  readonly steady: number;
}

/**
 * Notices that the wall clock of this machine was set back, by a clock that never is. The sandbox's time must go on
 * all the same: a swap whose window ran out an hour ago does not wait a day for it.
 */
export class WallClockSteps {
  readonly #steady: () => number;
  #last: Look | undefined;

  constructor(steady: () => number) {
    this.#steady = steady;
  }

  /** What the sandbox's time should be now, if the wall clock went back since the last look; else undefined. */
  expectedAfterStep(wall: number): number | undefined {
    if (this.#last === undefined) return undefined;
    const passed = this.#steady() - this.#last.steady;
    return wall - this.#last.wall < passed - MIN_STEP_MS ? this.#last.time + passed : undefined;
  }

  /** Remembers how the clocks stand at a time of the sandbox. */
  note(time: number, wall: number): void {
    this.#last = { time, wall, steady: this.#steady() };
  }
}
