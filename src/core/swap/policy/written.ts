import { counted } from '../../../base/text.ts';
import { rfc3339, rfc3339OrNull } from '../../../base/time.ts';
import { coinLabel } from '../coin-ref.ts';
import type { CoinOnNetwork } from '../swap.ts';
import { addressKey } from './codes.ts';
import { type AllowedAddress, POLICY_VERSION, type Policy, type Rule, type Suspended } from './policy.ts';

type Json = Readonly<Record<string, unknown>>;

/** A policy as JSON, rules in their order, with saved addresses written out: what is stored. */
export function writtenPolicy(policy: Policy): string {
  return JSON.stringify({ version: POLICY_VERSION, ...expiry(policy), rules: policy.rules.map(writtenRule) });
}

/**
 * The canonical form of a policy: one text for all policies that decide alike by the same rules, in whatever order, case or
 * spelling. Signatures and digests cover it.
 */
export function canonicalPolicy(policy: Policy): string {
  const rules = policy.rules.map((rule) => JSON.stringify(writtenRule(sortedRule(rule))));
  const sorted = [...new Set(rules)].sort().map((text): unknown => JSON.parse(text));
  return JSON.stringify({ version: POLICY_VERSION, ...expiry(policy), rules: sorted });
}

/** A length of time in its largest whole unit; a day is 24h. */
export function durationText(milliseconds: number): string {
  const isWhole = (unit: keyof typeof SIZES) => milliseconds % SIZES[unit] === 0;
  const large = isWhole('d') && milliseconds !== SIZES.d ? 'd' : 'h';
  const unit = isWhole(large) ? large : isWhole('m') ? 'm' : 's';
  return `${milliseconds / SIZES[unit]}${unit}`;
}

const SIZES = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** What a suspension concerns, as it is typed: a coin, a network or a pair. */
export function suspendedText(what: Suspended): string {
  if ('coin' in what) return coinLabel(what.coin);
  return 'network' in what ? what.network : what.pair.map(coinLabel).join('/');
}

function expiry({ expires }: Policy): Json {
  return expires === null ? {} : { expires: rfc3339(expires) };
}

/** A rule in plain words, for people. */
export function ruleWords(rule: Rule): string {
  switch (rule.kind) {
    case 'allow': {
      const coins = (list: readonly CoinOnNetwork[] | null) => list?.map(coinLabel).join(', ') ?? 'any coin';
      const rate = rule.type === null ? '' : ` at a ${rule.type === 'fixed' ? 'fixed' : 'floating'} rate`;
      return `allow ${coins(rule.from)} to ${coins(rule.to)}${rate}`;
    }
    case 'payout': {
      const listed = rule.addresses.map(({ name, address }) =>
        name === null ? address : `@${name} (${address})`,
      );
      const seen =
        rule.seen === null
          ? []
          : [`addresses already paid at least ${rule.seen === 1 ? 'once' : `${rule.seen} times`}`];
      return `pay only to ${[...listed, ...seen].join(', ')}`;
    }
    case 'cap': {
      const per = rule.per === 'order' ? 'order' : durationText(rule.per);
      return `at most ${rule.amount} ${coinLabel(rule.coin)} per ${per}${rule.by === null ? '' : ` for each ${rule.by}`}`;
    }
    case 'count':
      return `at most ${counted(rule.most, 'new swap')} per ${durationText(rule.per)}`;
    case 'open':
      return `at most ${counted(rule.most, 'open swap')}`;
    case 'require':
      return `require ${rule.parts.join(', ')}`;
    case 'approve': {
      const what = rule.coin === null ? 'every swap' : `deposits above ${rule.above} ${coinLabel(rule.coin)}`;
      return `require an approval within ${durationText(rule.within)} for ${what}, signed by ${rule.by.join(' or ')}`;
    }
    case 'suspend': {
      const side = rule.side === null ? '' : ` on the ${rule.side === 'deposit' ? 'deposit' : 'payout'} side`;
      const until = rule.until === null ? '' : ` until ${rfc3339(rule.until)}`;
      return `suspend ${suspendedText(rule.what)}${side}${until}${rule.reason === null ? '' : ` (${rule.reason})`}`;
    }
  }
}

export function writtenRule(rule: Rule): Json {
  if (rule.kind === 'require') return { require: rule.parts };
  return { [rule.kind]: present(fieldsOf(rule)) };
}

function fieldsOf(rule: Exclude<Rule, { kind: 'require' }>): Json {
  switch (rule.kind) {
    case 'allow':
      return { from: rule.from?.map(coinLabel), to: rule.to?.map(coinLabel), type: rule.type };
    case 'payout':
      return {
        addresses: rule.addresses.length === 0 ? null : rule.addresses.map(writtenAddress),
        seen: rule.seen,
      };
    case 'cap':
      return {
        coin: coinLabel(rule.coin),
        amount: rule.amount,
        per: rule.per === 'order' ? 'order' : durationText(rule.per),
        by: rule.by === null ? null : `label:${rule.by}`,
      };
    case 'count':
      return { most: rule.most, per: durationText(rule.per) };
    case 'open':
      return { most: rule.most };
    case 'approve':
      return {
        coin: rule.coin === null ? null : coinLabel(rule.coin),
        above: rule.above,
        by: rule.by,
        within: durationText(rule.within),
      };
    case 'suspend':
      return {
        ...writtenSuspended(rule.what),
        side: rule.side,
        until: rfc3339OrNull(rule.until),
        reason: rule.reason,
      };
  }
}

function writtenSuspended(what: Suspended): Json {
  if ('coin' in what) return { coin: coinLabel(what.coin) };
  return 'network' in what ? { network: what.network } : { pair: suspendedText(what) };
}

function writtenAddress(allowed: AllowedAddress): unknown {
  const { name, network, address, memo } = allowed;
  return name === null && network === null && memo === null ? address : present({ ...allowed });
}

function present(fields: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** A rule with its lists sorted and without the names of addresses. */
function sortedRule(rule: Rule): Rule {
  switch (rule.kind) {
    case 'allow':
      return { ...rule, from: sortedCoins(rule.from), to: sortedCoins(rule.to) };
    case 'payout':
      return { ...rule, addresses: sortedAddresses(rule.addresses) };
    case 'require':
      return { ...rule, parts: sorted(rule.parts) };
    case 'approve':
      return { ...rule, by: sorted(rule.by) };
    default:
      return rule;
  }
}

function sortedCoins(coins: readonly CoinOnNetwork[] | null): readonly CoinOnNetwork[] | null {
  if (coins === null) return null;
  return sortedBy(coins, coinLabel);
}

function sortedAddresses(addresses: readonly AllowedAddress[]): readonly AllowedAddress[] {
  const plain = addresses.map((each) => ({ ...each, name: null, address: addressKey(each.address) }));
  return sortedBy(plain, (each) => JSON.stringify(each));
}

function sorted(texts: readonly string[]): readonly string[] {
  return sortedBy(texts, (text) => text);
}

/** The items sorted by text, without duplicates. */
function sortedBy<T>(items: readonly T[], textOf: (item: T) => string): readonly T[] {
  const byText = new Map(items.map((item) => [textOf(item), item]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
