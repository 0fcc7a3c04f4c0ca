import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { deliverDue } from '../../src/swaps/listen/deliver.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { OWNER } from '../ledger/entries.ts';
import { createdSwap, ledgerAt } from '../ledger/events/ledgers.ts';

it('events of eight swaps, and no more, are in flight at a time', async () => {
  const ledger = await ledgerAt(join(await temporaryFolder(), 'ledger.db'));
  await ledger.events.webhooks.listen(OWNER.account, 0);
  for (let index = 0; index < 10; index += 1) await createdSwap(ledger, `ORDER${index}`);
  const answers: (() => void)[] = [];
  let [taken, most, ends] = [0, 0, 0];
  const tried = await deliverDue({
    events: ledger.events,
    scope: { account: OWNER.account, orders: null },
    ...{ holder: 'listener', types: null, now: () => 2, stop: new AbortController().signal },
    targets: [
      async () => {
        taken += 1;
        most = Math.max(most, taken - ends);
        await new Promise<void>((resolve) => answers.push(resolve));
        ends += 1;
        return { at: 2, target: 'http', httpStatus: 204, error: null, milliseconds: 1 };
      },
    ],
    // A receiver answers the oldest of them once all that may be sent have been.
    pause: async () => {
      await turn();
      answers.shift()?.();
    },
    onFinishing: () => undefined,
    onSettled: () => undefined,
  });
  expect([tried, taken, most]).toEqual([10, 10, 8]);
  expect(await ledger.events.undelivered(OWNER.account)).toBe(0);
});
