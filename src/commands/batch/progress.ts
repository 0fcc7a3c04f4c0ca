import type { Context } from '../../context.ts';
import { spanWords } from '../../terminal/time.ts';

const LINE_EVERY_MS = 10_000;
const MAX_BAR_WIDTH = 24;
/** A shorter bar says nothing. */
const MIN_BAR_WIDTH = 4;
/** The spinner before the text, and a column that stays free. */
const SPINNER_WIDTH = 3;

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
    const room = this.#change === null ? 0 : this.#context.streams.noteWidth - SPINNER_WIDTH;
    const text = progressText(this.#verb, done, this.#total, now - this.#begun, room);
    if (this.#change !== null) this.#change(text);
    else if (now - this.#toldAt >= LINE_EVERY_MS) {
      this.#toldAt = now;
      this.#context.streams.note(`${text}.`);
    }
  }
}

/** So many rows of a total in so many milliseconds, with rate and time left, and a bar where `room` columns have one. */
export function progressText(
  verb: string,
  done: number,
  total: number | null,
  elapsedMs: number,
  room: number,
): string {
  if (total === null) return `${verb} row ${done}`;
  const tenths = elapsedMs <= 0 ? 0 : Math.round((done * 10_000) / elapsedMs);
  const rate = tenths === 0 ? '' : `, ${Math.floor(tenths / 10)}.${tenths % 10} a second`;
  const left = done === 0 || done >= total ? '' : `, ${spanWords(((total - done) * elapsedMs) / done)} left`;
  const count = ` ${done} of ${total}${rate}${left}`;
  return `${verb}${barText(total === 0 ? 1 : done / total, room - verb.length - count.length)}${count}`;
}

/** A bar with blanks round it in so many columns; empty where they are too few. */
function barText(share: number, room: number): string {
  const width = Math.min(MAX_BAR_WIDTH, room - 3);
  if (width < MIN_BAR_WIDTH) return '';
  const filled = Math.floor(share * width);
  return `  ${'█'.repeat(filled)}${'░'.repeat(width - filled)} `;
}
