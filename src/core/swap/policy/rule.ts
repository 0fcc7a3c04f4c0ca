import type { Decimal } from '../amount.ts';
import type { JsonNode } from '../json-text.ts';
import type { Labels } from '../labels.ts';
import type { Asset, RateType } from '../swap.ts';
import { type PolicyReader, SIZES } from './reader.ts';

/** An address to which money may go: the payout's, or that of a refund. */
export interface Recipient {
  readonly what: 'payout' | 'refund';
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
}

/** What a policy decides on: a swap to create, or a refund address to set for an order. */
export interface PolicyRequest {
  readonly kind: 'create' | 'refund';
  readonly deposit: Asset;
  /** Amount of the deposit; null if that is not known, which only a refund may lack. */
  readonly amount: Decimal | null;
  /** Null for a refund. */
  readonly receive: Asset | null;
  readonly type: RateType | null;
  readonly recipients: readonly Recipient[];
  readonly labels: Labels;
  /** Which of `refundAddress`, `idempotencyKey` and `minReceive` the request has. */
  readonly has: ReadonlySet<string>;
}

/** The part of a create by which rules count it. */
export type CountedPart = Pick<PolicyRequest, 'deposit' | 'labels'>;

/** What a rule counts of earlier creates and swaps. */
export interface Counts {
  /** Creates count for this long, in milliseconds. */
  readonly within?: number;
  /** Creates of one group are added up; without this, all are one group. */
  group?(create: CountedPart): string;
  /** Whether a create counts; without this, all do. */
  covers?(create: CountedPart): boolean;
  /** Set if groups depend on labels. */
  readonly labels?: boolean;
  /** Set if open swaps are counted. */
  readonly open?: boolean;
  /** Payments to a recipient are counted no further than this. */
  readonly seen?: number;
}

/** What a rule has counted in a group. */
export interface Counted {
  readonly count: number;
  readonly sum: Decimal;
  /** When the first of them stops counting, in milliseconds since 1970; null if none does, or the time is unknown. */
  readonly backAt: number | null;
}

/** Counts of earlier swaps in the ledger: those that exist, or may exist. Rules are named by their object. */
export interface Counters {
  /** What a rule has counted within its time in one group. */
  counted(rule: object, group?: string): Counted;
  groups(rule: object): readonly string[];
  /** Swaps that are not final, or of unknown outcome. */
  readonly open: number;
  /** Successful payouts, or refunds, to an address. */
  seen(recipient: Recipient): number;
}

/** A rule's decision about a request, with its limit and what is used and left of it; null where it has no number. */
export interface RuleDecision {
  /** Null if the rule lets the request through. */
  readonly effect: 'refuse' | 'approve' | null;
  readonly message: string;
  readonly limit: Decimal | number | null;
  readonly spent: Decimal | number | null;
  readonly left: Decimal | number | null;
}

/** What is left of a limit, for one group. */
export interface RemainingLimit extends Pick<Counted, 'backAt'> {
  /** Value of the label that the limit is for; null if it is for all. */
  readonly group: string | null;
  readonly limit: Decimal | number;
  readonly spent: Decimal | number;
  readonly left: Decimal | number;
}

/** What a rule decides on: the request, the counts of earlier swaps, and the time. */
export interface Case {
  readonly request: PolicyRequest;
  readonly counters: Counters;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** One kind of rule: everything that is particular to it. */
export interface RuleKind<R> {
  /** Reads the value of its key; null for a value with a problem, which the reader has noted. */
  read(reader: PolicyReader, value: JsonNode, line: number): R | null;
  /** The value of its key; fields of null are left out. */
  written(rule: R): object;
  /** The rule with its lists sorted and without the names of addresses, for the canonical form. */
  sorted?(rule: R): R;
  /** The rule in plain words, for people. */
  words(rule: R): string;
  /** Null if the rule does not apply. Not called for a refund address unless it `concernsRefunds`. */
  evaluate(rule: R, each: Case): RuleDecision | null;
  /** Set if it also limits refund addresses, which move no money of their own. */
  readonly concernsRefunds?: true;
  /** Whether a rule refuses, or requires an approval for, everything that another one does. */
  isAsStrict(strict: R, rule: R): boolean;
  counts?(rule: R): Counts;
  /** What is left of its limit, for each group. */
  left?(rule: R, counters: Counters): readonly RemainingLimit[];
}

/** Milliseconds as text in their largest whole unit: `90s`, `36h`, `7d`; one day is `24h`. */
export function durationText(milliseconds: number): string {
  const isWhole = (unit: keyof typeof SIZES) => milliseconds % SIZES[unit] === 0;
  const large = isWhole('d') && milliseconds !== SIZES.d ? 'd' : 'h';
  const unit = isWhole(large) ? large : isWhole('m') ? 'm' : 's';
  return `${milliseconds / SIZES[unit]}${unit}`;
}

/** The items in ascending order of their texts; of several with the same text, the last one. */
export function sortedBy<T>(items: readonly T[], textOf: (item: T) => string): readonly T[] {
  const byText = new Map(items.map((item) => [textOf(item), item]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

/** A copy of an object without the fields that are null or undefined. */
export function present(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** The number fields of a decision by a rule that has no limit. */
export const NO_LIMIT = { limit: null, spent: null, left: null } as const;
