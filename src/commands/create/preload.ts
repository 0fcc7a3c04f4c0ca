import { loadEveryFamily } from '../../swap/addresses/families/load.ts';
import { loadQr } from '../../terminal/qr.ts';
import { createStyle } from '../../terminal/style.ts';
import type { CreateFlags } from './options.ts';

/**
 * Loads all code that may run after a create is sent. An upgrade may replace the program's files while the answer is
 * awaited, and an order whose number cannot be shown is lost; a failure here costs nothing yet.
 */
export async function loadWhatFollows({ watch }: Pick<CreateFlags, 'watch'>): Promise<void> {
  await Promise.all([
    // Parts that only some answers need: another spelling of an address, colour, a code to scan.
    import('../../swap/addresses/check.ts'),
    import('../../swap/memo.ts'),
    loadEveryFamily(),
    createStyle(true),
    loadQr(),
    ...(watch ? [import('../shared/follow/watch-live.ts'), import('../../terminal/live.ts')] : []),
  ]);
}
