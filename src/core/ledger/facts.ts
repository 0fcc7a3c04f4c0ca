import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { addressVerdict } from '../swap/agreement/spelling.ts';
import type { Entry } from './entry.ts';
import type { LedgerSchema } from './schema.ts';

/** The kinds of facts that identify a swap, beside the order number, the id and the key of its entry. */
export type FactKind =
  | 'depositAddress'
  | 'payoutAddress'
  | 'refundAddress'
  | 'memo'
  | 'transaction'
  | 'label';

/** A fact of an entry, as it was written. */
export interface Fact {
  readonly kind: FactKind;
  readonly text: string;
  /** Of an address; null if it is not known. */
  readonly network: string | null;
  /** The memo beside an address. */
  readonly memo: string | null;
}

/** The parts of an entry that have facts. */
export type Known = Pick<
  Entry,
  'request' | 'swap' | 'doubted' | 'first' | 'refundAddress' | 'labels' | 'sent'
>;

/** Every fact of an entry, as requested, as first described and as last seen. */
export function factsOf({ request, swap, doubted, first, refundAddress, labels, sent }: Known): Fact[] {
  const facts = new Map<string, Fact>();
  const add = (kind: FactKind, text: string | null | undefined, more: Partial<Fact> = {}) => {
    const fact = text ? { kind, text, network: null, memo: null, ...more } : null;
    if (fact !== null) facts.set(JSON.stringify(fact), fact);
  };
  for (const seen of [swap, doubted, first]) {
    if (seen === null) continue;
    for (const [kind, { address, network, memo, txId }] of [
      ['depositAddress', seen.deposit],
      ['payoutAddress', seen.receive],
    ] as const) {
      add(kind, address, { network, memo });
      add('memo', memo);
      add('transaction', txId);
    }
  }
  const network = request?.deposit.network ?? swap?.deposit.network ?? null;
  const { network: to = null } = request?.receive ?? {};
  add('payoutAddress', request?.address, { network: to, memo: request?.memo ?? null });
  add('memo', request?.memo);
  for (const address of [refundAddress, request?.refundAddress]) add('refundAddress', address, { network });
  add('transaction', sent?.txId);
  for (const [key, value] of Object.entries(labels)) add('label', labelText(key, value));
  return [...facts.values()];
}

/** A label as a fact: letters composed, and no spaces around its value. */
export function labelText(key: string, value: string): string {
  return `${key}=${value.normalize('NFC').trim()}`;
}

/** Fewest characters of a transaction id that find it. */
export const MIN_PREFIX = 8;
/** Characters of a transaction id that its key in the index is made of: a prefix without its `0x` has at least these. */
const PREFIX = MIN_PREFIX - '0x'.length;

/** A text as the index has it, which means the same in other cases, and with `0x` or without. */
function normalizedForIndex(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/^0x/, '');
}

/** The first 52 bits of a digest, which both databases and JSON have as a number. Another text may have the same. */
function indexKey(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, 13), 16);
}

/** The keys under which a text may be in the index, as a whole fact or as the beginning of a transaction id. */
export function lookupKeys(spellings: Iterable<string>, text: string): readonly number[] {
  const keys = [...spellings].map((each) => indexKey(normalizedForIndex(each)));
  return [...new Set(text.length < MIN_PREFIX ? keys : [...keys, prefixKey(text)])];
}

function prefixKey(text: string): number {
  return indexKey(`tx ${normalizedForIndex(text).slice(0, PREFIX)}`);
}

/** The keys of a fact: an address is also found in the canonical spelling of its network. */
async function keysOf({ kind, text, network }: Fact): Promise<readonly number[]> {
  if (kind === 'transaction') return [indexKey(normalizedForIndex(text)), prefixKey(text)];
  // An address of an EVM chain needs no rules to be spelled in another way.
  const isPlain = /^0x[0-9a-f]{40}$/i.test(text);
  if (!kind.endsWith('Address') || network === null || isPlain) return [indexKey(normalizedForIndex(text))];
  const verdict = await addressVerdict(network, text);
  return verdict.ok
    ? [indexKey(normalizedForIndex(text)), indexKey(normalizedForIndex(verdict.canonical))]
    : [indexKey(normalizedForIndex(text))];
}

/** Adds the facts of an entry to the index, except those that it had before; within the transaction that writes it. */
export async function addFacts(tx: Kysely<LedgerSchema>, entry: Known & Pick<Entry, 'id'>, before?: Known) {
  const rows = await factRows(entry, before);
  if (rows.length > 0) await tx.insertInto('facts').values(rows).execute();
}

/** The rows of the index for an entry, without those that it had before. */
export async function factRows(entry: Known & Pick<Entry, 'id'>, before?: Known) {
  const had = new Set(before === undefined ? [] : factsOf(before).map((fact) => JSON.stringify(fact)));
  const fresh = factsOf(entry).filter((fact) => !had.has(JSON.stringify(fact)));
  const keys = new Set((await Promise.all(fresh.map(keysOf))).flat());
  return [...keys].map((fact) => ({ fact, intent_id: entry.id }));
}

/** Ids of the entries that may have a text as order number, id, key or fact; `keys` of {@link lookupKeys}. */
export async function idsWith(kysely: Kysely<LedgerSchema>, text: string, keys: readonly number[]) {
  const orders = [text, text.toUpperCase(), text.toLowerCase()];
  const rows = await kysely
    .selectFrom('intents')
    .select('id')
    .where('id', '=', text.toLowerCase())
    .union(kysely.selectFrom('intents').select('id').where('order_number', 'in', orders))
    .union(kysely.selectFrom('intents').select('id').where('idempotency_key', '=', text))
    .union(
      kysely
        .selectFrom('facts')
        .select('intent_id as id')
        .where('fact', 'in', [...keys]),
    )
    .execute();
  return rows.map(({ id }) => id);
}
