import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { INTENT, OWNER } from './entries.ts';

// A process of its own that wants to send the swap of a key, as often as the keys say, and tells how often it may.
const [location = '', ...keys] = process.argv.slice(2);
const ledger = await openLedger(location);
let sent = 0;
for (const key of keys) {
  const { entry } = await ledger.begin(OWNER, INTENT, key, Date.now());
  if (await ledger.claim(entry.id, OWNER, INTENT, Date.now())) sent += 1;
}
await ledger.close();
process.send?.(sent);
