import { type CoinOnNetwork, coinLabel, type RateType } from '../../swap.ts';
import { coinKey, covers } from '../codes.ts';
import { type PolicyRequest, type RuleKind, sortedBy } from '../rule.ts';

/** Allows pairs: where there are such rules, what none of them covers is refused. Null for any. */
export interface AllowRule {
  readonly kind: 'allow';
  readonly from: readonly CoinOnNetwork[] | null;
  readonly to: readonly CoinOnNetwork[] | null;
  readonly type: RateType | null;
}

const KEYS = ['from', 'to', 'type'] as const;

export const ALLOW: RuleKind<AllowRule> = {
  read: (reader, value, line) =>
    reader.object(value, 'allow', KEYS, (fields) => {
      if (!KEYS.some((key) => fields.has(key)))
        return reader.problem(line, 'allow needs at least one of from, to, type.');
      const type = reader.optional(fields, 'type', (node) =>
        reader.choice(node, 'type', ['fixed', 'float'] as const),
      );
      const coins = (key: 'from' | 'to') =>
        reader.optional(fields, key, (node) => reader.list(node, key, (item) => reader.coin(item)));
      return { kind: 'allow', from: coins('from'), to: coins('to'), type };
    }),
  written: ({ from, to, type }) => ({ from: from?.map(coinLabel), to: to?.map(coinLabel), type }),
  sorted: (rule) => ({ ...rule, from: sortedCoins(rule.from), to: sortedCoins(rule.to) }),
  words: ({ from, to, type }) => {
    const coins = (list: readonly CoinOnNetwork[] | null) => list?.map(coinLabel).join(', ') ?? 'any coin';
    const rate = type === null ? '' : ` at a ${type === 'fixed' ? 'fixed' : 'floating'} rate`;
    return `allow ${coins(from)} to ${coins(to)}${rate}`;
  },
  // Decided together, by `notAllowed`.
  evaluate: () => null,
  isAsStrict: (strict, rule) => allowsAll(rule, strict),
};

/** Why a request is covered by none of the allow rules; null if one covers it, or there are none. */
export function notAllowed(rules: readonly AllowRule[], request: PolicyRequest): string | null {
  const { receive, type } = request;
  if (receive === null || rules.length === 0) return null;
  const [from, to] = [coinKey(request.deposit), coinKey(receive)];
  const isAllowed = rules.some(
    (rule) =>
      (rule.from === null || rule.from.some((coin) => covers(coin, from))) &&
      (rule.to === null || rule.to.some((coin) => covers(coin, to))) &&
      (rule.type === null || rule.type === type),
  );
  if (isAllowed) return null;
  return `No allow rule covers ${coinLabel(from)} to ${coinLabel(to)} at a ${type ?? 'unknown'} rate.`;
}

/** Whether everything that one rule allows is allowed by another. */
export function allowsAll(wide: AllowRule, narrow: AllowRule): boolean {
  return (
    coversAll(wide.from, narrow.from) &&
    coversAll(wide.to, narrow.to) &&
    (wide.type === null || wide.type === narrow.type)
  );
}

function coversAll(wide: readonly CoinOnNetwork[] | null, narrow: readonly CoinOnNetwork[] | null): boolean {
  if (wide === null) return true;
  return narrow?.every((coin) => wide.some((each) => covers(each, coin))) ?? false;
}

function sortedCoins(coins: readonly CoinOnNetwork[] | null): readonly CoinOnNetwork[] | null {
  return coins === null ? null : sortedBy(coins, coinLabel);
}
