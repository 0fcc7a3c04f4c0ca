import type { Visible } from '../text.ts';
import { drawn, visibleLines } from '../text.ts';

/** Text from outside for a terminal: its lines are kept, and its hidden characters shown. */
export function visibleForTerminal(text: string): Visible {
  return visibleLines(text);
}

/** Text from outside for a pipe or a file, where no terminal reads it and no byte of it may change. */
export function unchanged(text: string): Visible {
  return drawn(text);
}
