import type { Entry, Owner } from '../ledger/entry.ts';
import { type Fact, type FactKind, factsOf, labelText, MIN_PREFIX } from '../ledger/facts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AddressVerdict } from '../swap/addresses/parsed-address.ts';
import { addressSpellings, addressVerdict, hiddenMemo } from '../swap/agreement/spelling.ts';

/** A swap of the ledger that a text identifies. */
export interface FoundSwap {
  readonly entry: Entry;
  /** Which fact of the swap the text is. */
  readonly by: FoundBy;
  /** Whether the text is only the beginning of a transaction id. */
  readonly isPrefix: boolean;
}

export type FoundBy = 'order' | 'id' | 'key' | FactKind;

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

export function isHex(text: string): boolean {
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
