import { beforeEach, expect, test } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { hasHiddenCharacters } from '../../../src/base/text.ts';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { swapOf } from '../../core/ledger/entries.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { profileEnv, sendJson } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, pausedClock, type RunHere, runHere } from '../../helpers/run-here.ts';
import { ownerAt } from '../../helpers/scene.ts';
import { type Answer, startSwapService } from '../../helpers/swap-service.ts';

/** Clears the screen, hides what follows, turns the reading direction round, and is in part not there at all. */
const EVIL = 'X\u001b[2J\u001b[8m\u202e\u200b\u009b31m\u2028\u0007\ufeffY';
const SHOWN = 'X<U+001B>[2J<U+001B>[8m<U+202E><U+200B><U+009B>31m<U+2028><U+0007><U+FEFF>Y';
const ORDER = 'KQWZPA';

const side = { coin: { name: EVIL, fullName: EVIL, network: EVIL, value: 1 }, address: EVIL, memo: EVIL };
const swap = {
  status: 99,
  type: { typeSwap: 2 },
  pairs: { deposit: side, receive: side },
  receiveTransaction: { txId: EVIL, receivedTime: EVIL, gettingInTheBlock: EVIL, amount: 1, fees: 1 },
  fees: { feeNodeDeposit: 1 },
  swapTime: { start: EVIL, end: EVIL, duration: EVIL },
  createdAt: EVIL,
  txId: EVIL,
  receivedTime: EVIL,
  gettingInTheBlock: EVIL,
  confirmation: 1,
};

/** Answers in turn, the last of them without end; a watch of the swap is interrupted when that is asked for again. */
async function watched(flags: readonly string[], answers: readonly Answer[]) {
  const stop = new AbortController();
  const clock = pausedClock();
  let asked = 0;
  const watchedService = await startSwapService({
    'get-transaction': (...call) => {
      asked += 1;
      if (asked > answers.length) stop.abort(new InterruptedError('SIGTERM'));
      answers[Math.min(asked, answers.length) - 1]?.(...call);
    },
  });
  const ran = await run(['status', ORDER, '--watch', ...flags], {
    env: profileEnv(watchedService.url),
    terminals: AT_TERMINAL,
    signal: stop.signal,
    ...clock,
    // Lets requests go on, for which a pause is not long enough otherwise.
    sleep: async (milliseconds) => {
      await clock.sleep(milliseconds);
      await new Promise(setImmediate);
    },
  });
  await watchedService.close();
  return ran;
}

const inStatus =
  (status: number): Answer =>
  (_, response) =>
    sendJson(response, 200, { ...swap, orderNumber: ORDER, status });

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

const NOWHERE = 'http://127.0.0.1:1';

async function run(args: readonly string[], options: Partial<RunHere> = {}) {
  return runHere(args, { home, env: profileEnv(NOWHERE), ...options });
}

/** Line breaks and tabs are ours where a result is written; nothing else that hides may be there. */
function expectClean(text: string): void {
  expect(hasHiddenCharacters(text.replace(/[\n\t]|\r\n/g, ''))).toBe(false);
}

/** Puts a swap with hidden characters into the ledger, past the checks of an answer. */
async function storeEvil(): Promise<void> {
  const ledger = await openLedger(`${home}/ledger.db`);
  const nothing = { name: EVIL, txId: EVIL, confirmations: 1, receivedAt: EVIL, confirmedAt: EVIL, fee: '1' };
  const stored = { ...nothing, coin: EVIL, network: EVIL, amount: '1', address: EVIL, memo: EVIL };
  const owner = ownerAt(NOWHERE);
  const times = { createdAt: EVIL, startedAt: EVIL, endedAt: EVIL, duration: EVIL, expiresAt: EVIL };
  await ledger.refundAddressSet(
    owner,
    {
      swap: {
        ...swapOf(ORDER, 99),
        deposit: stored,
        receive: { ...stored, paidAmount: '1', paidTo: EVIL },
        ...times,
      },
      doubts: [EVIL],
      at: Date.now(),
    },
    EVIL,
  );
  await ledger.close();
}

test('status --watch escapes hidden characters of the service in every change', async () => {
  for (const flags of [[], ['--json']]) {
    const { stdout, stderr } = await watched(flags, [inStatus(9), inStatus(99)]);
    expectClean(stdout + stderr);
    expect(stdout.split(SHOWN).length).toBeGreaterThan(2);
  }
});

test.each([[[]], [['--json']], [['--csv']]])(
  'hidden characters in the ledger are escaped by history with %j',
  async (flags) => {
    await storeEvil();
    const env = { ...profileEnv(NOWHERE), SWAPCTL_LEDGER: `${home}/ledger.db` };
    for (const terminals of [[], AT_TERMINAL]) {
      const { stdout, error } = await run(['history', ...flags], { env, terminals });
      expect(error).toBeNull();
      expectClean(stdout);
      expect(stdout).toContain(ORDER);
    }
  },
);

test('status --watch escapes hidden characters in a failed poll and continues', async () => {
  const fails: Answer = (_, response) => sendJson(response, 503, { message: EVIL });
  const { stdout, stderr } = await watched([], [fails, fails, fails, inStatus(9)]);
  expectClean(stderr + stdout);
  expect(stderr).toContain(SHOWN);
  expect(stdout).toContain(SHOWN);
});
