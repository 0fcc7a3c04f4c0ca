import { labelValue } from '../../labels.ts';
import { shownValue } from '../reader.ts';
import { NO_LIMIT, type RuleKind, sortedBy } from '../rule.ts';

const NAMES: ReadonlyMap<string, string> = new Map([
  ['refundAddress', 'a refund address (--refund-address)'],
  ['idempotencyKey', 'an idempotency key (--idempotency-key)'],
  ['minReceive', 'a minimum payout (--min-receive)'],
]);

const LABEL = /^label:([A-Za-z0-9_.-]{1,64})$/;

/** Requires parts of a create: the names above, and `label:<key>`. */
export const REQUIRE: RuleKind<{ readonly kind: 'require'; readonly parts: readonly string[] }> = {
  read: (reader, value) => ({
    kind: 'require',
    parts: reader.list(value, 'require', (item) => {
      const text = item.type === 'text' ? item.text : '';
      if (NAMES.has(text) || LABEL.test(text)) return text;
      const known = [...NAMES.keys()].join(', ');
      return reader.problem(
        item.line,
        `Unknown value ${shownValue(item)} in require. Use ${known} or label:<key>.`,
      );
    }),
  }),
  written: ({ parts }) => parts,
  sorted: (rule) => ({ ...rule, parts: sortedBy(rule.parts, (part) => part) }),
  words: ({ parts }) => `require ${parts.join(', ')}`,
  evaluate: ({ parts }, { request }) => {
    const missing = parts.filter((part) => {
      const label = LABEL.exec(part)?.[1];
      return label === undefined ? !request.has.has(part) : labelValue(label, request.labels) === null;
    });
    if (missing.length === 0) return null;
    const names = missing.map((part) => NAMES.get(part) ?? part.replace('label:', 'the label '));
    return { effect: 'refuse', message: `The policy requires ${names.join(', ')}.`, ...NO_LIMIT };
  },
  isAsStrict: (strict, rule) => rule.parts.every((part) => strict.parts.includes(part)),
};
