import { attempt, SwapctlError, UsageError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { echoed, REDACTED, someOf } from '../../../base/text.ts';
import type { Entry } from '../../../core/ledger/entry.ts';
import { containsSecret } from '../../../core/partner-api/redaction.ts';
import * as find from '../../../core/swaps/find.ts';
import { stillUnknown } from '../../../core/swaps/idempotency.ts';
import type { Context } from '../../context.ts';
import { onlyProfile, ownerInUse, type ProfileOrder, profileContexts } from './profile-orders.ts';

/** How a command takes the swap that a text identifies. */
export interface Naming {
  /** `own`: only a swap of the profile in use; `named`: also those of other profiles, unless one was named. */
  readonly whose: 'own' | 'named';
  /** A swap that was not named by its order number is a warning, which `--quiet` does not hide: money may follow. */
  readonly warns?: boolean;
}

/**
 * The swap with an order that a text identifies: see `findSwaps`. The ledger is asked first, and what it found is said on
 * standard error. Throws a usage error with the candidates if there are several, `not_found` for a text that cannot be an
 * order number, and `outcome_unknown` for a create without a known order.
 */
export async function namedOrder(context: Context, text: string, naming: Naming) {
  const searched = await attempt(() => findFor(context, text, naming.whose));
  // The service is asked without a ledger too; the command reports the ledger's failure.
  if (searched instanceof SwapctlError && !(await find.mayBeOrder(text))) throw searched;
  const { found, elsewhere } = searched instanceof SwapctlError ? { found: [], elsewhere: [] } : searched;
  const withOrder = found.filter(({ entry }) => entry.order !== null || entry.outcome === 'unknown');
  const one = await singleMatch(text, withOrder.length > 0 ? withOrder : found);
  if (one === null) {
    if (!(await find.mayBeOrder(text))) throw await notFound(context, text, elsewhere);
    if (await isOwnSecret(context, text)) throw invalid();
    if (elsewhere.length > 0) await sayWhose(context, text, profilesOf(elsewhere));
    return { order: text, entry: null };
  }
  const { entry } = one;
  await sayWhich(context, one, naming.warns === true);
  if (entry.order !== null) return { order: entry.order, entry };
  throw entry.outcome === 'unknown' ? stillUnknown(entry) : noOrderError(entry);
}

/** Whether the ledger has a swap that a text identifies. Throws `storage_failed`. */
export async function isInLedger(context: Context, text: string): Promise<boolean> {
  return (await findFor(context, text, 'named')).found.length > 0;
}

/** {@link namedOrder} for the ledger alone, with entries that have no order. */
export async function namedEntry(context: Context, text: string): Promise<Entry> {
  const { found, elsewhere } = await findFor(context, text, 'named');
  const one = await singleMatch(text, found);
  if (one === null) throw await notFound(context, text, elsewhere);
  await sayWhich(context, one, false);
  return one.entry;
}

/** Swaps that texts identify, each once, with the profile of its entry, or the profile in use if there is no entry. */
export async function profileOrders(context: Context, texts: readonly string[]) {
  const contextFor = await profileContexts(context);
  const found = new Map<string, ProfileOrder>();
  for (const text of texts) {
    const { order, entry } = await namedOrder(context, text, { whose: 'named' });
    found.set(entry?.id ?? order, { order, ports: entry === null ? context : contextFor(entry), entry });
  }
  return [...found.values()];
}

/** The swaps that a text identifies; `elsewhere` are those of profiles that are not meant. */
async function findFor(context: Context, text: string, whose: Naming['whose']) {
  const all = await find.findSwaps(await context.ledger(), text, null);
  const profile = onlyProfile(context);
  if (all.length === 0 || (whose === 'named' && profile === null)) return { found: all, elsewhere: [] };
  const account = (await ownerInUse(context))?.account;
  // The same number at another service, or under an earlier key pair, is not the order of the profile in use.
  const isOwnOnly =
    whose === 'own' || all.some(({ entry, by }) => by === 'order' && entry.account === account);
  const isMeant = ({ entry }: find.FoundSwap) =>
    entry.account === account || (!isOwnOnly && entry.profile === profile);
  return { found: all.filter(isMeant), elsewhere: all.filter((each) => !isMeant(each)) };
}

/** The only one; null for none. Throws a usage error for several. */
async function singleMatch(text: string, found: readonly find.FoundSwap[]): Promise<find.FoundSwap | null> {
  const [first = null, ...others] = found;
  if (others.length > 0) throw await find.severalFound(text, found);
  return first;
}

async function sayWhich(context: Context, found: find.FoundSwap, warns: boolean): Promise<void> {
  const text = find.foundWords(found);
  if (text !== null) await context.notify({ level: warns ? 'warning' : 'note', text });
}

/** Says that the order which is asked of the service is one of other profiles in the ledger. */
async function sayWhose(context: Context, text: string, profiles: readonly string[]): Promise<void> {
  const { profile } = await context.owner();
  const words = `The ledger has ${echoed(text)} for profile ${someOf(profiles)}; profile ${profile} is asked for it.`;
  await context.notify({ level: 'warning', text: words });
}

function profilesOf(found: readonly find.FoundSwap[]): readonly string[] {
  return [...new Set(found.map(({ entry }) => entry.profile))];
}

async function notFound(context: Context, text: string, elsewhere: readonly find.FoundSwap[]) {
  // A profile that does not exist is a typo.
  if (onlyProfile(context) !== null) await context.profile();
  if ((await find.isSecretText(text)) || (await isOwnSecret(context, text))) return invalid();
  const profiles = profilesOf(elsewhere);
  const list = 'List the swaps with `swapctl history`.';
  if (profiles.length === 0) return find.nothingFound(text, `${await wayOut(text)}${list}`);
  const without = onlyProfile(context) === null ? '' : ', or leave -p out';
  const hint = `It belongs to profile ${someOf(profiles)}: pass that with -p${without}. ${list}`;
  const own = await ownerInUse(context);
  return find.nothingFound(text, hint, own === null ? 'The profile in use' : `Profile ${own.profile}`);
}

async function wayOut(text: string): Promise<string> {
  if (!(await find.mayBeOrder(text))) return '';
  return `If it was created elsewhere, add it to the ledger: \`echo ${shellQuote(echoed(text))} | swapctl history import -\`. `;
}

/** Whether a text holds the secret of the profile in use, which must be neither sent nor shown. */
async function isOwnSecret(context: Context, text: string): Promise<boolean> {
  const service = await attempt(() => context.service());
  if (service instanceof SwapctlError) return false;
  return containsSecret(text, service.credentials);
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
