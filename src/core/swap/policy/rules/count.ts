import { counted } from '../../../../base/text.ts';
import type { RuleKind } from '../rule.ts';
import { decideByNumber, durationText, numberLeft } from '../rule-parts.ts';

/** Limits the creates within a period, in milliseconds. */
export interface CountRule {
  readonly kind: 'count';
  readonly most: number;
  readonly per: number;
}

export const COUNT: RuleKind<CountRule> = {
  read: (reader, value, line) =>
    reader.object(value, 'count', ['most', 'per'], (fields) => {
      const most = reader.needed(fields, 'most', line, (node) => reader.whole(node, 'most', 0));
      const per = reader.needed(fields, 'per', line, (node) => reader.duration(node, 'per'));
      return most === null || per === null ? null : { kind: 'count', most, per };
    }),
  written: ({ most, per }) => ({ most, per: durationText(per) }),
  words: ({ most, per }) => `at most ${counted(most, 'new swap')} per ${durationText(per)}`,
  evaluate: (rule, { counters }) =>
    decideByNumber(`Swaps created within ${durationText(rule.per)}`, rule.most, counters.counted(rule).count),
  isAsStrict: (strict, rule) => strict.most <= rule.most && strict.per >= rule.per,
  counts: ({ per }) => ({ within: per }),
  left: (rule, counters) => {
    const { count, backAt } = counters.counted(rule);
    return [numberLeft(rule.most, count, backAt)];
  },
};
