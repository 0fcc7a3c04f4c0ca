import { counted } from '../../../../base/text.ts';
import type { RuleKind } from '../rule.ts';
import { decideByNumber, numberLeft } from '../rule-parts.ts';

/** Limits the swaps that are open at the same time. */
export interface OpenRule {
  readonly kind: 'open';
  readonly most: number;
}

export const OPEN: RuleKind<OpenRule> = {
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
