import { spanWords } from '../../../base/time.ts';
import type { Pace } from '../../../core/swaps/batch/pace.ts';
import type { Context } from '../../context.ts';
import type { Change } from '../../terminal/progress.ts';

/** Pause between two lines where they cannot be redrawn. */
const LINE_EVERY_MS = 10_000;
/** A wait that gets a separate line there. */
const LONG_WAIT_MS = 5_000;
const MAX_BAR_WIDTH = 24;
/** A shorter bar shows nothing useful. */
const MIN_BAR_WIDTH = 4;
/** The spinner before the text, and a column that stays free. */
const SPINNER_WIDTH = 3;
/** Number of recent rows that the speed is measured by: the first rows say little about the rest. */
const MEASURED_ROWS = 30;
const MIN_MEASURED_ROWS = 10;
/** Number of rows for which the initial estimate of requests is used. */
const FIRST_SIGHT = 10;

/** The work to do. */
export interface Task {
  readonly verb: string;
  readonly total: number;
  /** Initial estimate of the requests that a row needs; null if unknown. */
  readonly requestsPerRow: number | null;
}

/** Shows progress: a line that is redrawn on a terminal, and a line every ten seconds elsewhere. */
export class Progress {
  readonly #context: Context;
  readonly #task: Task;
  readonly #pace: Pace;
  readonly #change: Change | null;
  /** Times at which the latest rows were done. */
  #times: number[];
  readonly #turnsBefore: number;
  #done = 0;
  #waitsUntil: number | null = null;
  #notedAt: number;

  /** `change` sets the text of the redrawn line; null if there is none. */
  constructor(context: Context, pace: Pace, task: Task, change: Change | null) {
    this.#context = context;
    this.#task = task;
    this.#pace = pace;
    this.#change = change;
    this.#turnsBefore = pace.turns;
    this.#notedAt = context.monotonic();
    this.#times = [this.#notedAt];
    pace.onWait = (until) => this.#waits(until);
    this.#show();
  }

  report(done: number): void {
    this.#done = done;
    this.#times = [...this.#times.slice(-MEASURED_ROWS), this.#context.monotonic()];
    this.#show();
  }

  #waits(until: number | null): void {
    const isNew = until !== null && Math.abs(until - (this.#waitsUntil ?? 0)) > LONG_WAIT_MS;
    this.#waitsUntil = until;
    const { now, monotonic, streams } = this.#context;
    if (this.#change !== null) this.#show();
    else if (until !== null && isNew && until - now() >= LONG_WAIT_MS) {
      streams.note(`${this.#text(0)}. ${this.#pace.waitWords(until)}.`);
      this.#notedAt = monotonic();
    }
  }

  #show(): void {
    const { streams, monotonic } = this.#context;
    if (this.#change !== null) {
      const wait = this.#waitsUntil === null ? undefined : this.#pace.waitWords(this.#waitsUntil);
      this.#change(this.#text(streams.noteWidth - SPINNER_WIDTH), wait);
    } else if (monotonic() - this.#notedAt >= LINE_EVERY_MS) {
      this.#notedAt = monotonic();
      streams.note(`${this.#text(0)}.`);
    }
  }

  #text(room: number): string {
    const { verb, total } = this.#task;
    return progressText({ verb, total, done: this.#done, leftMs: this.#leftMs() }, room);
  }

  /** Time for the remaining rows: as the budget allows, and no faster than the latest; null if unknown. */
  #leftMs(): number | null {
    const { total, requestsPerRow } = this.#task;
    const rows = total - this.#done;
    const [first = 0] = this.#times;
    const measured = this.#times.length - 1;
    const measuredLeftMs =
      measured < MIN_MEASURED_ROWS ? null : (rows * (this.#context.monotonic() - first)) / measured;
    if (requestsPerRow === null) return measuredLeftMs;
    // Rows may share a request, so the estimate improves as more are done.
    const sent = this.#pace.turns - this.#turnsBefore + requestsPerRow * FIRST_SIGHT;
    return Math.max(this.#pace.leastMs((rows * sent) / (this.#done + FIRST_SIGHT)), measuredLeftMs ?? 0);
  }
}

/** Rows done of a total, the time left, and a bar if it fits into `room` columns. */
export function progressText(
  { verb, done, total, leftMs }: Pick<Task, 'verb' | 'total'> & { done: number; leftMs: number | null },
  room: number,
): string {
  const left = leftMs === null || leftMs < 1000 || done >= total ? '' : `, about ${spanWords(leftMs)} left`;
  const count = ` ${done} of ${total}${left}`;
  return `${verb}${barText(total === 0 ? 1 : done / total, room - verb.length - count.length)}${count}`;
}

/** A bar of this many columns with blanks around it; empty if there are too few. */
function barText(share: number, room: number): string {
  const width = Math.min(MAX_BAR_WIDTH, room - 3);
  if (width < MIN_BAR_WIDTH) return '';
  const filled = Math.floor(share * width);
  return `  ${'█'.repeat(filled)}${'░'.repeat(width - filled)} `;
}
