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

/** Called after each row with the number of rows done so far, of all. */
export type Report = (rowsDone: number) => void;

/** Shows progress in a line that `change` redraws, with waits below it; where it is null, a line every ten seconds. */
export function showProgress(
  { now, monotonic, streams }: Context,
  pace: Pace,
  { verb, total, requestsPerRow }: Task,
  change: Change | null,
): Report {
  const turnsBefore = pace.turns;
  let notedAt = monotonic();
  /** Times at which the latest rows were done. */
  let times = [notedAt];
  let done = 0;
  let waitsUntil: number | null = null;
  /** Time for the remaining rows: as the budget allows, and no faster than the latest; null if unknown. */
  const leftMs = (): number | null => {
    const rows = total - done;
    const [first = 0] = times;
    const measured = times.length - 1;
    const measuredLeftMs = measured < MIN_MEASURED_ROWS ? null : (rows * (monotonic() - first)) / measured;
    if (requestsPerRow === null) return measuredLeftMs;
    // Rows may share a request, so the estimate improves as more are done.
    const sent = pace.turns - turnsBefore + requestsPerRow * FIRST_SIGHT;
    return Math.max(pace.leastMs((rows * sent) / (done + FIRST_SIGHT)), measuredLeftMs ?? 0);
  };
  const text = (room: number) => progressText({ verb, total, done, leftMs: leftMs() }, room);
  const show = () => {
    if (change !== null) {
      const wait = waitsUntil === null ? undefined : pace.waitWords(waitsUntil);
      change(text(streams.noteWidth - SPINNER_WIDTH), wait);
    } else if (monotonic() - notedAt >= LINE_EVERY_MS) {
      notedAt = monotonic();
      streams.note(`${text(0)}.`);
    }
  };
  pace.onWait = (until) => {
    const isNew = until !== null && Math.abs(until - (waitsUntil ?? 0)) > LONG_WAIT_MS;
    waitsUntil = until;
    if (change !== null) show();
    else if (until !== null && isNew && until - now() >= LONG_WAIT_MS) {
      streams.note(`${text(0)}. ${pace.waitWords(until)}.`);
      notedAt = monotonic();
    }
  };
  show();
  return (rowsDone) => {
    done = rowsDone;
    times = [...times.slice(-MEASURED_ROWS), monotonic()];
    show();
  };
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

/** A bar of this many columns with spaces around it; empty if there are too few. */
function barText(share: number, room: number): string {
  const width = Math.min(MAX_BAR_WIDTH, room - 3);
  if (width < MIN_BAR_WIDTH) return '';
  const filled = Math.floor(share * width);
  return `  ${'█'.repeat(filled)}${'░'.repeat(width - filled)} `;
}
