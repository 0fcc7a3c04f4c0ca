import { InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { echoed, hasHiddenCharacters } from '../../../base/text.ts';
import { type DayZone, dayStart, dayText, parseDuration, readTime, zoneName } from '../../../base/time.ts';
import { type BudgetLimit, parseBudget } from '../../../core/ledger/budget/limit.ts';
import type { ApprovalSelection } from '../../../core/ledger/policy/approvals.ts';
import { checkAmount, type Decimal } from '../../../core/swap/amount.ts';
import { checkLabel, type Labels } from '../../../core/swap/labels.ts';
import { type CoinOnNetwork, isOrderForm, parseCoinRef, type RateType } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';

/** The topics of `swapctl help`, in addition to the commands. */
export const HELP_TOPICS = [
  'statuses',
  'environment',
  'exit-codes',
  'json',
  'safety',
  'policy',
  'agents',
] as const;

/** Reads an amount argument; throws `invalid_amount` with the rule that was broken. */
export function amountArgument(text: string): Decimal {
  const verdict = checkAmount(text);
  if (verdict.ok) return verdict.amount;
  throw new UsageError(`Invalid amount ${echoed(text)}: ${verdict.reason}.`, undefined, 'invalid_amount');
}

/** Reads a rate to compare with: a plain decimal with a dot, greater than zero. */
export function rateArgument(text: string): Decimal {
  const verdict = checkAmount(text);
  if (verdict.ok) return verdict.amount;
  throw new UsageError(`Invalid rate ${echoed(text)}: ${verdict.reason}.`);
}

/** Reads a percentage from 0% to 100% such as `1%` or `0.5%`, as the decimal before the sign. */
export function percentArgument(text: string): Decimal {
  const percent = /^((?:0|[1-9][0-9]?)(?:\.[0-9]{1,6})?|100)%$/.exec(text)?.[1];
  if (percent !== undefined) return percent;
  throw new InvalidArgumentError('Use a percentage from 0% to 100%, such as 1% or 0.5%.');
}

/** Reads a tolerance in percent, with or without `%`, as the decimal before the sign: `0.01` is 0.01 %, not 1 %. */
export function toleranceArgument(text: string): Decimal {
  return percentArgument(text.replace(/ ?%?$/, '%'));
}

/** Reads `COIN` or `COIN:NETWORK`. */
export function coinArgument(text: string): CoinOnNetwork {
  const ref = parseCoinRef(text);
  if (ref !== null) return ref;
  throw new UsageError(
    `Invalid coin ${echoed(text)}: use a code such as BTC or USDT:TRX.`,
    'List the coins with `swapctl coins`.',
  );
}

/** Reads a coin where a network would have no effect. */
export function coinWithoutNetwork(text: string): string {
  if (!text.includes(':')) return text;
  throw new UsageError('Pass only the coin, without a network.');
}

const AMOUNT = /^[0-9.,]{1,40}$/;

/** The error for a pair in one word such as `BTC/ETH`, alone or with an amount behind it; null for other words. */
export function joinedPairError(path: string, [pair = '', amount = '<amount>', more]: readonly string[]) {
  const [, from, to] =
    /^([A-Za-z0-9]{1,20})[/_:>-]{1,2}([A-Za-z0-9]{1,20}(?::[A-Za-z0-9]{1,20})?)$/.exec(pair) ?? [];
  const isPair = from !== undefined && (amount === '<amount>' || AMOUNT.test(amount)) && more === undefined;
  const hint = `Did you mean \`${path} ${from} ${to} ${amount}\`?`;
  return isPair ? new UsageError('Pass the two coins as separate words.', hint) : null;
}

/** Words that people write between the two coins. */
const BETWEEN = /^(to|in|into|for|=>|→)$/i;
/** Takes no address. */
const QUOTE = 'swapctl quote';

/** The words of a pair and an amount with the amount last, where it is the first: `0.1 BTC ETH`. */
export function amountLast<T extends string | undefined>(words: readonly T[]): readonly T[] {
  const [first, ...rest] = words;
  const last = words.findLast((word) => word !== undefined);
  return first !== undefined && AMOUNT.test(first) && last !== undefined && !AMOUNT.test(last)
    ? [...rest, first]
    : words;
}

/**
 * The error for the words of a pair that say more than `<from> <to> <amount>`: a word between the coins, or the payout
 * address behind the amount. Null for other words.
 */
export function wordyPairError(path: string, words: readonly string[]): UsageError | null {
  const isAmount = (word: string | undefined) => word !== undefined && AMOUNT.test(word);
  const [first, ...others] = words;
  const behind = others.toSpliced(BETWEEN.test(others[1] ?? '') ? 3 : 2, 0, first ?? '');
  const [from = '', between = '', to = '', ...rest] = isAmount(first) ? behind : words;
  const meant = (...parts: readonly string[]) =>
    `Did you mean \`${[path, ...parts.map((part) => shellQuote(echoed(part)))].join(' ')}\`?`;
  if (BETWEEN.test(between) && to !== '' && !isAmount(to) && rest.length <= 1)
    return new UsageError(`Leave out '${between}'.`, meant(from, to, ...rest));
  const [address, ...more] = rest;
  if (address === undefined || more.length > 0 || !isAmount(to) || path === QUOTE) return null;
  return new UsageError('Pass the address with --address.', meant(from, between, to, '--address', address));
}

/** Reads a duration such as `30s`, `10m`, `2h` or `1d`, in milliseconds. */
export function durationArgument(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== null) return milliseconds;
  throw new InvalidArgumentError(
    'Use a whole number from 1 to 999999 and a unit, such as 30s, 10m, 2h or 1d.',
  );
}

