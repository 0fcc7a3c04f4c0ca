import { type Decimal, ExactSum } from '../amount.ts';
import { type Labels, labelValue } from '../labels.ts';
import type { Asset } from '../swap.ts';
import { coinKey, covers } from './codes.ts';
import type { Counters, Recipient } from './decide.ts';
import type { CapRule } from './policy.ts';

/** A create that counts: its swap exists, or may exist. */
export interface CountedSwap {
  /** When it was counted, in milliseconds since 1970. */
  readonly at: number;
  readonly deposit: Asset;
  readonly amount: Decimal;
  readonly labels: Labels;
}

/** Counts swaps at a time. `swaps` has at least those of the longest window. */
export function countersOf(
  swaps: readonly CountedSwap[],
  now: number,
  { open, seen }: { readonly open: number; seen(recipient: Recipient): number },
): Counters {
  return {
    open,
    seen,
    spent: (rule, labels) => {
      const sum = new ExactSum();
      for (const swap of swapsOf(swaps, rule, labels, now)) sum.add(swap.amount);
      return sum.amount;
    },
    created: (within) => swaps.filter(({ at }) => at > now - within).length,
  };
}

/** The swaps that a cap counts together with one that has these labels. */
function swapsOf(
  swaps: readonly CountedSwap[],
  { coin, per, by }: CapRule,
  labels: Labels,
  now: number,
): readonly CountedSwap[] {
  const since = per === 'order' ? now : now - per;
  return swaps.filter(
    (swap) =>
      swap.at > since &&
      covers(coin, coinKey(swap.deposit)) &&
      (by === null || labelValue(by, swap.labels) === labelValue(by, labels)),
  );
}

/** When the first of the swaps that a rule counts stops counting, in milliseconds since 1970; null if none counts. */
export function backAt(
  swaps: readonly CountedSwap[],
  rule: CapRule,
  labels: Labels,
  now: number,
): number | null {
  if (rule.per === 'order') return null;
  const times = swapsOf(swaps, rule, labels, now).map(({ at }) => at);
  return times.length === 0 ? null : Math.min(...times) + rule.per;
}
