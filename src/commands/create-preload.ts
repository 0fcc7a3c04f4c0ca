import { loadEveryFamily } from '../swap/addresses/families.ts';
import { loadQr } from '../terminal/qr.ts';
import { createStyle } from '../terminal/style.ts';

/**
 * Loads all that runs once a create is sent, and returns its two halves. An upgrade may replace the program's files
 * while an answer is awaited, and an order whose number cannot be shown is lost; here a failure costs nothing yet.
 */
export async function loadWhatFollows() {
  const [{ createOnce }, { showCreated }] = await Promise.all([
    import('./create-once.ts'),
    import('./create-result.ts'),
    // What only some answers need: another spelling of an address, a swap that is followed, colour, a code to scan.
    import('../swap/addresses/check.ts'),
    import('../swap/memo.ts'),
    loadEveryFamily(),
    createStyle(true),
    loadQr(),
  ]);
  return { createOnce, showCreated };
}
