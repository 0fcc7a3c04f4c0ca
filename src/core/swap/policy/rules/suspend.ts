import { rfc3339, rfc3339OrNull } from '../../../../base/time.ts';
import type { JsonNode } from '../../json-text.ts';
import { type CoinOnNetwork, coinLabel, type Side } from '../../swap.ts';
import { coinKey, covers, pairParts } from '../codes.ts';
import type { Fields, PolicyReader } from '../reader.ts';
import { NO_LIMIT, type PolicyRequest, type RuleDecision, type RuleKind } from '../rule.ts';

/** What a suspension concerns. */
export type Suspended =
  | { readonly coin: CoinOnNetwork }
  | { readonly network: string }
  | { readonly pair: readonly [from: CoinOnNetwork, to: CoinOnNetwork] };

/** A pause of swaps with a coin, network or pair, as a rule of a policy or set by `swapctl policy suspend`. */
export interface Suspension {
  readonly what: Suspended;
  /** Null for both sides. */
  readonly side: Side | null;
  /** Milliseconds since 1970; null until it is lifted. */
  readonly until: number | null;
  readonly reason: string | null;
}

export const SUSPEND: RuleKind<Suspension & { readonly kind: 'suspend' }> = {
  read: (reader, value, line) =>
    reader.object(value, 'suspend', ['coin', 'network', 'pair', 'side', 'until', 'reason'], (fields) => {
      const what = readSuspended(reader, fields, line);
      const side = reader.optional(fields, 'side', (node) =>
        reader.choice(node, 'side', ['deposit', 'receive'] as const),
      );
      if (what !== null && 'pair' in what && side !== null)
        reader.problem(line, 'side cannot be used with pair.');
      const until = reader.optional(fields, 'until', (node) => reader.time(node, 'until'));
      const reason = reader.optional(fields, 'reason', (node) => reader.text(node, 'reason'));
      return what === null ? null : { kind: 'suspend', what, side, until, reason };
    }),
  written: ({ what, side, until, reason }) => ({
    ...writtenSuspended(what),
    side,
    until: rfc3339OrNull(until),
    reason,
  }),
  words: ({ what, side, until, reason }) =>
    `suspend ${suspendedText(what)}${sideWords(side)}${endWords(until)}${reason === null ? '' : ` (${reason})`}`,
  evaluate: (rule, { request, now }) => (isSuspended(rule, request, now) ? suspended(rule) : null),
  isAsStrict: (strict, rule) => {
    const end = ({ until }: Suspension) => until ?? Number.POSITIVE_INFINITY;
    if (end(strict) < end(rule) || !includesSuspension(strict.what, rule.what)) return false;
    return strict.side === null || strict.side === rule.side;
  },
};

/** Whether a suspension refuses a create at a time, in milliseconds since 1970; it never concerns a refund address. */
export function isSuspended({ what, side, until }: Suspension, request: PolicyRequest, now: number): boolean {
  const { receive } = request;
  if (receive === null || (until !== null && now >= until)) return false;
  const [from, to] = [coinKey(request.deposit), coinKey(receive)];
  if ('pair' in what) return covers(what.pair[0], from) && covers(what.pair[1], to);
  const sides = side === null ? [from, to] : [side === 'deposit' ? from : to];
  return sides.some((each) => ('coin' in what ? covers(what.coin, each) : what.network === each.network));
}

/** A suspension as the reason for a refusal. */
export function suspended({ what, side, until, reason }: Suspension): RuleDecision {
  const why = reason === null ? '' : ` Reason: ${reason}`;
  const message = `${suspendedText(what)} is suspended${sideWords(side)}${endWords(until)}.${why}`;
  return { effect: 'refuse', message, ...NO_LIMIT };
}

/** What a suspension concerns, as it is typed: a coin, a network or a pair. */
export function suspendedText(what: Suspended): string {
  if ('coin' in what) return coinLabel(what.coin);
  return 'network' in what ? what.network : what.pair.map(coinLabel).join('/');
}

function sideWords(side: Side | null): string {
  return side === null ? '' : ` on the ${side === 'deposit' ? 'deposit' : 'payout'} side`;
}

function endWords(until: number | null): string {
  return until === null ? '' : ` until ${rfc3339(until)}`;
}

function writtenSuspended(what: Suspended) {
  if ('coin' in what) return { coin: coinLabel(what.coin) };
  return 'network' in what ? { network: what.network } : { pair: suspendedText(what) };
}

function includesSuspension(wide: Suspended, narrow: Suspended): boolean {
  if ('pair' in wide)
    return 'pair' in narrow && covers(wide.pair[0], narrow.pair[0]) && covers(wide.pair[1], narrow.pair[1]);
  if ('network' in wide) return 'network' in narrow && wide.network === narrow.network;
  return 'coin' in narrow && covers(wide.coin, narrow.coin);
}

function readSuspended(reader: PolicyReader, fields: Fields, line: number): Suspended | null {
  if (['coin', 'network', 'pair'].filter((key) => fields.has(key)).length !== 1)
    reader.problem(line, 'suspend needs one of coin, network, pair.');
  const coin = reader.optional(fields, 'coin', (node) => reader.coin(node));
  const network = reader.optional(fields, 'network', (node) => reader.network(node));
  const pair = reader.optional(fields, 'pair', (node) => readPair(reader, node));
  if (coin !== null) return { coin };
  if (network !== null) return { network };
  return pair === null ? null : { pair };
}

function readPair(
  reader: PolicyReader,
  node: JsonNode,
): readonly [from: CoinOnNetwork, to: CoinOnNetwork] | null {
  const [from, to, ...more] = node.type === 'text' ? pairParts(node.text) : [];
  if (from === undefined || to === undefined || more.length > 0)
    return reader.problem(node.line, 'pair must be two coins, such as BTC/ETH or BTC/USDT:TRX.');
  const coin = (text: string) => reader.coin({ type: 'text', text, line: node.line });
  const [a, b] = [coin(from), coin(to)];
  return a === null || b === null ? null : [a, b];
}