/** Reads an interval in seconds, which may have a fraction, as milliseconds; at least a tenth of a second. */
export function secondsArgument(text: string): number {
  const match = /^([0-9]{1,6})(?:\.([0-9]))?$/.exec(text);
  const milliseconds = match === null ? 0 : Number.parseInt(`${match[1]}${match[2] ?? '0'}`, 10) * 100;
  if (milliseconds >= 100) return milliseconds;
  throw new InvalidArgumentError('Use a number of seconds from 0.1 to 999999.9, such as 2 or 0.5.');
}

/** Reads requests and the period in which they are counted, such as `120/60s`. */
export function budgetArgument(text: string): BudgetLimit {
  const budget = parseBudget(text);
  if (budget !== null) return budget;
  throw new InvalidArgumentError('Use requests per period, such as 120/60s.');
}

/** Reads a port from 0 to 65535; 0 takes a free one. Throws InvalidArgumentError. */
export function portArgument(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number.parseInt(text, 10) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('Use a port from 0 to 65535.');
}

/** Reads one of several words in its exact spelling. Throws InvalidArgumentError, which lists them. */
export function choiceArgument<T extends string>(text: string, choices: readonly T[]): T {
  const found = choices.find((each) => each === text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`Choose one of ${choices.join(', ')}.`);
}

/** Reads a whole number from 1 to 9,999,999. Throws InvalidArgumentError. */
export function countArgument(text: string): number {
  if (/^[1-9][0-9]{0,6}$/.test(text)) return Number.parseInt(text, 10);
  throw new InvalidArgumentError('Use a whole number from 1 to 9999999.');
}

/** Reads the keys of `--fields`, with commas between. */
export function fieldsArgument(text: string): readonly string[] {
  const fields = text.split(',').map((field) => field.trim());
  if (fields.every((field) => field !== '')) return fields;
  throw new InvalidArgumentError('Use keys of the JSON with commas between, such as order,deposit.address.');
}

export function idempotencyKeyArgument(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new UsageError('Invalid idempotency key: use 1 to 255 printable ASCII characters without spaces.');
}

/** Checks the form of an order number, not whether the order exists. Throws a usage error. */
export function orderArgument(text: string): string {
  if (isOrderForm(text)) return text;
  throw new UsageError(`Invalid order number ${echoed(text)}.`, 'List yours with `swapctl history`.');
}

/** Help of an argument that is read by {@link swapArgument}. */
export const ORDER = 'order number; or an address, memo, transaction, key, label or entry id of the swap';

/** Maximum length of a text that identifies a swap: a label's key and value, in characters. */
const MAX_FACT_LENGTH = 512;

/** Trims what identifies a swap, its order number or any other fact (`findSwaps`). Throws a usage error. */
export function swapArgument(text: string): string {
  const fact = text.trim();
  if (fact !== '' && fact.length <= MAX_FACT_LENGTH && !hasHiddenCharacters(fact)) return fact;
  throw new UsageError(`Invalid order number ${echoed(text)}.`, 'List yours with `swapctl history`.');
}

/** Checks the form of an approval's id: `apr_` and 20 hexadecimal digits. Throws a usage error. */
export function approvalArgument(text: string): string {
  if (/^apr_[0-9a-f]{20}$/.test(text)) return text;
  const hint = 'List them with `swapctl policy approvals list`.';
  throw new UsageError(`${echoed(text)} is not the id of an approval.`, hint);
}

/** The approval with the id of `--approval`; null, for none, if the flag is not given. */
export function approvalOption(id: unknown): ApprovalSelection {
  return typeof id === 'string' ? { id } : null;
}

/** The rate type of `--fixed` and `--float`; null if neither is given. Throws a usage error for both. */
export function chosenRateType(flags: { fixed?: boolean; float?: boolean }): RateType | null {
  if (flags.fixed === true && flags.float === true)
    throw new UsageError('--fixed and --float cannot be combined.');
  if (flags.fixed === true) return 'fixed';
  return flags.float === true ? 'float' : null;
}

/** Flags as commander parses them. */
export type Flags = Readonly<Record<string, unknown>>;

