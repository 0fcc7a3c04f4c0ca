import { type Decimal, ExactSum } from '../amount.ts';
import type { Labels } from '../labels.ts';
import type { Asset } from '../swap.ts';
import { kindOf, type Policy } from './policy.ts';
import type { Counted, Counters, Counts } from './rule.ts';

/** A create that counts: its swap exists, or may exist. Times are milliseconds since 1970. */
export interface CountedSwap {
  readonly at: number;
  readonly deposit: Asset;
  readonly amount: Decimal;
  readonly labels: Labels;
  /** Until when it counts although its time has passed. */
  readonly heldUntil?: number | null;
  /** From when it does not count although its time has not passed. */
  readonly givesBackAt?: number | null;
}

/** What all rules of a policy count together: the longest time in milliseconds, the highest number of payments. */
export function countsOf({ rules }: Policy): Required<Pick<Counts, 'within' | 'labels' | 'open' | 'seen'>> {
  const all = rules.map((rule) => kindOf(rule).counts?.(rule) ?? {});
  return {
    within: Math.max(0, ...all.map(({ within = 0 }) => within)),
    labels: all.some(({ labels = false }) => labels),
    open: all.some(({ open = false }) => open),
    seen: Math.max(0, ...all.map(({ seen = 0 }) => seen)),
  };
}

/** Counts creates by the rules of a policy, at a time that only goes forward: now, or during a replay. */
export class Tally {
  #now: number;
  readonly #rules = new Map<object, { readonly counts: Counts; readonly groups: Map<string, Window> }>();

  constructor({ rules }: Policy, now: number) {
    this.#now = now;
    for (const rule of rules) {
      const counts = kindOf(rule).counts?.(rule) ?? {};
      this.#rules.set(rule, { counts, groups: new Map() });
    }
  }

  advance(now: number): void {
    this.#now = now;
  }

  /** Counts a create in the groups of all rules. */
  add(swap: CountedSwap): void {
    const { at, heldUntil, givesBackAt, amount } = swap;
    for (const { counts, groups } of this.#rules.values()) {
      const { within } = counts;
      if (within === undefined) continue;
      const window = windowOf(groups, counts.group?.(swap) ?? '');
      const end = Math.max(at + within, heldUntil ?? 0);
      if (counts.covers?.(swap) ?? true) window.add(Math.min(end, givesBackAt ?? end), amount);
    }
  }

  /** What is counted now; `known` has what was counted elsewhere. */
  counters(known: Pick<Counters, 'open' | 'seen'>): Counters {
    const groupsOf = (rule: object) => this.#rules.get(rule)?.groups ?? new Map<string, Window>();
    return {
      counted: (rule, group = '') => (groupsOf(rule).get(group) ?? new Window()).at(this.#now),
      groups: (rule) => [...groupsOf(rule).keys()],
      ...known,
    };
  }
}

/** The window of a key; for a new key an empty one, which is added to the map. */
export function windowOf(windows: Map<string, Window>, key: string): Window {
  const found = windows.get(key) ?? new Window();
  windows.set(key, found);
  return found;
}

/** Amounts that each count until their own time, in milliseconds since 1970, with their count and exact sum. */
export class Window implements Counted {
  readonly #items: { readonly until: number; readonly amount: Decimal }[] = [];
  readonly #sum = new ExactSum();
  /** How many have stopped counting. */
  passed = 0;

  add(until: number, amount: Decimal = '0'): void {
    let [low, high] = [this.passed, this.#items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#items[middle]?.until ?? 0) <= until) low = middle + 1;
      else high = middle;
    }
    this.#items.splice(low, 0, { until, amount });
    this.#sum.add(amount);
  }

  /** The window at a time, which only goes forward. */
  at(now: number): this {
    for (let first = this.#first; first !== undefined && first.until <= now; first = this.#first) {
      this.#sum.add(`-${first.amount}`);
      this.passed += 1;
    }
    return this;
  }

  get count(): number {
    return this.#items.length - this.passed;
  }

  get sum(): Decimal {
    return this.#sum.amount;
  }

  get backAt(): number | null {
    const until = this.#first?.until ?? Number.POSITIVE_INFINITY;
    return until === Number.POSITIVE_INFINITY ? null : until;
  }

  get #first() {
    return this.#items[this.passed];
  }
}
