import type { Runner } from '../world/process.ts';
import type { Account } from '../world/service.ts';
import type { Violation } from './violation.ts';

/** Requests allowed in a minute to all programs that keep to the budget. */
export const BUDGET = { requests: 24, durationMs: 60_000 };

/** What persons are left of it, a tenth, and what lists may take at most beside programs, for which a third is kept. */
const KEPT_FOR_PERSONS = 3;
const MAX_FOR_LISTS = 13;

/** Tokens as the ledger keeps them: when they were taken, how many, and of these for persons and for lists. */
type Taken = readonly (readonly [at: number, tokens: number, byPerson: number, byList: number])[];

/** The request budget of a key: no window holds more tokens than it allows, and no request leaves without one. */
class Budget {
  readonly #isExact: boolean;
  readonly #durationMs: number;
  readonly #fail: (rule: string, what: string) => Violation;
  #granted = 0;
  #spent = 0;

  /** `isExact` is false in a world whose ledger or clocks fail: programs then count by themselves. */
  constructor(isExact: boolean, pace: number, fail: (rule: string, what: string) => Violation) {
    this.#isExact = isExact;
    this.#durationMs = BUDGET.durationMs / pace;
    this.#fail = fail;
  }

  /** A program sends a request of the budget; a token is taken in a step before. */
  spend({ name }: Runner): void {
    this.#spent += 1;
    if (this.#isExact && this.#spent > this.#granted)
      throw this.#fail('budget', `${name} sends a request without a token`);
  }

  /** The ledger's count changes. */
  changed(old: string | null, now: string): void {
    const [before, after] = [takenIn(old), takenIn(now)];
    const first = after[0]?.[0] ?? 0;
    const granted = sum(after) - sum(before.filter(([at]) => at >= first));
    this.#granted += granted;
    this.#checkPause(old, now, granted > 0);
    const last = after.at(-1)?.[0] ?? 0;
    const window = after.filter(([at]) => at > last - this.#durationMs);
    const inWindow = sum(window);
    const [unasked, lists] = [inWindow - sum(window, 2), sum(window, 3)];
    const earlier = before.filter(([at]) => at > last - this.#durationMs);
    const isForList = lists > sum(earlier, 3);
    const byPrograms = sum(earlier) - sum(earlier, 2) - sum(earlier, 3);
    const isWithin =
      inWindow <= BUDGET.requests &&
      unasked <= BUDGET.requests - KEPT_FOR_PERSONS &&
      (lists <= MAX_FOR_LISTS || !isForList || byPrograms === 0);
    if (this.#isExact && !isWithin)
      throw this.#fail(
        'budget',
        `${inWindow} tokens are taken within ${this.#durationMs / 1000} s, ${unasked} not by a person, ${lists} by lists`,
      );
  }

  /** A pause that the service asked for ends no earlier, whatever later answers say, unless a clock was set back. */
  #checkPause(old: string | null, now: string, isTaken: boolean): void {
    const at = timeIn(now, 'at');
    const end = timeIn(old, 'blockedUntil') - Math.max(0, timeIn(old, 'at') - at);
    if (timeIn(now, 'blockedUntil') < end || (isTaken && at < end))
      throw this.#fail('budget', `a pause is cut short by ${Math.round((end - at) / 1000)} s: ${now}`);
  }
}

/** The budgets of all key pairs: each counts for itself. */
export class Budgets {
  readonly #budgets: ReadonlyMap<string, Budget>;
  readonly #fail: (rule: string, what: string) => Violation;

  constructor(
    accounts: readonly Account[],
    { isExact, pace }: { readonly isExact: boolean; readonly pace: number },
    fail: (rule: string, what: string) => Violation,
  ) {
    this.#fail = fail;
    this.#budgets = new Map(accounts.map(({ owner }) => [owner.account, new Budget(isExact, pace, fail)]));
  }

  /** See {@link Budget.spend}. */
  spend(process: Runner): void {
    this.#of(process.account.owner.account).spend(process);
  }

  /** See {@link Budget.changed}. */
  changed(account: string, old: string | null, now: string): void {
    this.#of(account).changed(old, now);
  }

  #of(account: string): Budget {
    const budget = this.#budgets.get(account);
    if (budget === undefined) throw this.#fail('budget', `${account} has a budget, and is no account`);
    return budget;
  }
}

function takenIn(state: string | null): Taken {
  const taken = /"taken":(\[.*?\]),"/.exec(state ?? '')?.[1];
  return taken === undefined ? [] : (JSON.parse(taken) as Taken);
}

function timeIn(state: string | null, name: 'at' | 'blockedUntil'): number {
  return Number(new RegExp(`"${name}":([0-9.]+)`).exec(state ?? '')?.[1] ?? 0);
}

function sum(taken: Taken, part: 1 | 2 | 3 = 1): number {
  return taken.reduce((total, tokens) => total + tokens[part], 0);
}
