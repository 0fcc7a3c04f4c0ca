import { attempt, StorageError, SwapctlError, UsageError } from '../../base/errors.ts';
import { shellQuote } from '../../base/files.ts';
import { echoed, REDACTED, someOf, type Visible, visible } from '../../base/text.ts';
import { rfc3339 } from '../../base/time.ts';
import type { Entry, Owner } from '../ledger/entry.ts';
import { containsSecret } from '../partner-api/redaction.ts';
import { addressSpellings, secretInText } from '../swap/agreement/spelling.ts';
import { coinLabel, isOrderForm } from '../swap/swap.ts';
import { isTransactionForm } from '../swap/transaction-ids.ts';
import { type FoundBy, type FoundSwap, findSwaps, isHex } from './find.ts';
import { stillUnknown } from './idempotency.ts';
import type { Ports } from './ports.ts';

/** What finding the swap that a text identifies works with, and the profile to which it is limited. */
export interface NamingPorts extends Pick<Ports, 'ledger' | 'owner' | 'service' | 'notify'> {
  /** The only profile whose swaps are meant; null for those of all. */
  readonly onlyProfile: string | null;
}

/** Whose swaps a text may identify for a command, and how it is reported which one was found. */
export interface Naming {
  /** `own`: only a swap of the profile in use; `named`: also those of other profiles, unless one was named. */
  readonly whose: 'own' | 'named';
  /** A swap that was not named by its order number is a warning, which `--quiet` does not hide: money may follow. */
  readonly warns?: boolean;
}

/**
 * The swap with an order that a text identifies: see `findSwaps`. The ledger is asked first, and what it found is said on
 * standard error; `entry` is null if it has none: the service is to be asked for the text. Throws a usage error with the
 * candidates if there are several, `not_found` for no order number, and `outcome_unknown` for a create without an order.
 */
export async function namedOrder(ports: NamingPorts, text: string, naming: Naming) {
  const { found, elsewhere } = await findFor(ports, text, naming.whose).catch(async (error: unknown) => {
    // The service is asked without a ledger too; the command reports the ledger's failure.
    if (!(error instanceof StorageError) || !(await mayBeOrder(text))) throw error;
    return { found: [], elsewhere: [] };
  });
  const withOrder = found.filter(({ entry }) => entry.order !== null || entry.outcome === 'unknown');
  const one = await singleMatch(text, withOrder.length > 0 ? withOrder : found);
  if (one === null) {
    if (!(await mayBeOrder(text))) throw await notFound(ports, text, elsewhere);
    if (await isOwnSecret(ports, text)) throw invalid();
    if (elsewhere.length > 0) await sayWhose(ports, text, profilesOf(elsewhere));
    return { order: text, entry: null };
  }
  const { entry } = one;
  await sayWhich(ports, one, naming.warns === true);
  if (entry.order !== null) return { order: entry.order, entry };
  throw entry.outcome === 'unknown' ? stillUnknown(entry) : noOrderError(entry);
}

/** Whether the ledger has a swap that a text identifies. Throws `storage_failed`. */
export async function isInLedger(ports: NamingPorts, text: string): Promise<boolean> {
  return (await findFor(ports, text, 'named')).found.length > 0;
}

/** {@link namedOrder} for the ledger alone, with entries that have no order. */
export async function namedEntry(ports: NamingPorts, text: string): Promise<Entry> {
  const { found, elsewhere } = await findFor(ports, text, 'named');
  const one = await singleMatch(text, found);
  if (one === null) throw await notFound(ports, text, elsewhere);
  await sayWhich(ports, one, false);
  return one.entry;
}

/** The swaps that a text identifies; `elsewhere` are those of profiles that are not meant. */
async function findFor(ports: NamingPorts, text: string, whose: Naming['whose']) {
  const all = await findSwaps(await ports.ledger(), text, null);
  const profile = ports.onlyProfile;
  if (all.length === 0 || (whose === 'named' && profile === null)) return { found: all, elsewhere: [] };
  const account = (await ownerInUse(ports))?.account;
  // The same number at another service, or under an earlier key pair, is not the order of the profile in use.
  const isOwnOnly =
    whose === 'own' || all.some(({ entry, by }) => by === 'order' && entry.account === account);
  const isMeant = ({ entry }: FoundSwap) =>
    entry.account === account || (!isOwnOnly && entry.profile === profile);
  return { found: all.filter(isMeant), elsewhere: all.filter((each) => !isMeant(each)) };
}

