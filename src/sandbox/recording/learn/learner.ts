import type { JsonObject } from '../../../partner-api/json.ts';
import type { AnswerCheck } from '../deviations.ts';
import { AmountsSeen } from './amounts.ts';
import { CoinsSeen } from './coins.ts';
import type { Exchange } from './exchange.ts';
import { FieldsSeen } from './fields.ts';
import { HabitsSeen } from './habits.ts';
import { LimitsSeen } from './limits.ts';
import { MessagesSeen } from './messages.ts';
import { PagesSeen } from './pages.ts';
import { QuotesSeen } from './quotes.ts';
import type { Learned } from './result.ts';
import { Findings } from './result.ts';
import { StatusesSeen } from './statuses.ts';
import { SwapFormsSeen } from './swap-forms.ts';
import { TextsSeen } from './texts.ts';

/** Points that no recording shows. */
const UNSEEN = [
  ['payloads and the order of the checks', 'a recording has no credentials; swapctl conformance tells them'],
  ['confirmation and exchange times', 'no one call shows them; the plain sandbox is quick'],
  ['fees', 'they are inside of the rate'],
] as const;

/** Learns how a service decides from its answers, one after the other; what it keeps of them is bounded. */
export class Learner {
  readonly #coins = new CoinsSeen();
  readonly #quotes = new QuotesSeen();
  readonly #amounts = new AmountsSeen();
  readonly #habits = new HabitsSeen();
  readonly #pages = new PagesSeen();
  readonly #texts = new TextsSeen();
  readonly #statuses = new StatusesSeen();
  readonly #swapForms = new SwapFormsSeen();
  readonly #messages = new MessagesSeen();
  readonly #limits = new LimitsSeen();
  readonly #fields: FieldsSeen;
  #calls = 0;

  /** @param check of answers against the OpenAPI document of the plain sandbox */
  constructor(check: AnswerCheck) {
    this.#fields = new FieldsSeen(check);
  }

  /** Calls seen. */
  get calls(): number {
    return this.#calls;
  }

  /** Takes note of one call. */
  see(exchange: Exchange): void {
    this.#calls += 1;
    for (const part of [
      ...[this.#coins, this.#quotes, this.#amounts, this.#habits, this.#pages, this.#texts, this.#statuses],
      ...[this.#swapForms, this.#messages, this.#limits, this.#fields],
    ])
      part.see(exchange);
  }

  /** The overlay that answers as the service did, and what the calls did not show. */
  result(): Learned {
    const findings = new Findings();
    const prices = this.#quotes.prices(findings, this.#coins);
    const coins = this.#coins.tell(findings, prices);
    const bounds = this.#quotes.bounds(findings, this.#coins);
    this.#amounts.tell(findings);
    this.#habits.tell(findings, this.#coins);
    this.#pages.tell(findings);
    this.#texts.tell(findings);
    this.#statuses.tell(findings);
    this.#swapForms.tell(findings);
    this.#messages.tell(findings, this.#coins);
    this.#limits.tell(findings);
    this.#fields.tell(findings);
    for (const [point, why] of UNSEEN) findings.lacks(point, why);
    if (this.#quotes.fixedCostsMore() === false)
      findings.decides('a fixed rate', {
        name: 'fees',
        value: { fixed: '0.5', float: '1' },
        words: 'gives more than a floating one',
        isPlain: false,
      });
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
