import type { SwapResult } from '../ledger/swap-result.ts';
import { environmentWord } from '../swap/environment.ts';
import type { Environment } from '../swap/swap.ts';
import type { Style } from '../terminal/style.ts';
import type { Visible } from '../text.ts';
import { visible } from '../text.ts';

/** Colour of a status: done, going on, lost, or in need of a person. */
export function statusColour(style: Style, status: string): (text: Visible) => Visible {
  if (status === 'success') return style.green;
  if (status === 'overdue' || status === 'error' || status === 'refund') return style.red;
  if (status === 'pause' || status === 'frozen' || status === 'unknown') return style.yellow;
  return style.cyan;
}

/** The status in a word; a code that is not listed is shown with its number. */
export function statusWord({ status, statusCode }: Pick<SwapResult, 'status' | 'statusCode'>): string {
  return status === 'unknown' && statusCode !== null ? `unknown (code ${statusCode})` : status;
}

/** Colour of an environment: red where real money moves. */
export function environmentColour(style: Style, environment: Environment): (text: Visible) => Visible {
  return environment === 'live' ? style.red : style.yellow;
}

/** The word for an environment in its colour. */
export function environmentMark(style: Style, environment: Environment): Visible {
  return environmentColour(style, environment)(visible(environmentWord(environment)));
}