/** The owner of the profile in use; null if that profile cannot be used. */
export async function ownerInUse({ owner: inUse }: Pick<Ports, 'owner'>): Promise<Owner | null> {
  const owner = await attempt(inUse);
  return owner instanceof SwapctlError ? null : owner;
}

/** The only one; null for none. Throws a usage error for several. */
async function singleMatch(text: string, found: readonly FoundSwap[]): Promise<FoundSwap | null> {
  const [first = null, ...others] = found;
  if (others.length > 0) throw await severalFound(text, found);
  return first;
}

async function sayWhich(ports: NamingPorts, found: FoundSwap, warns: boolean): Promise<void> {
  const text = foundWords(found);
  if (text !== null) await ports.notify({ level: warns ? 'warning' : 'note', text });
}

/** Says that the order which is asked of the service is one of other profiles in the ledger. */
async function sayWhose(ports: NamingPorts, text: string, profiles: readonly string[]): Promise<void> {
  const { profile } = await ports.owner();
  const words = `The ledger has ${echoed(text)} for profile ${someOf(profiles)}; profile ${profile} is asked for it.`;
  await ports.notify({ level: 'warning', text: words });
}

function profilesOf(found: readonly FoundSwap[]): readonly string[] {
  return [...new Set(found.map(({ entry }) => entry.profile))];
}

async function notFound(ports: NamingPorts, text: string, elsewhere: readonly FoundSwap[]) {
  // A profile that does not exist is a typo.
  if (ports.onlyProfile !== null) await ports.owner();
  if ((await isSecretText(text)) || (await isOwnSecret(ports, text))) return invalid();
  const profiles = profilesOf(elsewhere);
  const list = 'List the swaps with `swapctl history`.';
  if (profiles.length === 0) return nothingFound(text, `${await wayOut(text)}${list}`);
  const without = ports.onlyProfile === null ? '' : ', or leave -p out';
  const hint = `It belongs to profile ${someOf(profiles)}: pass that with -p${without}. ${list}`;
  const own = await ownerInUse(ports);
  return nothingFound(text, hint, own === null ? 'The profile in use' : `Profile ${own.profile}`);
}

async function wayOut(text: string): Promise<string> {
  if (!(await mayBeOrder(text))) return '';
  return `If it was created elsewhere, add it to the ledger: \`echo ${shellQuote(echoed(text))} | swapctl history import -\`. `;
}

/** Whether a text holds the secret of the profile in use, which must be neither sent nor shown. */
async function isOwnSecret(ports: NamingPorts, text: string): Promise<boolean> {
  const service = await attempt(() => ports.service());
  return !(service instanceof SwapctlError) && containsSecret(text, service.credentials);
}

function invalid(): UsageError {
  return new UsageError(`Invalid order number ${REDACTED}.`, 'List yours with `swapctl history`.');
}

function noOrderError({ id, outcome, reason }: Entry): SwapctlError {
  const why = reason === null ? '' : ` (${reason})`;
  return new SwapctlError('not_found', `Entry ${id} has no order: ${outcome}${why}.`, {
    hint: `See it with \`swapctl history show ${id}\`.`,
  });
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
async function mayBeOrder(text: string): Promise<boolean> {
  if (!isOrderForm(text) || text.includes('=') || isTransactionForm(text)) return false;
  return !/^0x[0-9a-f]{40}$/i.test(text) && (await addressSpellings(text)).length === 0;
}

/** Whether a text is certainly a key or a seed phrase. */
export async function isSecretText(text: string): Promise<boolean> {
  if (/-----BEGIN|whsec_/.test(text)) return true;
  return (await secretInText(text)) !== undefined && !(await isPublicFact(text));
}
