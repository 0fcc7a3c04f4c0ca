import { hash } from 'node:crypto';
import { StorageError } from '../../base/errors.ts';
import { parsed } from '../../base/text.ts';
import { serviceAt } from '../partner-api/base-url.ts';
import type { AgreedTerms } from '../swap/agreement/agreed.ts';
import type { Decimal } from '../swap/amount.ts';
import type { Changes } from '../swap/changes.ts';
import type { Labels } from '../swap/labels.ts';
import type { Environment, Swap, SwapRequest } from '../swap/swap.ts';
import type { IntentRow } from './schema.ts';

/** Outcome of a create: not sent, without a usable answer, answered with an order, refused, or settled by a person. */
export type IntentOutcome = 'not-sent' | 'unknown' | 'created' | 'refused' | 'dismissed';

/** Owner of a swap: an account, and what people are shown of it. */
export interface Owner {
  /** The key pair at its host, to which orders and idempotency keys belong: see {@link accountOf}. */
  readonly account: string;
  /** Name of the profile. Several names may lead to one account. */
  readonly profile: string;
  readonly environment: Environment;
  /** Host and path of the base URL, or `built-in`; for people. */
  readonly host: string;
}

export const BUILT_IN_ACCOUNT = 'built-in';

/** Name of a key pair at a base URL in any spelling: the first 128 bits of a SHA-256 digest, which reveal neither. */
function accountOf({ baseUrl, publicKey }: { readonly baseUrl: string; readonly publicKey: string }) {
  return hash('sha256', `${serviceAt(baseUrl)}\n${publicKey}`).slice(0, 32);
}

/** A stored profile, as far as it says whose swaps it creates. */
export type OwnerProfile = { readonly name: string; readonly environment: Environment } & (
  | { readonly kind: 'built-in' }
  | { readonly kind: 'remote'; readonly baseUrl: string; readonly publicKey: string }
);

/** Whose swaps a profile creates; the host of the built-in service is `built-in`, because its port changes. */
export function ownerOf(profile: OwnerProfile): Owner {
  const { name, environment } = profile;
  if (profile.kind === 'built-in')
    return { account: BUILT_IN_ACCOUNT, profile: name, environment, host: 'built-in' };
  const { host, pathname } = new URL(profile.baseUrl);
  return {
    account: accountOf(profile),
    profile: name,
    environment,
    host: `${host}${pathname.replace(/\/+$/, '')}`,
  };
}

/** One line of the ledger. */
export interface Entry extends Owner {
  readonly id: string;
  readonly idempotencyKey: string | null;
  /** Null for an order that was not created by swapctl and became known through `refund`, unless an unknown create may have made it. */
  readonly request: CreateIntent | null;
  readonly outcome: IntentOutcome;
  readonly reason: string | null;
  readonly order: string | null;
  readonly requestedAt: number;
  readonly seenAt: number | null;
  /** The swap as last seen. A doubted answer is not stored here while nothing was paid. */
  readonly swap: Swap | null;
  /** The swap of the last poll, if it is doubted and has not replaced the one above. */
  readonly doubted: Swap | null;
  /** The swap as the service first described it. */
  readonly first: Swap | null;
  /** The most advanced status ever seen. */
  readonly furthest: string | null;
  /** Doubts when it was last seen. */
  readonly doubts: readonly string[];
  readonly refundAddress: string | null;
  readonly labels: Labels;
  /** When its status was last seen to change, in milliseconds since 1970. */
  readonly changedAt: number | null;
  /** How many changes were recorded; it grows with each. */
  readonly changes: number;
  readonly sent: SentDeposit | null;
  /** By a note, it needs no attention until then, in milliseconds since 1970. */
  readonly quietUntil: number | null;
  /** Reference of the last note's case. */
  readonly ticket: string | null;
}

/** A deposit that someone said was sent. Times are milliseconds since 1970. */
export interface SentDeposit {
  readonly txId: string;
  /** The sender's address; null if it was not given. */
  readonly from: string | null;
  /** When it was said. */
  readonly at: number;
  /** By then the service usually sees a deposit of this pair. */
  readonly dueAt: number;
}

type AgreedParts = Pick<Entry, 'request' | 'first' | 'furthest' | 'environment' | 'sent'>;

