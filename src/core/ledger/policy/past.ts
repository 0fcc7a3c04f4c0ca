import { type Decimal, ExactSum } from '../../swap/amount.ts';
import { type Labels, labelValue } from '../../swap/labels.ts';
import { coinKey, covers } from '../../swap/policy/codes.ts';
import { type Counters, type PolicyRequest, type Recipient, recipientKey } from '../../swap/policy/decide.ts';
import type { CapRule, Policy } from '../../swap/policy/policy.ts';

/** A past swap: what counts, and until when. Times are milliseconds since 1970. */
export interface PastSwap {
  readonly at: number;
  readonly request: PolicyRequest;
  readonly amount: Decimal;
  readonly closesAt: number | null;
  readonly paidAt: number | null;
  readonly givesBackAt: number | null;
  /** Until when it counts although its window has passed. */
  readonly heldUntil: number | null;
  readonly refundTo: string | null;
  /** False if the policy would have refused it: only its payouts are known afterwards. */
  readonly counts: boolean;
}

/** What was counted, open and paid at a time that only goes forward. */
export class Past {
  #now = 0;
  #open = 0;
  readonly #closing = new Queue<null>();
  readonly #paying = new Queue<string>();
  readonly #paid = new Map<string, number>();
  /** Sums and counts by rule and group, each with what stops counting and when. */
  readonly #windows = new Map<string, Window>();
  /** The part of a cap's key that is the same for all swaps; computing it for each took an eighth of a replay. */
  readonly #capKeys = new Map<CapRule, string>();

  advance(now: number): void {
    this.#now = now;
    this.#open -= this.#closing.until(now).length;
    for (const key of this.#paying.until(now)) this.#paid.set(key, (this.#paid.get(key) ?? 0) + 1);
  }

  add({ rules }: Policy, swap: PastSwap): void {
    const { at, request, amount, closesAt, paidAt, givesBackAt, heldUntil } = swap;
    if (paidAt !== null) for (const key of paidKeys(swap)) this.#paying.add(paidAt, key);
    if (!swap.counts) return;
    this.#open += 1;
    if (closesAt !== null) this.#closing.add(closesAt, null);
    const seen = new Set<string>();
    for (const rule of rules) {
      const isCap = rule.kind === 'cap' && rule.per !== 'order';
      if (!isCap && rule.kind !== 'count') continue;
      if (rule.kind === 'cap' && !covers(rule.coin, coinKey(request.deposit))) continue;
      const key = rule.kind === 'cap' ? this.#capKey(rule, request.labels) : `count ${rule.per}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const per = rule.per === 'order' ? 0 : rule.per;
      this.#window(key).add(
        Math.min(Math.max(at + per, heldUntil ?? 0), givesBackAt ?? Number.POSITIVE_INFINITY),
        amount,
      );
    }
  }

  counters(): Counters {
    return {
      open: this.#open,
      spent: (rule, labels) => this.#window(this.#capKey(rule, labels)).sum(this.#now),
      created: (within) => this.#window(`count ${within}`).count(this.#now),
      seen: (recipient) => this.#paid.get(recipientKey(recipient)) ?? 0,
    };
  }

  #capKey(rule: CapRule, labels: Labels): string {
    const { coin, per, by } = rule;
    const key = this.#capKeys.get(rule) ?? JSON.stringify([coin.coin, coin.network, per, by]);
    this.#capKeys.set(rule, key);
    return by === null ? key : key + JSON.stringify(labelValue(by, labels));
  }

  #window(key: string): Window {
    const found = this.#windows.get(key) ?? new Window();
    this.#windows.set(key, found);
    return found;
  }
}

function paidKeys({ request, refundTo }: PastSwap): readonly string[] {
  const paid = request.recipients.filter(({ what }) => what === 'payout');
  const refund: Recipient[] =
    refundTo === null
      ? []
      : [{ what: 'refund', network: request.deposit.network, address: refundTo, memo: null }];
  return [...paid, ...refund].map(recipientKey);
}

/** Sum and count of what still counts. */
class Window {
  readonly #sum = new ExactSum();
  readonly #leaving = new Queue<Decimal>();
  #count = 0;

  add(leaves: number, amount: Decimal): void {
    this.#sum.add(amount);
    this.#count += 1;
    this.#leaving.add(leaves, amount);
  }

  sum(now: number): Decimal {
    this.#leave(now);
    return this.#sum.amount;
  }

  count(now: number): number {
    this.#leave(now);
    return this.#count;
  }

  #leave(now: number): void {
    for (const amount of this.#leaving.until(now)) {
      this.#sum.add(`-${amount}`);
      this.#count -= 1;
    }
  }
}

/** Items by their times, the earliest first: a binary heap. */
class Queue<T> {
  readonly #items: { readonly at: number; readonly item: T }[] = [];

  add(at: number, item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push({ at, item });
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= at) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** Removes and returns the items of a time or earlier. */
  until(now: number): readonly T[] {
    const due: T[] = [];
    for (let first = this.#items[0]; first !== undefined && first.at <= now; first = this.#items[0]) {
      due.push(first.item);
      this.#removeFirst();
    }
    return due;
  }

  #removeFirst(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return;
    this.#items[0] = last;
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let least = index;
      if (this.#at(left) < this.#at(least)) least = left;
      if (this.#at(right) < this.#at(least)) least = right;
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #at(index: number): number {
    return this.#items[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [x, y] = [this.#items[a], this.#items[b]];
    if (x === undefined || y === undefined) return;
    this.#items[a] = y;
    this.#items[b] = x;
  }
}