/** Readers of flags by their type; null for one that was not given, or that has another type. */
export function readFlags(flags: Flags) {
  return {
    text: (name: string) => (typeof flags[name] === 'string' ? flags[name] : null),
    number: (name: string) => (typeof flags[name] === 'number' ? flags[name] : null),
    on: (name: string) => flags[name] === true,
    /** A flag that also has a `--no-` form. */
    choice: (name: string) => (typeof flags[name] === 'boolean' ? flags[name] : null),
    /** Values of a flag that can be repeated. */
    list: (name: string) => (Array.isArray(flags[name]) ? flags[name].map(String) : []),
  };
}

/** Number of rows that a list shows on a terminal where `--limit` is not given. */
export const SCREEN_LIMIT = 50;

/** The `--limit` option of a list. */
export function limitOption(): Option {
  const words = `maximum number (default: ${SCREEN_LIMIT} on a terminal, all in a pipe)`;
  return new Option('-L, --limit <n>', words).argParser(countArgument);
}

/** Days are local on a terminal, and UTC in pipes, in JSON and in files. */
export function dayZone({ streams }: Pick<Context, 'streams'>): DayZone {
  return streams.format === 'screen' ? 'local' : 'utc';
}

/** Help of `--since` and `--until`. */
export const SINCE = 'since this day (2026-01-31, yesterday), time (RFC 3339) or duration ago (7d)';
export const UNTIL = 'until the end of this day, or before this time';

/**
 * Reads a day such as 2026-01-31, `today` or `yesterday`, by its start or its end; a duration such as 7d, which means that
 * long before `now`; or an RFC 3339 time. In milliseconds since 1970. `zone` says where days begin.
 */
export function timeArgument(
  text: string | null,
  edge: 'start' | 'end',
  now: number,
  zone: DayZone = 'utc',
): number | null {
  if (text === null) return null;
  const ago = parseDuration(text);
  const daysBefore = DAY_WORDS.get(text.toLowerCase());
  const day = daysBefore === undefined ? text : dayText(now, zone, daysBefore);
  const time =
    ago === null
      ? (dayStart(day, zone, edge === 'start' ? 0 : 1) ?? (isDay(day) ? null : readTime(day)))
      : now - ago;
  if (time !== null) return time;
  throw new UsageError(
    `Invalid time ${echoed(text)}: use a day such as 2026-01-31 or yesterday, a time such as 2026-01-31T12:00:00Z, or a duration such as 7d.`,
  );
}

/** Words for days, with the number of days before today. */
const DAY_WORDS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
]);

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/** Reads `--since` and a later `--until`; null if not given. If one is a day, a note says which time zone is used. */
export function periodOption(
  context: Pick<Context, 'streams' | 'now'>,
  flags: Flags,
  zone: DayZone = dayZone(context),
): { readonly since: number | null; readonly until: number | null } {
  const { text } = readFlags(flags);
  const [since, until] = [text('since'), text('until')];
  const now = context.now();
  const period = {
    since: timeArgument(since, 'start', now, zone),
    until: timeArgument(until, 'end', now, zone),
  };
  if (period.since !== null && period.until !== null && period.since >= period.until)
    throw new UsageError(`--until ${until} ends before --since ${since} begins.`);
  const hasDay = [since, until].some(
    (each) => each !== null && (isDay(each) || DAY_WORDS.has(each.toLowerCase())),
  );
  if (hasDay)
    context.streams.note(
      zone === 'local'
        ? `Days are in local time, ${zoneName(now)}; in a pipe, in UTC.`
        : 'Days are in UTC; on a terminal, in local time.',
    );
  return period;
}

/** Reads a future time as milliseconds since 1970: a duration such as 2h from `now`, a day by its end, or RFC 3339. */
export function timeAheadArgument(text: string | null, now: number, zone: DayZone): number | null {
  if (text === null) return null;
  const duration = parseDuration(text);
  const time = duration === null ? (dayStart(text, zone, 1) ?? readTime(text)) : now + duration;
  if (time !== null && time > now) return time;
  throw new UsageError(
    `${echoed(text)} is not a time in the future, such as 2h, 2027-01-31 or 2027-01-31T12:00:00Z.`,
  );
}

/** Collects the values of an option that may be given several times. */
export function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Reads `--label` as collected, `key=value` each. A refused value is not repeated, because it may be a secret. */
export function labelsArgument(texts: unknown): Labels {
  const labels = new Map<string, string>();
  for (const text of Array.isArray(texts) ? texts.map(String) : []) {
    const verdict = checkLabel(text);
    const hint = 'Use the form key=value, such as --label team=ops.';
    if (!verdict.ok) throw new UsageError(`Invalid label: ${verdict.reason}.`, hint);
    if (labels.has(verdict.key)) throw new UsageError(`The label ${verdict.key} is set twice.`);
    labels.set(verdict.key, verdict.value);
  }
  return Object.fromEntries(labels);
}
