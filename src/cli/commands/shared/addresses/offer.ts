import { attempt, attemptSync, SwapctlError } from '../../../../base/errors.ts';
import { shown, type Visible, visible } from '../../../../base/text.ts';
import { localTime, rfc3339 } from '../../../../base/time.ts';
import { checkAddress } from '../../../../core/swap/addresses/check.ts';
import { secretInText } from '../../../../core/swap/agreement/spelling.ts';
import type { Asset, Side } from '../../../../core/swap/swap.ts';
import type { Context } from '../../../context.ts';
import type { SavedAddress } from '../../../settings/stored-settings.ts';
import type { Choice } from '../../../terminal/questions.ts';
import { HIDDEN } from '../ask-line.ts';
import { isForNetwork } from './saved.ts';

/** A choice from a list: an address of an earlier swap, a saved or typed one, or none; null to type another one. */
type Picked =
  | { readonly kind: 'used'; readonly used: UsedAddress }
  | { readonly kind: 'typed'; readonly text: string }
  | { readonly kind: 'none' }
  | null;

/** Addresses of one network from which a person can choose. */
interface Offer {
  readonly used: readonly UsedAddress[];
  readonly saved: readonly SavedAddress[];
  /** Whether no address is a choice. */
  readonly hasNone: boolean;
}

export async function savedFor(context: Context, asset: Asset, side: Side): Promise<readonly SavedAddress[]> {
  const fitting: SavedAddress[] = [];
  for (const name of context.settings.savedNames()) {
    // Using an address that was corrupted by hand reports why.
    const saved = attemptSync(() => context.settings.savedAddress(name));
    if (saved === null || saved instanceof SwapctlError) continue;
    if (await isForNetwork(context, saved, asset, side)) fitting.push(saved);
  }
  return fitting;
}

/**
 * Asks for one of these addresses or another one, with a list that filters while typing; a text that matches none of
 * them is used as an address. With `none` the list ends with that choice.
 */
function askForListed(context: Context, message: Visible, { used, saved, hasNone }: Offer): Promise<Picked> {
  const known: readonly Choice<Picked>[] = [
    ...used.map((each) => ({
      name: visible(
        `${each.address}${memoWords(each.memo)}  ${localTime(rfc3339(each.at)).slice(0, 'yyyy-mm-dd'.length)}, order ${each.order}`,
      ),
      short: visible(each.address),
      value: { kind: 'used', used: each } as const,
    })),
    ...saved.map((each) => ({
      name: visible(`@${each.name}  ${each.address}${memoWords(each.memo)}`),
      short: visible(`@${each.name}  ${each.address}`),
      value: { kind: 'typed', text: `@${each.name}` } as const,
    })),
  ];
  const others: readonly Choice<Picked>[] = [
    { name: shown`another address…`, value: null },
    ...(hasNone ? [{ name: shown`none`, value: { kind: 'none' } as const }] : []),
  ];
  return context.prompter.search<Picked>({
    message: shown`${message}${OWN_LINE}`,
    source: async (term) => {
      const words = term.toLowerCase().split(/\s+/).filter(Boolean);
      const matches = ({ name }: Choice<Picked>) => words.every((word) => name.toLowerCase().includes(word));
      const found = known.filter(matches);
      if (words.length === 0 || found.length > 0 || others.some(matches)) return [...found, ...others];
      const typed = term.trim();
      const name = (await secretInText(typed)) === undefined ? visible(typed) : HIDDEN;
      return [{ name, value: { kind: 'typed', text: typed } as const }, ...others];
    },
  });
}

function memoWords(memo: string | null): string {
  return memo === null ? '' : ` with memo ${memo}`;
}

/** The choice from an offer, if there is one and it passes its check; null if the address must still be asked for. */
export async function offered(
  context: Context,
  question: Visible,
  offer: Offer,
  validate: (text: string) => Promise<true | string>,
): Promise<Picked> {
  if (offer.used.length + offer.saved.length === 0) return null;
  const choice = await askForListed(context, question, offer);
  if (choice === null || choice.kind === 'none') return choice;
  const problem = await validate(choice.kind === 'used' ? choice.used.address : choice.text);
  if (problem === true) return choice;
  context.streams.note(`  ${problem}`, true);
  return null;
}

/** An address that an earlier swap was paid out, or would have been sent back, to. */
interface UsedAddress {
  readonly address: string;
  readonly memo: string | null;
  readonly order: string;
  /** When that swap was requested, in milliseconds since 1970. */
  readonly at: number;
}

/** Number of newest swaps of a coin that are searched for addresses. */
const MAX_SWAPS = 500;

/** The payout or refund addresses of earlier swaps with this side in this environment, newest first, each once. */
export async function usedAddresses(
  context: Context,
  asset: Asset,
  side: Side,
): Promise<readonly UsedAddress[]> {
  const { environment } = await context.profile();
  const found = new Map<string, UsedAddress>();
  const requests = await attempt(async () =>
    (await context.ledger()).books.pastRequests(side, asset, environment, MAX_SWAPS),
  );
  // Without an offer the address can be typed; the create itself reports what is wrong with the ledger.
  for (const past of requests instanceof SwapctlError ? [] : requests) {
    const { order, requestedAt: at, doubts } = past;
    const { address, memo } = side === 'receive' ? past.request : { address: past.refundAddress, memo: null };
    if (address === null || order === null || doubts.length > 0) continue;
    const key = `${address}\n${memo ?? ''}`;
    if (!found.has(key)) found.set(key, { address, memo, order, at });
  }
  return [...found.values()];
}

/** Break before an address, which gets a separate line so that it can be seen and edited in one piece. */
export const OWN_LINE = shown`\n `;

/** Notes behind a question for an address, with the form of the network's addresses where it is known. */
export async function formOf(network: string, ...notes: readonly string[]): Promise<string> {
  const empty = await checkAddress(network, '');
  const form = !empty.ok && empty.expected !== undefined ? [empty.expected] : [];
  const words = [...notes, ...form].join(', ');
  return words === '' ? '' : ` (${words})`;
}
