import { describe, expect, it } from 'vitest';
import { EVERY_ENTRY } from '../../src/core/ledger/filter.ts';
import { openLedger } from '../../src/core/ledger/ledger.ts';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { INTENT, OWNER } from '../core/ledger/entries.ts';
import { fillLedger } from '../core/ledger/fill.ts';

const SWAPS = 100_000;

/** Time limit for suggestions of the wizard, in milliseconds; other reads have 100 ms. */
const OFFER_MS = 20;

async function countOf(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count += 1;
  return count;
}

describe.each(BOTH_DATABASES)('a ledger of 100,000 swaps, four of them open, on $kind', ({ kind, fresh }) => {
  it('answers each read of a part of its swaps in less than 100 ms', async () => {
    const location = await fresh();
    await fillLedger(location, { swaps: SWAPS, open: 4 });
    const ledger = await openLedger(location);
    const { books, events, figures, polls } = ledger;
    const bounded = { ...EVERY_ENTRY, since: SWAPS - 200, until: SWAPS - 100 };
    const reads: Readonly<Record<string, () => Promise<unknown>>> = {
      'open swaps': () => ledger.open(null),
      'open swaps of an account': () => ledger.open(OWNER),
      'what needs attention': () => ledger.troubled(),
      'the newest twenty': () => countOf(books.entries(EVERY_ENTRY, { limit: 20 })),
      'the newest twenty of a profile': () =>
        countOf(books.entries({ ...EVERY_ENTRY, profile: OWNER.profile }, { limit: 20 })),
      'a list with bounds': () => countOf(books.entries(bounded)),
      'any live swap': () => books.any(null, true),
      'keys of labels': () => books.labelKeys(EVERY_ENTRY),
      'figures with bounds': () => countOf(figures.pages(bounded)),
      'the next poll': () => polls.nextDue({ owner: OWNER, orders: null }, 1),
      'the next event': () => events.claim({ account: OWNER.account, orders: null }, 'x', 1, 8),
      'offer of recent coins': () => books.recentAssets('deposit', 500),
      'offer of used addresses': () => books.pastRequests('receive', INTENT.receive, OWNER.environment, 500),
      'lost creates': () => events.recordLostCreates(OWNER.account, SWAPS),
    };
    for (const [name, read] of Object.entries(reads)) {
      await read();
      const begun = performance.now();
      await read();
      const took = performance.now() - begun;
      process.stdout.write(`${kind}, ${name}: ${took.toFixed(1)} ms\n`);
      expect(took, name).toBeLessThan(name.startsWith('offer') ? OFFER_MS : 100);
    }
    await ledger.close();
  });
});
