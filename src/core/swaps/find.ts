import { SwapctlError, UsageError } from '../../base/errors.ts';
import { echoed, isTwelveWords, looksSecret, someOf, type Visible, visible } from '../../base/text.ts';
import { rfc3339 } from '../../base/time.ts';
import type { Entry, Owner } from '../ledger/entry.ts';
import { type Fact, type FactKind, factsOf, labelText, MIN_PREFIX } from '../ledger/facts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AddressVerdict } from '../swap/addresses/parsed-address.ts';
import { addressSpellings, addressVerdict, hiddenMemo, secretInText } from '../swap/agreement/spelling.ts';
import { coinLabel } from '../swap/swap.ts';
import { isTransactionForm } from '../swap/transaction-ids.ts';

/** A swap of the ledger that a text identifies. */
export interface FoundSwap {
  readonly entry: Entry;
  /** What the text is of the swap. */
  readonly by: FoundBy;
  /** Whether the text is only the beginning of a transaction id. */
  readonly isPrefix: boolean;
}

type FoundBy = 'order' | 'id' | 'key' | FactKind;

/** How well a text matches: the best matches leave out the others. */
const [ID, EXACT, OTHER_CASE, PREFIX] = [0, 1, 2, 3];

/**
 * The swaps that a text identifies, newest first: by order number, entry id, idempotency key, address, memo, transaction id
 * or at least 8 characters of its beginning, or label (`key=value`). With an owner, only those of that account. Sends no
 * request. Throws `storage_failed`.
 */
export async function findSwaps(ledger: Pick<Ledger, 'withFact'>, text: string, owner: Owner | null) {
  const spellings = [text, ...labelSpellings(text), ...(await addressSpellings(text))];
  const candidates = await ledger.withFact(text, spellings);
  const isMatch = factMatcher(text);
  const found: (FoundSwap & { readonly rank: number })[] = [];
  for (const entry of candidates) {
    if (owner !== null && entry.account !== owner.account) continue;
    const match = await matchOf(entry, text, isMatch);
    if (match !== null) found.push({ entry, ...match, isPrefix: match.rank === PREFIX });
  }
  const best = Math.min(...found.map(({ rank }) => rank));
  return found.filter(({ rank }) => rank === best).map(({ rank: _, ...swap }) => swap);
}

async function matchOf(
  entry: Entry,
  text: string,
  isMatch: (fact: Fact) => Promise<boolean>,
): Promise<{ readonly by: FoundBy; readonly rank: number } | null> {
  if (entry.id === text.toLowerCase()) return { by: 'id', rank: ID };
  if (entry.order === text) return { by: 'order', rank: EXACT };
  if (entry.idempotencyKey === text) return { by: 'key', rank: EXACT };
  const facts = factsOf(entry);
  for (const fact of facts) if (await isMatch(fact)) return { by: fact.kind, rank: EXACT };
  if (entry.order?.toUpperCase() === text.toUpperCase()) return { by: 'order', rank: OTHER_CASE };
  return facts.some((fact) => beginsWith(fact, text)) ? { by: 'transaction', rank: PREFIX } : null;
}

/** Whether a text is a fact, by the rules of its kind and network. */
function factMatcher(text: string): (fact: Fact) => Promise<boolean> {
  const label = labelSpellings(text);
  const verdicts = new Map<string, AddressVerdict>();
  const typedOn = async (network: string) => {
    const verdict = verdicts.get(network) ?? (await addressVerdict(network, text));
    verdicts.set(network, verdict);
    return verdict;
  };
  return async (fact) => {
    if (fact.text === text) return true;
    if (fact.kind === 'label') return label.includes(fact.text);
    if (fact.kind === 'transaction') return isHex(text) && plainHex(fact.text) === plainHex(text);
    if (fact.kind === 'memo') return false;
    if (/^0x/i.test(text) && isHex(text) && fact.text.toLowerCase() === text.toLowerCase()) return true;
    if (fact.network === null) return false;
    const [typed, known] = [await typedOn(fact.network), await addressVerdict(fact.network, fact.text)];
    if (!typed.ok || !known.ok || typed.canonical !== known.canonical) return false;
    const memo = hiddenMemo(typed);
    return memo === null || memo === (hiddenMemo(known) ?? fact.memo);
  };
}

function beginsWith({ kind, text: id }: Fact, text: string): boolean {
  if (kind !== 'transaction' || text.length < MIN_PREFIX) return false;
  return id.startsWith(text) || (isHex(id) && isHex(text) && plainHex(id).startsWith(plainHex(text)));
}

function isHex(text: string): boolean {
  return /^(0x)?[0-9a-f]+$/i.test(text);
}

function plainHex(text: string): string {
  return text.toLowerCase().replace(/^0x/, '');
}

