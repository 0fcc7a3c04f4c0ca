import { counted } from '../../../../base/text.ts';
import { durationText, type RemainingLimit, type RuleDecision, type RuleKind } from '../rule.ts';

/** Limits the creates within a period, in milliseconds. */
export const COUNT: RuleKind<{ readonly kind: 'count'; readonly most: number; readonly per: number }> = {
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

/** Limits the swaps that are open at the same time. */
export const OPEN: RuleKind<{ readonly kind: 'open'; readonly most: number }> = {
  read: (reader, value, line) =>
    reader.object(value, 'open', ['most'], (fields) => {
      const most = reader.needed(fields, 'most', line, (node) => reader.whole(node, 'most', 0));
      return most === null ? null : { kind: 'open', most };
    }),
  written: ({ most }) => ({ most }),
  words: ({ most }) => `at most ${counted(most, 'open swap')}`,
  evaluate: ({ most }, { counters }) => decideByNumber('Open swaps', most, counters.open),
  isAsStrict: (strict, rule) => strict.most <= rule.most,
  counts: () => ({ open: true }),
  left: ({ most }, { open }) => [numberLeft(most, open, null)],
};

/** What a rule says of one more swap than it has counted. */
function decideByNumber(what: string, limit: number, spent: number): RuleDecision {
  const message = `${what}: ${spent}, the limit is ${limit}.`;
  return { effect: spent + 1 > limit ? 'refuse' : null, message, limit, spent, left: rest(limit, spent) };
}

function numberLeft(limit: number, spent: number, backAt: number | null): RemainingLimit {
  return { group: null, limit, spent, left: rest(limit, spent), backAt };
}

function rest(limit: number, spent: number): number {
  return Math.max(0, limit - spent);
}
