import { loadQr } from '../../terminal/qr.ts';
import { createStyle } from '../../terminal/style.ts';
import { loadJudges } from '../shared/create/preload.ts';
import type { CreateFlags } from './options.ts';

/**
 * Loads all code that may run after a create is sent. An upgrade may replace the program's files while the answer is
 * awaited, and an order whose number cannot be shown is lost; a failure here costs nothing yet.
 */
export async function loadWhatFollows({ watch }: Pick<CreateFlags, 'watch'>): Promise<void> {
  await Promise.all([
    loadJudges(),
    // Parts that only some answers need: colour, a code to scan.
    createStyle(true),
    loadQr(),
    ...(watch ? [import('../shared/follow/watch-live.ts'), import('../../terminal/live.ts')] : []),
  ]);
}