/** The agreement about a swap, as the ledger knows it at a time, in milliseconds since 1970. */
export function agreementOf({ request, first, furthest, environment, sent }: AgreedParts, now: number) {
  const sentTerms = sent === null ? null : { txId: sent.txId, isDue: now > sent.dueAt };
  return { terms: request, first, furthest, environment, sent: sentTerms };
}

/** A row with content that swapctl does not write: from another program, or a disk that lost bytes. */
export class DamagedEntryError extends StorageError {
  readonly id: string;

  constructor({ id, order_number: order }: Pick<IntentRow, 'id' | 'order_number'>, what: string) {
    const which = order === null ? `entry ${id}` : `order ${order} (entry ${id})`;
    super(
      `The ledger has a damaged entry: ${which}; ${what} cannot be read.`,
      'Restore a backup of the ledger, or ask the service about that order; all other entries are readable.',
    );
    this.id = id;
  }
}

/** Reads a row. Throws {@link DamagedEntryError}. */
export function entryFromRow(row: IntentRow): Entry {
  const whole = wholeOf(row);
  const swap = whole(readSnapshot(row.snapshot), 'the swap as last seen');
  return {
    id: row.id,
    account: row.account,
    profile: row.profile,
    environment: row.environment === 'live' ? 'live' : 'sandbox',
    host: row.host,
    idempotencyKey: row.idempotency_key,
    request: whole(readIntent(row.request), 'the request'),
    outcome: row.outcome as IntentOutcome,
    reason: row.reason,
    order: row.order_number,
    requestedAt: row.requested_at,
    seenAt: row.seen_at,
    swap,
    doubted: whole(readSnapshot(row.doubted_snapshot), 'the swap of the last poll'),
    first: whole(readFirst(row.first_snapshot, swap), 'the swap as first seen'),
    furthest: row.furthest,
    doubts: whole(readDoubts(row.doubts), 'the list of doubts'),
    refundAddress: row.refund_address,
    labels: whole(readLabels(row.labels), 'its labels'),
    changedAt: row.changed_at,
    changes: row.changes,
    sent: whole(readSent(row.sent), 'the payment that was said to be sent'),
    quietUntil: row.quiet_until,
    ticket: row.ticket,
  };
}

/** Returns a check that throws {@link DamagedEntryError} for an undefined part of a row; throws it for wrong times. */
export function wholeOf(
  row: Pick<IntentRow, 'id' | 'order_number' | 'requested_at'> & Partial<Pick<IntentRow, 'seen_at'>>,
) {
  if (!isValidDateMs(row.requested_at) || !isValidDateMs(row.seen_at ?? 0))
    throw new DamagedEntryError(row, 'a time');
  return <T>(value: T | undefined, what: string): T => {
    if (value === undefined) throw new DamagedEntryError(row, what);
    return value;
  };
}

/** Maximum number of ids in one statement; both databases accept many more. */
const MAX_IN_ONE_STATEMENT = 500;

/** All rows that `read` finds for any number of ids; each call gets only as many as one statement may have. */
export async function inParts<Row>(
  ids: readonly string[],
  read: (part: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < ids.length; at += MAX_IN_ONE_STATEMENT)
    found.push(...(await read(ids.slice(at, at + MAX_IN_ONE_STATEMENT))));
  return found;
}

const MAX_DATE_MS = 8.64e15;

/** Whether a number of milliseconds is within the range of a date. */
export function isValidDateMs(milliseconds: number): boolean {
  return Math.abs(milliseconds) <= MAX_DATE_MS;
}

/** Assumed maximum difference between the clocks of a team's machines, in milliseconds. */
export const CLOCKS_DIFFER_MS = 60_000;

type Fields = Readonly<Record<string, unknown>>;

/** Parses the request in a column; undefined if the text is not what swapctl writes. */
export function readIntent(text: string): CreateIntent | null | undefined {
  const value = parsed(text);
  if (value === null) return null;
  const isIntent = hasSides(value) && isText(value['amount']) && isText(value['address']);
  return isIntent ? (value as unknown as CreateIntent) : undefined;
}

