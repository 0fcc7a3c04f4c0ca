/** Smallest step back that is corrected, in milliseconds; smaller ones are waited out. */
export const MIN_STEP_MS = 1000;

/** The sandbox's time at a check, and both clocks of this machine at that moment. */
interface ClockCheck {
  readonly time: number;
  readonly wall: number;
  readonly steady: number;
}

/**
 * Detects, by the monotonic clock, that the wall clock of this machine was set back. The sandbox's time must go on: a
 * swap whose window ended an hour ago must not wait for another day.
 */
export class WallClockSteps {
  readonly #steady: () => number;
  #last: ClockCheck | undefined;

  constructor(steady: () => number) {
    this.#steady = steady;
  }

  /**
   * The sandbox's time as it should be now if the wall clock was set back since the last check, otherwise undefined.
   */
  expectedAfterStep(wall: number): number | undefined {
    if (this.#last === undefined) return undefined;
    const passed = this.#steady() - this.#last.steady;
    return wall - this.#last.wall < passed - MIN_STEP_MS ? this.#last.time + passed : undefined;
  }

  /** Records both clocks at a time of the sandbox. */
  note(time: number, wall: number): void {
    this.#last = { time, wall, steady: this.#steady() };
  }
}
