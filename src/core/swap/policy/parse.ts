import { secretKind } from '../addresses/secrets.ts';
import { parseCoinRef } from '../coin-ref.ts';
import type { CoinOnNetwork, RateType, Side } from '../swap.ts';
import { coinKey, networkKey, pairParts } from './codes.ts';
import { type Fields, named, type PolicyProblem, shownValue, ValueReader } from './fields.ts';
import { type JsonNode, JsonSyntaxError, readJson } from './json.ts';
import {
  type AllowedAddress,
  POLICY_VERSION,
  type Policy,
  RULE_KINDS,
  type Rule,
  type Suspended,
} from './policy.ts';

/** A policy, or all problems of its text. */
export type PolicyVerdict =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** Context for reading a policy; without it, any code and no saved address is accepted. */
export interface PolicyWords {
  /** The problem with a coin; null for one that the service lists. */
  coinProblem?(ref: CoinOnNetwork): string | null;
  /** The problem with a network; null for one that the service lists. */
  networkProblem?(code: string): string | null;
  /** The address that is saved under a name; null if there is none. */
  saved?(name: string): AllowedAddress | null;
}

/** Maximum length of a policy, in characters. */
export const MAX_POLICY_LENGTH = 256 * 1024;

/** Reads a policy. Unknown words are refused, because any of them could have been meant as a limit. */
export function parsePolicy(text: string, words: PolicyWords = {}): PolicyVerdict {
  if (text.length > MAX_POLICY_LENGTH)
    return {
      ok: false,
      problems: [{ line: 1, message: `A policy has at most ${MAX_POLICY_LENGTH} characters.` }],
    };
  try {
    const parser = new PolicyParser(words);
    const policy = parser.policy(readJson(text));
    return parser.problems.length > 0 ? { ok: false, problems: parser.problems } : { ok: true, policy };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { ok: false, problems: [{ line: error.line, message: error.message }] };
  }
}

class PolicyParser extends ValueReader {
  readonly #words: PolicyWords;

  constructor(words: PolicyWords) {
    super();
    this.#words = words;
  }

  policy(node: JsonNode): Policy {
    const fields = this.fields(node, 'A policy must be an object with version and rules.');
    const version = this.take(fields, 'version', node.line);
    if (version !== null && !(version.type === 'number' && version.text === String(POLICY_VERSION)))
      this.problem(version.line, `Unsupported policy version; swapctl supports version ${POLICY_VERSION}.`);
    const expires = fields.get('expires')?.value;
    fields.delete('expires');
    const rules = this.take(fields, 'rules', node.line);
    this.refuseUnknown(fields, 'a policy', ['version', 'expires', 'rules']);
    const items = rules === null ? [] : this.items(rules, 'rules must be a list of rules.');
    return {
      expires: expires === undefined ? null : this.time(expires, 'expires'),
      rules: items.map((item) => this.#rule(item)).filter((rule) => rule !== null),
    };
  }

  #rule(node: JsonNode): Rule | null {
    const fields = this.fields(node, 'A rule must be an object with one key, the kind of the rule.');
    const [field, ...others] = fields.values();
    if (field === undefined) return this.problem(node.line, 'This rule is empty.');
    for (const other of others)
      this.problem(other.line, 'A rule can have only one key; write a second rule.');
    const { key, value, line } = field;
    const kind = RULE_KINDS.find((each) => each === key);
    if (kind === undefined)
      return this.problem(line, `Unknown rule ${named(key)}. The rules are ${RULE_KINDS.join(', ')}.`);
    if (kind === 'require') return { kind, parts: this.#parts(value) };
    return this.#ruleOf(kind, this.fields(value, `${kind} must be an object.`), line);
  }

  #ruleOf(kind: Exclude<Rule['kind'], 'require'>, fields: Fields, line: number): Rule | null {
    const rule = this.#READERS[kind](fields, line);
    this.refuseUnknown(fields, kind, KEYS[kind]);
    return rule;
  }

