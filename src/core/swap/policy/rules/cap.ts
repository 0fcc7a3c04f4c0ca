import { compareDecimals, type Decimal, ExactSum } from '../../amount.ts';
import { type Labels, labelValue } from '../../labels.ts';
import { type CoinOnNetwork, coinLabel } from '../../swap.ts';
import { coinKey, covers } from '../codes.ts';
import { durationText, type RuleKind } from '../rule.ts';

/** Limits the deposits of a coin, for one order or within a period. */
export interface CapRule {
  readonly kind: 'cap';
  readonly coin: CoinOnNetwork;
  readonly amount: Decimal;
  /** Milliseconds of a period. */
  readonly per: 'order' | number;
  /** Key of the label whose values each have a separate limit; null for one limit. */
  readonly by: string | null;
}

export const CAP: RuleKind<CapRule> = {
  read: (reader, value, line) =>
    reader.object(value, 'cap', ['coin', 'amount', 'per', 'by'], (fields) => {
      const by = reader.optional(fields, 'by', (node) => {
        const key = node.type === 'text' ? /^label:([A-Za-z0-9_.-]{1,64})$/.exec(node.text)?.[1] : undefined;
        return key ?? reader.problem(node.line, 'by must be label:<key>, such as label:team.');
      });
      const coin = reader.needed(fields, 'coin', line, (node) => reader.coin(node));
      const amount = reader.needed(fields, 'amount', line, (node) => reader.amount(node, 'amount'));
      const per = reader.needed(fields, 'per', line, (node) =>
        node.type === 'text' && node.text === 'order' ? 'order' : reader.duration(node, 'per', 'order or '),
      );
      if (per === 'order' && by !== null) reader.problem(line, 'by cannot be used with per order.');
      return coin === null || amount === null || per === null ? null : { kind: 'cap', coin, amount, per, by };
    }),
  written: ({ coin, amount, per, by }) => ({
    coin: coinLabel(coin),
    amount,
    per: periodText(per),
    by: by === null ? null : `label:${by}`,
  }),
  words: ({ coin, amount, per, by }) =>
    `at most ${amount} ${coinLabel(coin)} per ${periodText(per)}${by === null ? '' : ` for each ${by}`}`,
  evaluate: (rule, { request, counters }) => {
    const { coin, amount: limit, per, by } = rule;
    if (!covers(coin, coinKey(request.deposit))) return null;
    const [amount, name, group] = [request.amount ?? '0', coinLabel(coin), groupOf(by, request.labels)];
    const spent = per === 'order' ? '0' : counters.counted(rule, group).sum;
    const left = leftOf(limit, spent);
    const isOver = compareDecimals(sumOf(spent, amount), limit) > 0;
    const within = `per ${periodText(per)}${by === null ? '' : ` for ${groupWords(by, group)}`}`;
    const already = per === 'order' ? '' : ` ${spent} ${name} used, ${left} ${name} left.`;
    const message = isOver
      ? `A deposit of ${amount} ${name} is over the cap of ${limit} ${name} ${within}.${already}`
      : `The cap is ${limit} ${name} ${within}.${already}`;
    return { effect: isOver ? 'refuse' : null, message, limit, spent, left };
  },
  isAsStrict: (strict, rule) => {
    if (!covers(strict.coin, rule.coin) || compareDecimals(strict.amount, rule.amount) > 0) return false;
    if (rule.per === 'order') return true;
    const isSameGroup = strict.by === null || strict.by === rule.by;
    return strict.per !== 'order' && strict.per >= rule.per && isSameGroup;
  },
  counts: ({ coin, per, by }) =>
    per === 'order'
      ? {}
      : {
          within: per,
          labels: by !== null,
          group: ({ labels }) => groupOf(by, labels),
          covers: ({ deposit }) => covers(coin, coinKey(deposit)),
        },
  left: (rule, counters) => {
    const { by, amount, per } = rule;
    if (per === 'order') return [];
    return (by === null ? [''] : counters.groups(rule)).map((group) => {
      const { sum, backAt } = counters.counted(rule, group);
      const left = leftOf(amount, sum);
      return { group: by === null ? null : groupWords(by, group), limit: amount, spent: sum, left, backAt };
    });
  },
};

function periodText(per: CapRule['per']): string {
  return per === 'order' ? 'order' : durationText(per);
}

/** The value of the label; empty for swaps without the label, which are one group, and where a cap has one limit. */
function groupOf(by: string | null, labels: Labels): string {
  return by === null ? '' : (labelValue(by, labels) ?? '');
}

function groupWords(by: string, group: string): string {
  return group === '' ? `swaps without the label ${by}` : `${by}=${group}`;
}

function sumOf(a: Decimal, b: Decimal): Decimal {
  const sum = new ExactSum();
  sum.add(a);
  sum.add(b);
  return sum.amount;
}

/** What is left of a limit; 0 where more is spent. */
function leftOf(limit: Decimal, spent: Decimal): Decimal {
  const left = sumOf(limit, `-${spent}`);
  return left.startsWith('-') ? '0' : left;
}
