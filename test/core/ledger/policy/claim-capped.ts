import { SwapctlError } from '../../../../src/base/errors.ts';
import { openLedger } from '../../../../src/core/ledger/ledger.ts';
import { INTENT, OWNER } from '../entries.ts';

// A process of its own that creates under a cap until the policy refuses, and tells each claim; it may be killed anywhere.
const [location = '', name = ''] = process.argv.slice(2);
const ledger = await openLedger(location);
const intent = { ...INTENT, amount: '0.1', asked: '0.1' };
try {
  for (;;) {
    const owner = { ...OWNER, profile: name };
    const { entry } = await ledger.begin(owner, intent, null, Date.now());
    await ledger.claim(entry.id, owner, intent, Date.now());
    process.send?.('claimed');
  }
} catch (error) {
  if (!(error instanceof SwapctlError) || error.code !== 'policy_refused') throw error;
}
await ledger.close();
process.exit(0);
