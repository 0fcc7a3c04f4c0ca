import { SwapctlError } from '../../../src/base/errors.ts';
import { sumOf } from '../model/decimals.ts';
import type { Model } from '../model/model.ts';
import { Random, weighted } from '../random.ts';
import type { Plan } from './plan.ts';
import type { Scheduler } from './scheduler.ts';
import type { Service } from './service.ts';

const MINUTE = 60_000;

/** What someone does with an order that is shown as one to fund. */
export type Habit = 'never' | 'soon' | 'late' | 'short' | 'twice' | 'double';

const HABITS = weighted<Habit>({ never: 4, soon: 3, late: 1, short: 1, twice: 1, double: 0 });

/** Where people are. */
interface PeoplePlace {
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly service: Pick<Service, 'operator'>;
  readonly model: Model;
}

/** People who fund what they were shown: soon, late, short, double, twice or never. */
export class People {
  readonly #random: Random;
  readonly #scheduler: Pick<Scheduler, 'after'>;
  readonly #service: Pick<Service, 'operator'>;
  readonly #model: Model;
  readonly #tell: (words: string) => void;
  readonly #habits: readonly Habit[];
  readonly #asked = new Set<string>();

  constructor(
    { seed, habits = HABITS }: Pick<Plan, 'seed' | 'habits'>,
    { scheduler, service, model }: PeoplePlace,
    tell: (words: string) => void,
  ) {
    this.#random = new Random(`${seed} people`);
    this.#habits = habits;
    this.#scheduler = scheduler;
    this.#service = service;
    this.#model = model;
    this.#tell = tell;
  }

  /** Somebody is shown an order as one to fund. */
  shown(order: string, amount: string): void {
    if (this.#asked.has(order)) return;
    this.#asked.add(order);
    const random = this.#random;
    const habit = random.pick(this.#habits);
    if (habit === 'never') return;
    const wait = habit === 'late' ? random.between(18, 40) * MINUTE : random.between(1_000, 4 * MINUTE);
    const paid = habit === 'double' ? sumOf(amount, amount) : habit === 'short' ? shortOf(amount) : amount;
    this.#pay(order, paid, wait);
    if (habit === 'twice') this.#pay(order, amount, wait + random.between(1_000, MINUTE));
  }

  #pay(order: string, amount: string, wait: number): void {
    this.#scheduler.after(wait, async () => {
      this.#tell(`somebody pays ${amount} to ${order}`);
      try {
        await this.#service.operator.orders.deposit(order, amount);
        this.#model.funded(order, amount);
      } catch (error) {
        if (!(error instanceof SwapctlError)) throw error;
        this.#model.fail('fundable', `somebody cannot pay ${amount} to ${order}: ${error.message}`);
      }
    });
  }
}

/** The amount without its last digit but one, more or less: an exchange that takes its fee. */
function shortOf(amount: string): string {
  const short = amount.replace(/[1-9](?=[^1-9]*$)/, (digit) => String(Number.parseInt(digit, 10) - 1));
  return /[1-9]/.test(short) ? short : amount;
}
