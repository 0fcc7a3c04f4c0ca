import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible } from '../../../src/base/text.ts';
import type { IntentOutcome } from '../../../src/core/ledger/entry.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { anyCharacter } from '../../helpers/any-character.ts';
import { everyEntry, INTENT, OWNER, observed } from './entries.ts';

const freshFile = () => join(mkdtempSync(join(tmpdir(), 'swapctl-ledger-')), 'ledger.db');

/** Any text that JSON can carry: controls, NUL and halves of characters too. */
const anyText = fc.string({ unit: anyCharacter, maxLength: 60 });

type Step = 'begin' | 'claim' | 'created' | 'seen' | 'refused' | 'not-sent' | 'unknown' | 'dismissed';
const STEPS: readonly Step[] = [
  'begin',
  'claim',
  'created',
  'seen',
  'refused',
  'not-sent',
  'unknown',
  'dismissed',
];

/** What one entry may be, after each step: the rule of the ledger in a few lines. */
function after(step: Step, before: IntentOutcome): IntentOutcome {
  if (step === 'claim') return before === 'refused' || before === 'not-sent' ? 'unknown' : before;
  if (before !== 'unknown' || step === 'begin' || step === 'seen') return before;
  return step;
}

async function take(ledger: Ledger, step: Step, id: string, key: string): Promise<boolean> {
  if (step === 'begin') return !(await ledger.begin(OWNER, INTENT, key, 1)).fresh;
  if (step === 'claim') return ledger.claim(id, OWNER, INTENT, 1);
  if (step === 'created') return ledger.created(id, observed(key), null);
  if (step === 'seen') return (await ledger.seen(OWNER, observed(key))) !== null;
  if (step === 'dismissed') return (await ledger.dismiss(id, 1)) !== null;
  await ledger.settle(id, { outcome: step, reason: 'a reason', at: 1 });
  return true;
}

describe('a ledger', () => {
  it('allows only valid outcome changes, and a claim only if no order can exist', async () => {
    const ledger = await openLedger(freshFile());
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 12 }), async (steps) => {
        run += 1;
        const key = `run-${run}`;
        const { entry } = await ledger.begin(OWNER, INTENT, key, 1);
        let outcome: IntentOutcome = 'not-sent';
        for (const step of steps) {
          // Only who has claimed an entry settles it as created.
          if (step === 'created' && outcome !== 'unknown') continue;
          const done = await take(ledger, step, entry.id, key);
          // A dismissed create gives its key up, and another one begins with it.
          if (step === 'begin' && outcome === 'dismissed') {
            expect(done).toBe(false);
            expect(await ledger.byId(entry.id)).toMatchObject({ outcome, idempotencyKey: null });
            return;
          }
          if (step === 'claim') expect(done).toBe(outcome === 'not-sent' || outcome === 'refused');
          outcome = after(step, outcome);
          expect((await ledger.byKey(OWNER, key))?.outcome).toBe(outcome);
        }
      }),
      { numRuns: 60 },
    );
    await ledger.close();
  });

  it('returns any request unchanged, and any reason with hidden characters made visible', async () => {
    const ledger = await openLedger(freshFile());
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (text, reason) => {
        const intent = { ...INTENT, address: text, memo: text };
        const { entry } = await ledger.begin(OWNER, intent, null, 1);
        await ledger.claim(entry.id, OWNER, intent, 1);
        await ledger.settle(entry.id, { outcome: 'unknown', reason, at: 1 });
        const read = (await everyEntry(ledger)).find(({ id }) => id === entry.id);
        expect(read?.request).toEqual(intent);
        expect(read?.reason).toBe(visible(reason));
      }),
      { numRuns: 40 },
    );
    await ledger.close();
  });
});
