import { visible } from '../../../base/text.ts';
import { checkAmount, type Decimal } from '../amount.ts';
import type { JsonField, JsonNode } from '../json-text.ts';
import { looksSecret } from '../secret-forms.ts';
import { type CoinOnNetwork, parseCoinRef } from '../swap.ts';
import { amountKey, coinKey, networkKey } from './codes.ts';

/** A payout or refund address that a policy allows. */
export interface AllowedAddress {
  /** Name under which it was saved; null for one that was written out. */
  readonly name: string | null;
  /** Null for any network on which the address is valid. */
  readonly network: string | null;
  readonly address: string;
  /** An address shared by many customers identifies one only with its memo; null is a payout without a memo. */
  readonly memo: string | null;
}

/** Context for reading a policy; without it, any code and no saved address is accepted. */
export interface PolicyWords {
  /** The problem with a coin; null for one that the service lists. */
  coinProblem?(ref: CoinOnNetwork): string | null;
  /** The problem with a network; null for one that the service lists. */
  networkProblem?(code: string): string | null;
  /** The address that is saved under a name; null if there is none. */
  saved?(name: string): AllowedAddress | null;
}

export interface PolicyProblem {
  readonly line: number;
  readonly message: string;
}

/** The fields of an object, each read once; any that remain at the end are unknown. */
export type Fields = Map<string, JsonField>;

const MAX_WHOLE = 1_000_000;

/** Reads the values of a policy and collects their problems: a reader returns null for a value that it cannot read. */
export class PolicyReader {
  readonly problems: PolicyProblem[] = [];
  readonly #words: PolicyWords;

  constructor(words: PolicyWords) {
    this.#words = words;
  }

  /** Reads an object, of which every key must be known. */
  object<T>(
    node: JsonNode,
    name: string,
    keys: readonly string[],
    read: (fields: Fields) => T | null,
  ): T | null {
    const fields = this.fields(node, `${name} must be an object.`);
    const value = read(fields);
    this.refuseUnknown(fields, name, keys);
    return value;
  }

  coin(node: JsonNode): CoinOnNetwork | null {
    const ref = node.type === 'text' ? parseCoinRef(node.text) : null;
    if (ref === null)
      return this.problem(node.line, `${shownValue(node)} is not a coin such as BTC or USDT:TRX.`);
    const problem = this.#words.coinProblem?.(ref) ?? null;
    return problem === null ? coinKey(ref) : this.problem(node.line, problem);
  }

  network(node: JsonNode): string | null {
    if (node.type !== 'text' || !/^[!-~]{1,40}$/.test(node.text))
      return this.problem(node.line, `${shownValue(node)} is not a network such as TRX.`);
    const problem = this.#words.networkProblem?.(node.text) ?? null;
    return problem === null ? networkKey(node.text) : this.problem(node.line, problem);
  }

  /** The address that is saved under a name; null if there is none. */
  saved(name: string): AllowedAddress | null {
    return this.#words.saved?.(name) ?? null;
  }

  amount(node: JsonNode, name: string, mayBeZero = false): Decimal | null {
    if (node.type !== 'text')
      return this.problem(node.line, `${name} must be an amount in double quotes, such as "0.5".`);
    if (mayBeZero && /^0(?:\.0{1,30})?$/.test(node.text)) return '0';
    const verdict = checkAmount(node.text);
    return verdict.ok
      ? amountKey(verdict.amount)
      : this.problem(node.line, `${name} is refused: ${verdict.reason}.`);
  }

  whole(node: JsonNode, name: string, least: number): number | null {
    const value =
      node.type === 'number' && /^[0-9]{1,7}$/.test(node.text) ? Number.parseInt(node.text, 10) : -1;
    return value >= least && value <= MAX_WHOLE
      ? value
      : this.problem(node.line, `${name} must be a whole number from ${least} to ${MAX_WHOLE}.`);
  }

  duration(node: JsonNode, name: string, or = ''): number | null {
    const [, count = '', unit = ''] =
      node.type === 'text' ? (/^([1-9][0-9]{0,5})([smhd])$/.exec(node.text) ?? []) : [];
    const milliseconds = Number.parseInt(count, 10) * (SIZES[unit as keyof typeof SIZES] ?? 0);
    return milliseconds > 0
      ? milliseconds
      : this.problem(node.line, `${name} must be ${or}a duration such as 30s, 15m, 24h or 7d.`);
  }

  time(node: JsonNode, name: string): number | null {
    const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/;
    const time = node.type === 'text' && pattern.test(node.text) ? Date.parse(node.text) : Number.NaN;
    return Number.isNaN(time)
      ? this.problem(node.line, `${name} must be a time such as 2027-01-31T00:00:00Z.`)
      : time;
  }

  text(node: JsonNode, name: string): string | null {
    return node.type === 'text' && node.text.length <= 500 && node.text !== ''
      ? node.text
      : this.problem(node.line, `${name} must be a string of 1 to 500 characters.`);
  }

  choice<T extends string>(node: JsonNode, name: string, choices: readonly T[]): T | null {
    const found = choices.find((choice) => node.type === 'text' && node.text === choice);
    return found ?? this.problem(node.line, `${name} must be ${choices.join(' or ')}.`);
  }

  list<T>(node: JsonNode, name: string, read: (item: JsonNode) => T | null): readonly T[] {
    const items = this.items(node, `${name} must be a list in square brackets.`);
    if (node.type === 'array' && items.length === 0) this.problem(node.line, `${name} is empty.`);
    return items.map(read).filter((item) => item !== null);
  }

  optional<T>(fields: Fields, key: string, read: (node: JsonNode) => T | null): T | null {
    const field = fields.get(key);
    fields.delete(key);
    return field === undefined ? null : read(field.value);
  }

  needed<T>(fields: Fields, key: string, line: number, read: (node: JsonNode) => T | null): T | null {
    const node = this.take(fields, key, line);
    return node === null ? null : read(node);
  }

  take(fields: Fields, key: string, line: number): JsonNode | null {
    const field = fields.get(key);
    fields.delete(key);
    return field === undefined ? this.problem(line, `The key ${key} is missing.`) : field.value;
  }

  fields(node: JsonNode, message: string): Fields {
    if (node.type === 'object') return new Map(node.fields.map((field) => [field.key, field]));
    this.problem(node.line, message);
    return new Map();
  }

  items(node: JsonNode, message: string): readonly JsonNode[] {
    if (node.type === 'array') return node.items;
    this.problem(node.line, message);
    return [];
  }

  refuseUnknown(fields: Fields, where: string, known: readonly string[]): void {
    for (const { key, line } of fields.values())
      this.problem(line, `Unknown key ${named(key)} in ${where}. The keys are ${known.join(', ')}.`);
  }

  problem(line: number, message: string): null {
    this.problems.push({ line, message });
    return null;
  }
}

/** Milliseconds of each unit of a duration. */
export const SIZES = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A word of a file for a message; one that is long or looks like a secret is not repeated. */
export function named(text: string): string {
  return text.length > 60 || looksSecret(text) ? `of ${text.length} characters` : `"${visible(text)}"`;
}

/** A value for a message: a text or number as {@link named} gives it, and only the type of any other value. */
export function shownValue(node: JsonNode): string {
  if (node.type === 'text') return named(node.text);
  return node.type === 'number' ? named(node.text) : `A value of the type ${node.type}`;
}
