import type { Context } from '../../../context.ts';
import { SwapctlError } from '../../../errors.ts';
import type { SavedAddress } from '../../../settings/saved-addresses.ts';
import type { Asset, Side } from '../../../swap/swap.ts';
import type { Choice } from '../../../terminal/questions.ts';
import { shown, type Visible, visible } from '../../../text.ts';
import { OWN_LINE } from './form.ts';
import { isForNetwork } from './saved.ts';
import type { UsedAddress } from './used.ts';

/** An address out of a list, or the wish for another one: a text typed into the list, or none yet. */
type Offered =
  | { readonly kind: 'used'; readonly used: UsedAddress }
  | { readonly kind: 'saved'; readonly saved: SavedAddress }
  | { readonly kind: 'other'; readonly typed: string | null }
  | { readonly kind: 'none' };

/** Addresses of one network from which a person can choose. */
export interface Offer {
  readonly used: readonly UsedAddress[];
  readonly saved: readonly SavedAddress[];
}

/** The saved addresses of the network of a side. */
export async function savedFor(context: Context, asset: Asset, side: Side): Promise<readonly SavedAddress[]> {
  const fitting: SavedAddress[] = [];
  for (const name of context.settings.savedNames()) {
    const saved = usable(context, name);
    if (saved !== null && (await isForNetwork(context, saved, asset, side))) fitting.push(saved);
  }
  return fitting;
}

/** A saved address; null where it was spoilt by hand, which its own use tells. */
function usable({ settings }: Context, name: string): SavedAddress | null {
  try {
    return settings.savedAddress(name);
  } catch (error) {
    if (error instanceof SwapctlError) return null;
    throw error;
  }
}

/**
 * Asks for one of these addresses or another one, from a list that filters as one types; a text that fits none of them
 * is an address itself. With `none` the list ends in that choice.
 */
function askOffered(
  context: Context,
  message: Visible,
  { used, saved }: Offer,
  none: boolean,
): Promise<Offered> {
  const known: readonly Choice<Offered>[] = [
    ...used.map((each) => ({
      name: visible(`${each.address}${memoWords(each.memo)}  ${localDay(each.at)}, order ${each.order}`),
      short: visible(each.address),
      value: { kind: 'used', used: each } as const,
    })),
    ...saved.map((each) => ({
      name: visible(`@${each.name}  ${each.address}${memoWords(each.memo)}`),
      short: visible(`@${each.name}  ${each.address}`),
      value: { kind: 'saved', saved: each } as const,
    })),
  ];
  const others: readonly Choice<Offered>[] = [
    { name: shown`another address…`, value: { kind: 'other', typed: null } },
    ...(none ? [{ name: shown`none`, value: { kind: 'none' } as const }] : []),
  ];
  return context.prompter.search<Offered>({
    message: shown`${message}${OWN_LINE}`,
    source: (term) => {
      const words = term.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = ({ name }: Choice<Offered>) => words.every((word) => name.toLowerCase().includes(word));
      const found = known.filter(fits);
      if (words.length === 0 || found.length > 0 || others.some(fits)) return [...found, ...others];
      const typed = term.trim();
      return [{ name: visible(typed), value: { kind: 'other', typed } as const }, ...others];
    },
  });
}

function memoWords(memo: string | null): string {
  return memo === null ? '' : ` with memo ${memo}`;
}

/** The day of a time on the calendar of this machine, `2026-01-31`. */
function localDay(milliseconds: number): string {
  const time = new Date(milliseconds);
  const two = (count: number) => String(count).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** What was chosen out of an offer, and passed its check. */
export type OfferedText =
  | { readonly kind: 'used'; readonly used: UsedAddress }
  | { readonly kind: 'typed'; readonly text: string }
  | { readonly kind: 'none' };

/** The choice out of an offer, if there is one and the choice passes its check; null for a text yet to be asked for. */
export async function offered(
  context: Context,
  question: Visible,
  offer: Offer,
  validate: (text: string) => Promise<true | string>,
  none: boolean,
): Promise<OfferedText | null> {
  if (offer.used.length + offer.saved.length === 0) return null;
  const choice = await askOffered(context, question, offer, none);
  if (choice.kind === 'none') return choice;
  const text =
    choice.kind === 'used'
      ? choice.used.address
      : choice.kind === 'saved'
        ? `@${choice.saved.name}`
        : choice.typed;
  if (text === null) return null;
  const problem = await validate(text);
  if (problem === true) return choice.kind === 'used' ? choice : { kind: 'typed', text };
  context.streams.note(`  ${problem}`, true);
  return null;
}
