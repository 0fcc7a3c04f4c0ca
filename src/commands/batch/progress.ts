import type { Context } from '../../context.ts';
import { spanWords } from '../../terminal/time.ts';

const LINE_EVERY_MS = 10_000;
const BAR_WIDTH = 24;

/** How far the work is: a line that changes on a terminal, and a line every ten seconds elsewhere. */
export class Progress {
  readonly #context: Context;
  readonly #verb: string;
  /** Null where it is not known yet. */
  readonly #total: number | null;
  readonly #change: ((text: string) => void) | null;
  readonly #begun: number;
  #toldAt: number;

  /** `change` sets the text of the line that changes; null where there is none. */
  constructor(context: Context, verb: string, total: number | null, change: ((text: string) => void) | null) {
    this.#context = context;
    this.#verb = verb;
    this.#total = total;
    this.#change = change;
    this.#begun = context.monotonic();
    this.#toldAt = this.#begun;
  }

  /** Tells that so many rows are done. */
  tell(done: number): void {
    const now = this.#context.monotonic();
    const text = progressText(this.#verb, done, this.#total, now - this.#begun, this.#change !== null);
    if (this.#change !== null) this.#change(text);
    else if (now - this.#toldAt >= LINE_EVERY_MS) {
      this.#toldAt = now;
      this.#context.streams.note(`${text}.`);
    }
  }
}

/** So many rows of a total in so many milliseconds, with rate and time left. */
export function progressText(
  verb: string,
  done: number,
  total: number | null,
  elapsedMs: number,
  withBar: boolean,
): string {
  if (total === null) return `${verb} row ${done}`;
  const filled = total === 0 ? BAR_WIDTH : Math.floor((done * BAR_WIDTH) / total);
  const bar = withBar ? `  ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ` : '';
  const tenths = elapsedMs <= 0 ? 0 : Math.round((done * 10_000) / elapsedMs);
  const rate = tenths === 0 ? '' : `, ${Math.floor(tenths / 10)}.${tenths % 10} a second`;
  const left = done === 0 || done >= total ? '' : `, ${spanWords(((total - done) * elapsedMs) / done)} left`;
  return `${verb}${bar} ${done} of ${total}${rate}${left}`;
}
