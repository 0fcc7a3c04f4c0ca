import { compareDecimals, type Decimal } from '../../amount.ts';
import { type CoinOnNetwork, coinLabel } from '../../swap.ts';
import { coinKey, covers } from '../codes.ts';
import { durationText, type RuleKind, sortedBy } from '../rule.ts';

/** Requires a signature by one of the named keys. */
export interface ApproveRule {
  readonly kind: 'approve';
  /** Null for every swap. */
  readonly coin: CoinOnNetwork | null;
  /** Deposits of more than this; null together with `coin`. */
  readonly above: Decimal | null;
  /** Public keys, `ed25519:<base64>`. */
  readonly by: readonly string[];
  readonly within: number;
}

const WRONG_KEY =
  'A key must be ed25519: and 44 characters of Base64, as `swapctl policy approvals key` prints it.';

export const APPROVE: RuleKind<ApproveRule> = {
  read: (reader, value, line) =>
    reader.object(value, 'approve', ['coin', 'above', 'by', 'within'], (fields) => {
      if (fields.has('coin') !== fields.has('above'))
        reader.problem(line, 'approve needs coin and above together, or neither for every swap.');
      const coin = reader.optional(fields, 'coin', (node) => reader.coin(node));
      const above = reader.optional(fields, 'above', (node) => reader.amount(node, 'above', true));
      const by = reader.needed(fields, 'by', line, (node) =>
        reader.list(node, 'by', (item) => {
          const text = item.type === 'text' ? item.text : '';
          return /^ed25519:[A-Za-z0-9+/]{43}=$/.test(text) ? text : reader.problem(item.line, WRONG_KEY);
        }),
      );
      const within = reader.needed(fields, 'within', line, (node) => reader.duration(node, 'within'));
      return by === null || within === null ? null : { kind: 'approve', coin, above, by, within };
    }),
  written: ({ coin, above, by, within }) => ({
    coin: coin === null ? null : coinLabel(coin),
    above,
    by,
    within: durationText(within),
  }),
  sorted: (rule) => ({ ...rule, by: sortedBy(rule.by, (key) => key) }),
  words: ({ coin, above, by, within }) => {
    const what = coin === null ? 'every swap' : `deposits above ${above} ${coinLabel(coin)}`;
    return `require an approval within ${durationText(within)} for ${what}, signed by ${by.join(' or ')}`;
  },
  concernsRefunds: true,
  evaluate: ({ coin, above }, { request: { kind, deposit, amount } }) => {
    const numbers = { effect: 'approve' as const, limit: above, spent: null, left: null };
    if (coin === null || above === null) {
      const what = kind === 'refund' ? 'refund address' : 'new swap';
      return { ...numbers, message: `Every ${what} needs an approval.` };
    }
    const isAbove = amount === null || compareDecimals(amount, above) > 0;
    if (!covers(coin, coinKey(deposit)) || !isAbove) return null;
    const what = kind === 'refund' ? 'The refund address of a deposit' : 'A deposit';
    return { ...numbers, message: `${what} of more than ${above} ${coinLabel(coin)} needs an approval.` };
  },
  isAsStrict: (strict, rule) =>
    coversDeposits(strict, rule) &&
    strict.by.every((key) => rule.by.includes(key)) &&
    strict.within <= rule.within,
};

function coversDeposits(wide: ApproveRule, narrow: ApproveRule): boolean {
  if (wide.coin === null || wide.above === null) return true;
  if (narrow.coin === null || narrow.above === null) return false;
  return covers(wide.coin, narrow.coin) && compareDecimals(wide.above, narrow.above) <= 0;
}
