import { expect, test } from 'vitest';
import { hasHiddenCharacters } from '../../../src/base/text.ts';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { swapOf } from '../../core/ledger/entries.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { profileEnv } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { ownerAt } from '../../helpers/scene.ts';

/** Clears the screen, hides what follows, turns the reading direction round, and is in part not there at all. */
const EVIL = 'X\u001b[2J\u001b[8m\u202e\u200b\u009b31m\u2028\u0007\ufeffY';
const ORDER = 'KQWZPA';
const NOWHERE = 'http://127.0.0.1:1';

/** Puts a swap with hidden characters into a ledger, past the checks of an answer. */
async function storeEvil(file: string): Promise<void> {
  const ledger = await openLedger(file);
  const nothing = { name: EVIL, txId: EVIL, confirmations: 1, receivedAt: EVIL, confirmedAt: EVIL, fee: '1' };
  const deposit = { ...nothing, coin: EVIL, network: EVIL, amount: '1', address: EVIL, memo: EVIL };
  const receive = { ...deposit, paidAmount: '1', paidTo: EVIL };
  const times = { createdAt: EVIL, startedAt: EVIL, endedAt: EVIL, duration: EVIL, expiresAt: EVIL };
  const swap = { ...swapOf(ORDER, 99), deposit, receive, ...times };
  await ledger.refundAddressSet(ownerAt(NOWHERE), { swap, doubts: [EVIL], at: Date.now() }, EVIL);
  await ledger.close();
}

test.each([[[]], [['--json']], [['--csv']]])('history escapes hidden characters: %j', async (flags) => {
  const home = await temporaryFolder();
  const env = { ...profileEnv(NOWHERE), SWAPCTL_LEDGER: `${home}/ledger.db` };
  await storeEvil(env.SWAPCTL_LEDGER);
  for (const terminals of [[], AT_TERMINAL]) {
    const { stdout, error } = await runHere(['history', ...flags], { home, env, terminals });
    expect(error).toBeNull();
    // Line breaks and tabs are ours where a result is written; nothing else that hides may be there.
    expect(hasHiddenCharacters(stdout.replace(/[\n\t]|\r\n/g, ''))).toBe(false);
    expect(stdout).toContain(ORDER);
  }
});
