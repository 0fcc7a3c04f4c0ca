import type { Visible } from '../../text.ts';
import { boardLines } from './board.ts';
import type { Frame } from './frame.ts';
import { progressLines } from './progress.ts';

/** Lines of the live view: one swap as a block, several as a board; never more lines than fit. */
export function liveLines(frame: Frame): readonly Visible[] {
  const [only, ...others] = frame.swaps;
  if (only === undefined) return [];
  return others.length > 0 ? boardLines(frame) : progressLines(only, frame).slice(0, frame.height);
}