/** The swap in a column; null if the column is empty, undefined if the text is not what swapctl writes. */
export function readSnapshot(text: string | null): Swap | null | undefined {
  if (text === null) return null;
  const value = parsed(text);
  const isSwap = hasSides(value) && isText(value['order']) && isText(value['status']);
  return isSwap ? (value as unknown as Swap) : undefined;
}

/** The first description of a swap as a column has it: where the last differs, or all of another order or keys. */
export function storedFirst(first: Swap, last: Swap): string {
  if (first === last) return '{}';
  const parts = first.order === last.order ? differing({ ...first }, { ...last }) : null;
  return JSON.stringify(parts ?? first);
}

/** The values of an object that another one with the same keys has otherwise; null for other keys. */
function differing(value: Fields, other: Fields): Fields | null {
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(other).length) return null;
  const parts: Record<string, unknown> = {};
  for (const key of keys) {
    if (!(key in other)) return null;
    const [here, there] = [value[key], other[key]];
    if (JSON.stringify(here) === JSON.stringify(there)) continue;
    const inner = isObject(here) && isObject(there) ? differing(here, there) : here;
    if (inner === null && here !== null) return null;
    parts[key] = inner;
  }
  return parts;
}

/** Parses what {@link storedFirst} wrote; undefined if the text is not what swapctl writes. */
export function readFirst(text: string | null, last: Swap | null): Swap | null | undefined {
  if (text === null || last === null) return readSnapshot(text);
  if (text === '{}') return last;
  const parts = parsed(text);
  if (!isObject(parts) || 'order' in parts) return readSnapshot(text);
  const { deposit, receive } = parts as Partial<Pick<Swap, 'deposit' | 'receive'>>;
  return {
    ...last,
    ...parts,
    deposit: { ...last.deposit, ...deposit },
    receive: { ...last.receive, ...receive },
  };
}

/** Parses a deposit that was said to be sent; undefined if the text is not what swapctl writes. */
function readSent(text: string | null): SentDeposit | null | undefined {
  const value = text === null ? null : parsed(text);
  if (value === null) return null;
  return isObject(value) && isText(value['txId']) ? (value as unknown as SentDeposit) : undefined;
}

/** Parses the doubts' codes in a column; undefined if the text is not what swapctl writes. */
export function readDoubts(text: string): readonly string[] | undefined {
  const value = parsed(text);
  return Array.isArray(value) && value.every(isText) ? value : undefined;
}

/** Parses recorded changes; empty if the text is not what swapctl writes. */
export function readChanges(text: string): Changes {
  const value = parsed(text);
  const isChanges =
    isObject(value) && Object.values(value).every((pair) => Array.isArray(pair) && pair.length === 2);
  return isChanges ? (value as unknown as Changes) : {};
}

/** Parses the labels in a column; undefined if the text is not what swapctl writes. */
export function readLabels(text: string | null): Labels | undefined {
  const value = text === null ? {} : parsed(text);
  return isObject(value) && Object.values(value).every(isText) ? (value as Labels) : undefined;
}

/** The labels as a column has them: null if there are none. */
export function storedLabels(labels: Labels): string | null {
  return Object.keys(labels).length === 0 ? null : JSON.stringify(labels);
}

function hasSides(value: unknown): value is Fields {
  return isObject(value) && isObject(value['deposit']) && isObject(value['receive']);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A swap's request, as it was sent. */
export interface CreateIntent extends SwapRequest, AgreedTerms {
  /** Requested amount, of the side that `lastSource` names. */
  readonly asked: Decimal;
}

/** A request with labels, which are kept beside it and never sent. */
export interface LabelledIntent extends CreateIntent {
  readonly labels?: Labels;
}

/** What `read` makes of rows; a row for which it throws {@link DamagedEntryError} is left out and reported once. */
export function readableWith<Row, Item>(
  onDamaged: (error: DamagedEntryError) => void,
  read: (row: Row) => Item,
): (rows: readonly Row[]) => readonly Item[] {
  const reported = new Set<string>();
  return (rows) =>
    rows.flatMap((row) => {
      try {
        return [read(row)];
      } catch (error) {
        if (!(error instanceof DamagedEntryError)) throw error;
        if (!reported.has(error.id)) onDamaged(error);
        reported.add(error.id);
        return [];
      }
    });
}
