import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { SwapRequest } from '../../src/swap/swap.ts';
import type { CheckedSwap } from '../../src/swaps/check.ts';
import { createOnce } from '../../src/swaps/create.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { profileAt } from '../helpers/scene.ts';
import { ADDRESSES, startSwapService, swapText } from '../helpers/swap-service.ts';
import { everyEntry } from '../ledger/entries.ts';
import { contextOn } from './follow/followers.ts';

const [BTC, ETH] = [
  { coin: 'BTC', network: 'BTC' },
  { coin: 'ETH', network: 'ETH' },
];

/** Creates swaps one after the other at a service that answers with these order numbers; what the ledger has then. */
async function created(numbers: readonly string[]) {
  const given = [...numbers];
  const service = await startSwapService({
    'create-transaction': (seen, response, request) => {
      const orderNumber = given.shift() ?? '';
      if (orderNumber === 'lost') request.socket.destroy();
      else if (orderNumber === 'refused') sendJson(response, 400, { statusCode: 400, message: 'No.' });
      else {
        const text = swapText(seen, (swap) => Object.assign(swap, { orderNumber }));
        sendJson(response, 201, JSON.parse(text));
      }
    },
  });
  const clock = { now: () => 1_790_000_000_000, sleep: async () => undefined };
  const { context } = contextOn(clock, await temporaryFolder(), profileAt(service.url));
  const ledger = await context.ledger();
  // A ledger on another machine takes its time.
  const settle: typeof ledger.settle = async (...args) => {
    await turn();
    return ledger.settle(...args);
  };
  const ports = { ...context, ledger: async () => ({ ...ledger, settle }) };
  const request: SwapRequest = {
    ...{ deposit: BTC, receive: ETH, amount: '0.1', lastSource: 'deposit', type: 'float' },
    ...{ address: ADDRESSES.eth, memo: null, refundAddress: null },
  };
  const asked = { from: BTC, to: ETH, amount: '0.1', lastSource: 'deposit', type: 'float' } as const;
  const draft: CheckedSwap = {
    ...{ request, minReceive: null, tolerance: '1', warnings: [], depositMemoNeeded: false },
    ...{ service: await context.service(), reviewed: '2.5', asked: '0.1' },
    quote: { ...asked, pair: 'BTC_ETH', receive: '2.5', rate: '25', min: '0.001', max: null, fee: null },
  };
  const ends = [];
  for (const _ of numbers) {
    const end = await createOnce(ports, draft, {
      ...{ idempotencyKey: null, labels: {}, approval: null, announce: () => undefined },
      meanwhile: (create) => create(),
      broughtBack: () => Promise.reject(new Error('nothing is to be brought back')),
    }).then(
      () => 'created',
      ({ message }: Error) => message,
    );
    const entries = await everyEntry(ledger);
    ends.push([end, ...entries.map(({ outcome, reason, order }) => [outcome, reason, order])]);
  }
  await context.close();
  await service.close();
  return ends;
}

const LINKED = 'the ledger links this order to another request, or this request to another order';
const ODD = 'its order number has unexpected characters';

it('a create that is answered with the order of another one is recorded as unknown before its error', async () => {
  expect((await created(['KQWZPA', 'KQWZPA']))[1]).toEqual([
    `Order KQWZPA exists, but does not match the request: ${LINKED}.`,
    ['unknown', LINKED, null],
    ['created', null, 'KQWZPA'],
  ]);
});

it('an order number that cannot be used is not recorded', async () => {
  expect(await created(['--exec=sh'])).toEqual([
    [`Order --exec=sh exists, but does not match the request: ${ODD}.`, ['unknown', ODD, null]],
  ]);
});

it.each([
  ['lost', 'unknown', /^The outcome is unknown/],
  ['refused', 'refused', /No\./],
])('a create that is %s is recorded as %s before its error', async (end, outcome, says) => {
  const [[message, entry] = []] = await created([end]);
  expect(message).toMatch(says);
  expect(entry).toEqual([outcome, message, null]);
});
