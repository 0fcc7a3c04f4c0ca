import type { JsonObject } from '../../../partner-api/json.ts';
import type { AnswerCheck } from '../deviations.ts';
import { CoinsSeen } from './coins.ts';
import { DecisionsSeen } from './decisions.ts';
import type { Exchange } from './exchange.ts';
import { HabitsSeen } from './habits.ts';
import { PagesSeen } from './pages.ts';
import { QuotesSeen } from './quotes.ts';
import type { Learned } from './result.ts';
import { Findings } from './result.ts';
import { TextsSeen } from './texts.ts';

/** Learns how a service decides from its answers, one after the other; what it keeps of them is bounded. */
export class Learner {
  readonly #coins = new CoinsSeen();
  readonly #quotes = new QuotesSeen();
  readonly #habits = new HabitsSeen();
  readonly #pages = new PagesSeen();
  readonly #texts = new TextsSeen();
  readonly #decisions: DecisionsSeen;
  #calls = 0;

  /** @param check of answers against the OpenAPI document of the plain sandbox */
  constructor(check: AnswerCheck) {
    this.#decisions = new DecisionsSeen(check);
  }

  /** Calls seen. */
  get calls(): number {
    return this.#calls;
  }

  /** Takes note of one call. */
  see(exchange: Exchange): void {
    this.#calls += 1;
    for (const part of [this.#coins, this.#quotes, this.#habits, this.#pages, this.#texts, this.#decisions])
      part.see(exchange);
  }

  /** The overlay that answers as the service did, and what the calls did not show. */
  result(): Learned {
    const findings = new Findings();
    const prices = this.#quotes.prices(findings, this.#coins);
    const coins = this.#coins.tell(findings, prices);
    const bounds = this.#quotes.bounds(findings, this.#coins);
    this.#habits.tell(findings, this.#coins);
    this.#pages.tell(findings);
    this.#texts.tell(findings);
    this.#decisions.tell(findings, this.#coins);
    if (this.#quotes.fixedCostsMore() === false)
      findings.decides(
        ...([
          'a fixed rate',
          'fees',
          { fixed: '0.5', float: '1' },
          'gives more than a floating one',
        ] as const),
        false,
      );
    const { habits, decisions, learned, missing } = findings;
    const overlay: JsonObject = {
      ...(coins.length === 0 ? {} : { coins }),
      ...(bounds.length === 0 ? {} : { bounds }),
      habits,
      decisions,
    };
    return { overlay, learned, missing };
  }
}
