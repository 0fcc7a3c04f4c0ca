import type { ErrorJson } from '../errors.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import type { View } from '../terminal/streams.ts';
import { shown, visible } from '../text.ts';
import { statusColour, statusWord } from './status.ts';
import { sideText } from './swap.ts';

/** What became of one order number of an import. */
export interface ImportLine {
  readonly order: string;
  readonly outcome: 'imported' | 'known' | 'not_found' | 'failed';
  /** The swap that was imported; null otherwise. */
  readonly swap: SwapResult | null;
  /** Why it was not; null otherwise. */
  readonly error: ErrorJson | null;
}

/** One line of an import; `progress` says how far it is. */
export function importLineView(line: ImportLine, progress: string): View {
  const { order, outcome, swap, error } = line;
  return {
    json: () => line,
    rows: () => [[order, outcome, swap?.status ?? null, swap?.statusCode ?? null, error?.message ?? null]],
    screen: (style) => {
      const head = shown` ${style.dim(visible(progress))}  ${visible(order)}  `;
      if (swap !== null) {
        const word = statusColour(style, swap.status)(visible(statusWord(swap)));
        const sides = visible(`${sideText(swap.deposit)} to ${sideText(swap.receive)}`);
        return shown`${head}${word}  ${sides}\n`;
      }
      if (outcome === 'known') return shown`${head}${style.dim(shown`in the ledger already`)}\n`;
      const why = outcome === 'not_found' ? visible('not found') : visible(error?.message ?? '');
      return shown`${head}${style.red(why)}\n`;
    },
  };
}
