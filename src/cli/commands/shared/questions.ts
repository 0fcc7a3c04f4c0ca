import { attempt, SwapctlError } from '../../../base/errors.ts';
import { visible } from '../../../base/text.ts';
import type { Asset, Coin } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';

/** Message of the {@link SwapctlError} that a check throws, so that the question is asked again; true if it passes. */
export async function problemOf(check: () => unknown): Promise<true | string> {
  const found = await attempt(check);
  return found instanceof SwapctlError ? found.message : true;
}

/** A text without the surrounding whitespace or byte order mark that pasting can add; notes that they were removed. */
export function withoutBlanks(context: Pick<Context, 'streams'>, what: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed !== text && trimmed !== '') context.streams.note(`Removed spaces around the ${what}.`, true);
  return trimmed;
}

/** Asks for confirmation; the default is no. Throws `declined`, with what did not happen: `nothing was sent`. */
export async function confirmed(
  { prompter }: Pick<Context, 'prompter'>,
  question: string,
  nothing: string,
): Promise<void> {
  if (await prompter.confirm({ message: visible(question), default: false })) return;
  throw new SwapctlError('declined', `Declined; ${nothing}.`);
}

/** The coin list, with progress shown while it is read. */
export async function fetchedCoins(context: Context): Promise<readonly Coin[]> {
  const { coins } = await withProgress(context.streams, 'Reading the coin list', () => context.coinList());
  return coins;
}

/** A coin as prompts name it: `BTC`, or `USDT on TRX` if the network has another name. */
export function assetName({ coin, network }: Asset): string {
  return coin === network ? coin : `${coin} on ${network}`;
}
