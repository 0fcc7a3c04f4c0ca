import { type Expression, type SqlBool, sql } from 'kysely';
import { visible } from '../../base/text.ts';
import { checkAmount, fromSmallestUnit, significantPlaces, toSmallestUnit } from '../swap/amount.ts';
import type { Entry } from './entry.ts';

/** The parts of an entry that a search finds. */
export type Searched = Pick<
  Entry,
  'id' | 'order' | 'idempotencyKey' | 'request' | 'swap' | 'labels' | 'refundAddress' | 'sent' | 'ticket'
>;

const NO_COIN = { coin: null, network: null };
const NO_SIDES = { deposit: NO_COIN, receive: NO_COIN };
/** Between two words of the column, none of which has a line break. */
const BREAK = '\n';
/** Terms up to this length match whole words only, as numbers do: they are part of too many addresses. */
const MAX_WHOLE_LENGTH = 3;
/** Maximum size of the column, in bytes: it is in an index, and PostgreSQL refuses an index row of 2.7 kB. */
const MAX_BYTES = 2000;

/** The words that find an entry, in lower case; empty if too long for an index: its other columns are searched. */
export function searchText(entry: Searched): string {
  const { id, order, idempotencyKey, request, swap, labels, refundAddress, sent, ticket } = entry;
  const { deposit, receive } = swap ?? request ?? NO_SIDES;
  const sides = [
    { ...deposit, amounts: [request?.amount, swap?.deposit.amount] },
    { ...receive, amounts: [request?.quoted, swap?.receive.amount, swap?.receive.paidAmount] },
  ];
  const words = [
    order,
    idempotencyKey,
    id,
    refundAddress,
    sent?.txId,
    sent?.from,
    ticket,
    ...sides.flatMap(({ coin, network, amounts }) => [coin, `${coin}:${network}`, ...amounts.map(canonical)]),
    request?.address,
    request?.memo,
    swap?.deposit.address,
    swap?.deposit.memo,
    swap?.deposit.txId,
    swap?.receive.address,
    swap?.receive.memo,
    swap?.receive.txId,
    ...Object.entries(labels).flatMap(([key, value]) => [
      `${key}=${value}`,
      isIndexedWhole(value) ? value : null,
    ]),
  ];
  const found = new Set(words.flatMap((word) => (word ? [visible(word).toLowerCase()] : [])));
  const text = `${BREAK}${[...found].join(BREAK)}${BREAK}`;
  return Buffer.byteLength(text) > MAX_BYTES ? '' : text;
}

/** SQL of what {@link searchText} wrote with one more word, such as an order number; if that was empty, it stays so. */
export function withWord(text: string | Expression<unknown>, word: Expression<unknown>) {
  const words = sql`${text}`;
  return sql<string>`case when ${words} = '' then '' else ${words} || coalesce(lower(${word}) || ${BREAK}, '') end`;
}

/** Condition of the entries that a term finds: in any part of a word, or as a whole word if it is short or a number. */
export function matchesSearch(term: string): Expression<SqlBool> {
  const word = visible(term).toLowerCase();
  const amount = canonical(word) ?? word;
  const found = isIndexedWhole(word)
    ? [...new Set([word, amount])].map((each) => hasPart(`${BREAK}${each}${BREAK}`))
    : [hasPart(word)];
  const whole = sql`lower(coalesce(snapshot, '') || request || coalesce(labels, '') || coalesce(order_number, '') || coalesce(idempotency_key, ''))`;
  return sql<SqlBool>`(${sql.join(found, sql` or `)} or (search = '' and ${contains(whole, word)}))`;
}

/** Condition of the entries that may have a word: those with it, and those with too many words for the index. */
export function mayHaveWord(word: string): Expression<SqlBool> {
  return sql<SqlBool>`(search = '' or ${hasPart(`${BREAK}${word.toLowerCase()}${BREAK}`)})`;
}

/** Longest part for `like`: SQLite takes patterns up to 50,000 bytes. */
const MAX_LIKE = 1000;

/** Whether the column, all in lower case, contains a text. `like` takes half the time of {@link contains}. */
function hasPart(part: string): Expression<SqlBool> {
  if (part.length > MAX_LIKE) return contains(sql`search`, part);
  return sql<SqlBool>`search like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
}

/** Whether a text contains another one exactly: both databases have `replace`, but not the same `instr`. */
export function contains(text: Expression<unknown>, part: string): Expression<SqlBool> {
  return sql<SqlBool>`replace(${text}, ${part}, '') <> ${text}`;
}

function isIndexedWhole(word: string): boolean {
  return word.length <= MAX_WHOLE_LENGTH || /^[0-9.]+$/.test(word);
}

/** An amount without trailing zeros, so that it is found by its value; null for none. */
function canonical(amount: string | null | undefined): string | null {
  if (amount === null || amount === undefined || !checkAmount(amount).ok) return null;
  const places = significantPlaces(amount);
  return fromSmallestUnit(toSmallestUnit(amount, places), places);
}