/** A label as the ledger compares it; none for another text. */
function labelSpellings(text: string): readonly string[] {
  const equals = text.indexOf('=');
  return equals < 1 ? [] : [labelText(text.slice(0, equals), text.slice(equals + 1))];
}

/** What a text is of a swap, in a sentence. */
const KINDS: Readonly<Record<FoundBy, string>> = {
  order: 'order number',
  id: 'entry id',
  key: 'idempotency key',
  depositAddress: 'deposit address',
  payoutAddress: 'payout address',
  refundAddress: 'refund address',
  memo: 'memo',
  transaction: 'transaction',
  label: 'label',
};

/** Which swap a text identifies, as a sentence; null for an order number, which says it itself. */
export function foundWords({ entry, by, isPrefix }: FoundSwap): string | null {
  if (by === 'order') return null;
  return `Found by ${isPrefix ? 'the beginning of a transaction id' : KINDS[by]}: ${candidateWords(entry)}.`;
}

function candidateWords(entry: Entry): string {
  const { order, status, pair, time } = candidateOf(entry);
  return `${order === null ? `entry ${entry.id}` : `order ${order}`} (${status}, ${pair}, ${time})`;
}

/** A swap among several, as `details.candidates` of the error has it. */
function candidateOf({ id, order, outcome, swap, request, requestedAt, profile, environment }: Entry) {
  const { deposit, receive } = swap ?? request ?? { deposit: null, receive: null };
  const pair = [deposit, receive].map((side) =>
    side?.coin ? coinLabel({ coin: side.coin, network: side.network }) : '?',
  );
  const status = outcome === 'created' ? (swap?.status ?? 'created') : outcome;
  return { id, order, status, pair: pair.join(' → '), time: rfc3339(requestedAt), profile, environment };
}

/** The error for a text that identifies several swaps; it lists them. */
export async function severalFound(text: string, found: readonly FoundSwap[]): Promise<UsageError> {
  const entries = found.map(({ entry }) => entry);
  const isSeveralProfiles = new Set(entries.map(({ account }) => account)).size > 1;
  const words = entries.map((entry) =>
    isSeveralProfiles ? `${candidateWords(entry)} of profile ${entry.profile}` : candidateWords(entry),
  );
  const isNamedApart = isSeveralProfiles && new Set(entries.map(({ profile }) => profile)).size > 1;
  return new UsageError(
    `${found.length} swaps match ${await searchTextForError(text)}: ${someOf(words, '; ')}.`,
    `Name one by its ${isSeveralProfiles ? 'entry id' : 'order number or entry id'}${isNamedApart ? ', or select its profile with -p' : ''}: ${entries[0]?.id ?? ''} is the newest.`,
    'usage',
    { candidates: entries.map(candidateOf) },
  );
}

export async function nothingFound(text: string, hint: string, who = 'The ledger'): Promise<SwapctlError> {
  const what = (await mayBeOrder(text)) ? 'order or entry' : 'swap with';
  const message = `${who} has no ${what} ${await searchTextForError(text)}.`;
  return new SwapctlError('not_found', message, { hint });
}

/** What was looked for, for an error. An address or a transaction id is no secret, however much it looks like one. */
async function searchTextForError(text: string): Promise<Visible> {
  const whole = visible(text);
  if (echoed(text) === whole || (await isPublicFact(text))) return whole;
  return echoed(text);
}

async function isPublicFact(text: string): Promise<boolean> {
  if (SOLANA.test(text) || (isHex(text) && text.length <= MAX_TRANSACTION_HEX_LENGTH)) return true;
  if ((await addressSpellings(text)).length > 0) return true;
  return isTransactionForm(text) && (await secretInText(text)) === undefined;
}

/** A transaction of Solana is a signature, which has the form of a key. */
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/;
/** Longer hexadecimal texts are keys and signatures: a transaction is 32 bytes, also behind 0x. */
const MAX_TRANSACTION_HEX_LENGTH = 66;

/** Whether a text may be an order number, so that the service is asked about it. */
export async function mayBeOrder(text: string): Promise<boolean> {
  if (!/^[\x21-\x7e]{1,128}$/.test(text) || looksSecret(text) || text.includes('=')) return false;
  const isAddress = async () => /^0x[0-9a-f]{40}$/i.test(text) || (await addressSpellings(text)).length > 0;
  return !isTransactionForm(text) && !(await isAddress());
}

/** Whether a text is certainly a key or a seed phrase. */
export async function isSecretText(text: string): Promise<boolean> {
  if (/-----BEGIN|whsec_/.test(text) || isTwelveWords(text)) return true;
  return (await secretInText(text)) !== undefined && !(await isPublicFact(text));
}
