import fc from 'fast-check';
import { expect, it } from 'vitest';
import { visible } from '../../../src/base/text.ts';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { anyCharacter } from '../../helpers/any-character.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { claimed, everyEntry, INTENT, OWNER } from './entries.ts';

/** Any text that JSON can carry: controls, NUL and halves of characters too. */
const anyText = fc.string({ unit: anyCharacter, maxLength: 60 });

it('a ledger returns any request unchanged, and any reason with hidden characters made visible', async () => {
  const ledger = await openLedger(await BOTH_DATABASES[0].fresh());
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (text, reason) => {
      const intent = { ...INTENT, address: text, memo: text };
      const entry = await claimed(ledger, OWNER, intent, null, 1);
      await ledger.settle(entry.id, { outcome: 'unknown', reason, at: 1 });
      const read = (await everyEntry(ledger)).find(({ id }) => id === entry.id);
      expect(read?.request).toEqual(intent);
      expect(read?.reason).toBe(visible(reason));
    }),
    { numRuns: 40 },
  );
  await ledger.close();
});