  readonly #READERS: Readonly<
    Record<Exclude<Rule['kind'], 'require'>, (fields: Fields, line: number) => Rule | null>
  > = {
    allow: (fields, line) => {
      if (!hasSome(fields, KEYS.allow))
        return this.problem(line, 'allow needs at least one of from, to, type.');
      const type = this.optional(fields, 'type', (node) =>
        this.choice(node, 'type', ['fixed', 'float'] as const),
      );
      const [from, to] = (['from', 'to'] as const).map((key) =>
        this.optional(fields, key, (node) => this.list(node, key, (item) => this.#coin(item))),
      );
      return { kind: 'allow', from: from ?? null, to: to ?? null, type: type as RateType | null };
    },
    payout: (fields, line) => {
      if (!hasSome(fields, KEYS.payout)) return this.problem(line, 'payout needs addresses, seen or both.');
      const addresses = this.optional(fields, 'addresses', (node) =>
        this.list(node, 'addresses', (item) => this.#address(item)),
      );
      const seen = this.optional(fields, 'seen', (node) => this.whole(node, 'seen', 1));
      return { kind: 'payout', addresses: addresses ?? [], seen };
    },
    cap: (fields, line) => {
      const by = this.optional(fields, 'by', (node) => this.#label(node));
      const coin = this.needed(fields, 'coin', line, (node) => this.#coin(node));
      const amount = this.needed(fields, 'amount', line, (node) => this.amount(node, 'amount'));
      const per = this.needed(fields, 'per', line, (node) =>
        node.type === 'text' && node.text === 'order' ? 'order' : this.duration(node, 'per', 'order or '),
      );
      if (per === 'order' && by !== null) this.problem(line, 'by cannot be used with per order.');
      return coin === null || amount === null || per === null ? null : { kind: 'cap', coin, amount, per, by };
    },
    count: (fields, line) => {
      const most = this.needed(fields, 'most', line, (node) => this.whole(node, 'most', 0));
      const per = this.needed(fields, 'per', line, (node) => this.duration(node, 'per'));
      return most === null || per === null ? null : { kind: 'count', most, per };
    },
    open: (fields, line) => {
      const most = this.needed(fields, 'most', line, (node) => this.whole(node, 'most', 0));
      return most === null ? null : { kind: 'open', most };
    },
    approve: (fields, line) => {
      if (fields.has('coin') !== fields.has('above'))
        this.problem(line, 'approve needs coin and above together, or neither for every swap.');
      const coin = this.optional(fields, 'coin', (node) => this.#coin(node));
      const above = this.optional(fields, 'above', (node) => this.amount(node, 'above', true));
      const by = this.needed(fields, 'by', line, (node) => this.list(node, 'by', (item) => this.#key(item)));
      const within = this.needed(fields, 'within', line, (node) => this.duration(node, 'within'));
      return by === null || within === null ? null : { kind: 'approve', coin, above, by, within };
    },
    suspend: (fields, line) => {
      const what = this.#suspended(fields, line);
      const side = this.optional(fields, 'side', (node) =>
        this.choice(node, 'side', ['deposit', 'receive'] as const),
      );
      if (what !== null && 'pair' in what && side !== null)
        this.problem(line, 'side cannot be used with pair.');
      const until = this.optional(fields, 'until', (node) => this.time(node, 'until'));
      const reason = this.optional(fields, 'reason', (node) => this.text(node, 'reason'));
      return what === null ? null : { kind: 'suspend', what, side: side as Side | null, until, reason };
    },
  };

  #suspended(fields: Fields, line: number): Suspended | null {
    if (['coin', 'network', 'pair'].filter((key) => fields.has(key)).length !== 1)
      this.problem(line, 'suspend needs one of coin, network, pair.');
    const coin = this.optional(fields, 'coin', (node) => this.#coin(node));
    const network = this.optional(fields, 'network', (node) => this.#network(node));
    const pair = this.optional(fields, 'pair', (node) => this.#pair(node));
    if (coin !== null) return { coin };
    if (network !== null) return { network };
    return pair === null ? null : { pair };
  }

  #pair(node: JsonNode): readonly [CoinOnNetwork, CoinOnNetwork] | null {
    const parts = node.type === 'text' ? pairParts(node.text) : [];
    const [from = '', to = ''] = parts;
    if (parts.length !== 2)
      return this.problem(node.line, 'pair must be two coins, such as BTC/ETH or BTC/USDT:TRX.');
    const line = node.line;
    const coins = [from, to].map((text) => this.#coin({ type: 'text', text, line }));
    const [a = null, b = null] = coins;
    return a === null || b === null ? null : [a, b];
  }

  #coin(node: JsonNode): CoinOnNetwork | null {
    const ref = node.type === 'text' ? parseCoinRef(node.text) : null;
    if (ref === null)
      return this.problem(node.line, `${shownValue(node)} is not a coin such as BTC or USDT:TRX.`);
    const problem = this.#words.coinProblem?.(ref) ?? null;
    return problem === null ? coinKey(ref) : this.problem(node.line, problem);
  }

  #network(node: JsonNode): string | null {
    if (node.type !== 'text' || !/^[!-~]{1,40}$/.test(node.text))
      return this.problem(node.line, `${shownValue(node)} is not a network such as TRX.`);
    const problem = this.#words.networkProblem?.(node.text) ?? null;
    return problem === null ? networkKey(node.text) : this.problem(node.line, problem);
  }

  #address(node: JsonNode): AllowedAddress | null {
    if (node.type === 'object') return this.#storedAddress(node);
    const text = node.type === 'text' ? node.text : '';
    if (text.startsWith('@')) {
      const saved = this.#words.saved?.(text.slice(1));
      return saved ?? this.problem(node.line, `No address is saved as ${named(text)}.`);
    }
    return this.#isAddress(text)
      ? { name: null, network: null, address: text, memo: null }
      : this.problem(node.line, 'Expected an address, or @name of a saved one.');
  }

  /** An address as in a stored policy, with everything that its name stood for. */
  #storedAddress(node: JsonNode): AllowedAddress | null {
    const fields = this.fields(node, '');
    const part = (key: string) => this.optional(fields, key, (each) => this.text(each, key));
    const [name, network, memo] = [part('name'), part('network'), part('memo')];
    const address = this.needed(fields, 'address', node.line, (each) => this.text(each, 'address'));
    this.refuseUnknown(fields, 'an address', ['name', 'network', 'address', 'memo']);
    if (address === null) return null;
    if (!this.#isAddress(address)) return this.problem(node.line, 'Expected an address.');
    return { name, network: network === null ? null : networkKey(network), address, memo };
  }

  #isAddress(text: string): boolean {
    // A private key in place of an address must not be stored.
    return /^[!-~]{2,256}$/.test(text) && secretKind(text) === undefined;
  }

  #key(node: JsonNode): string | null {
    const text = node.type === 'text' ? node.text : '';
    return /^ed25519:[A-Za-z0-9+/]{43}=$/.test(text)
      ? text
      : this.problem(
          node.line,
          'A key must be ed25519: and 44 characters of Base64, as `swapctl policy approvals key` prints it.',
        );
  }

  #parts(node: JsonNode): readonly string[] {
    return this.list(node, 'require', (item) => {
      const text = item.type === 'text' ? item.text : '';
      if (REQUIRED.includes(text) || LABEL.test(text)) return text;
      return this.problem(
        item.line,
        `Unknown value ${shownValue(item)} in require. Use ${REQUIRED.join(', ')} or label:<key>.`,
      );
    });
  }

  #label(node: JsonNode): string | null {
    const key = node.type === 'text' ? LABEL.exec(node.text)?.[1] : undefined;
    return key ?? this.problem(node.line, 'by must be label:<key>, such as label:team.');
  }
}

function hasSome(fields: Fields, keys: readonly string[]): boolean {
  return keys.some((key) => fields.has(key));
}

const REQUIRED = ['refundAddress', 'idempotencyKey', 'minReceive'];
const LABEL = /^label:([A-Za-z0-9_.-]{1,64})$/;

const KEYS: Readonly<Record<Exclude<Rule['kind'], 'require'>, readonly string[]>> = {
  allow: ['from', 'to', 'type'],
  payout: ['addresses', 'seen'],
  cap: ['coin', 'amount', 'per', 'by'],
  count: ['most', 'per'],
  open: ['most'],
  approve: ['coin', 'above', 'by', 'within'],
  suspend: ['coin', 'network', 'pair', 'side', 'until', 'reason'],
};
