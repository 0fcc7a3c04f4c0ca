import { loadEveryFamily } from '../../swap/addresses/families/load.ts';
import { loadQr } from '../../terminal/qr.ts';
import { createStyle } from '../../terminal/style.ts';

/**
 * Loads the code that would otherwise be loaded after a create was sent. An upgrade may replace the program's files
 * while an answer is awaited, and an order whose number cannot be shown is lost; here a failure costs nothing yet.
 */
export async function loadWhatFollows(): Promise<void> {
  await Promise.all([
    // What only some answers need: another spelling of an address, colour, a code to scan.
    import('../../swap/addresses/check.ts'),
    import('../../swap/memo.ts'),
    loadEveryFamily(),
    createStyle(true),
    loadQr(),
  ]);
}
