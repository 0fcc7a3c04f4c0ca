import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { Entry } from '../../../src/core/ledger/entry.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import type { SwapRequest } from '../../../src/core/swap/swap.ts';
import { type CheckedSwap, intentOf } from '../../../src/core/swaps/check.ts';
import { createOnce } from '../../../src/core/swaps/create.ts';
import { onLedger, swapOfKey } from '../../../src/core/swaps/create-records.ts';
import { identicalSwap } from '../../../src/core/swaps/identical.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import { profileAt } from '../../helpers/scene.ts';
import { ADDRESSES, startSwapService, swapText } from '../../helpers/swap-service.ts';
import { claimed, everyEntry, observed, swapOf } from '../ledger/entries.ts';
import { CREATE, UNPRICED } from '../swap/requests.ts';
import { contextAt, contextOn, REQUEST, recordSwap, withClient } from './follow/followers.ts';

const NOW = 1_790_000_000_000;

/** What a create needs: a service that answers with these order numbers, a ledger, and a swap to be sent. */
async function desk(numbers: readonly string[]) {
  const given = [...numbers];
  const service = await startSwapService({
    'create-transaction': (seen, response) => {
      const orderNumber = given.shift() ?? '';
      if (orderNumber === 'statusless') sendJson(response, 201, { orderNumber: 'KQWZPA' });
      else {
        const text = swapText(seen, (swap) => Object.assign(swap, { orderNumber }));
        sendJson(response, 201, JSON.parse(text));
      }
    },
  });
  const clock = { now: () => NOW, sleep: async () => undefined };
  const { context } = contextOn(clock, await temporaryFolder(), profileAt(service.url));
  const ledger = await context.ledger();
  const { deposit, receive, amount, lastSource, type } = CREATE;
  const asked = { from: deposit, to: receive, amount, lastSource, type };
  const draft: CheckedSwap = {
    ...UNPRICED,
    service: await context.service(),
    reviewed: '2.5',
    asked: '0.1',
    quote: { ...asked, pair: 'BTC_ETH', receive: '2.5', rate: '25', min: '0.001', max: null, fee: null },
  };
  /** How a create ends: `created`, or its error. */
  const create = (ports: Ports, key: string | null): Promise<string | SwapctlError> =>
    createOnce(onLedger(ports), draft, {
      key,
      labels: {},
      approval: null,
      announce: () => undefined,
      meanwhile: (send) => send(),
      replay: ({ order }) => Promise.reject(new Error(`brought back ${order}`)),
    }).then(
      () => 'created',
      (error: SwapctlError) => error,
    );
  const close = async () => {
    await context.close();
    await service.close();
  };
  return { context, ledger, draft, create, close };
}

/** Creates swaps one after the other at a service that answers with these order numbers; what the ledger has then. */
async function created(numbers: readonly string[]) {
  const { context, ledger, create, close } = await desk(numbers);
  // A ledger on another machine takes its time.
  const settle: typeof ledger.settle = (...args) => turn().then(() => ledger.settle(...args));
  const ports = { ...context, ledger: async () => ({ ...ledger, settle }) };
  const ends = [];
  for (const _ of numbers) {
    const end = await create(ports, null);
    const entries = await everyEntry(ledger);
    ends.push([
      typeof end === 'string' ? end : end.message,
      ...entries.map(({ outcome, reason, order }) => [outcome, reason, order]),
    ]);
  }
  await close();
  return ends;
}

describe('a create whose key another process is sending', () => {
  /** Has another process send it; what it settles at the third look, and how the create of this one then ends. */
  async function second(
    settle: (ledger: Ledger, entry: Entry) => Promise<unknown>,
    change: Partial<SwapRequest> = {},
    deadline = Number.POSITIVE_INFINITY,
  ) {
    const { context, ledger, draft, create, close } = await desk([]);
    const owner = await context.owner();
    const intent = intentOf({ ...draft, request: { ...draft.request, ...change } });
    const entry = await claimed(ledger, owner, intent, 'key', NOW);
    let pauses = 0;
    const sleep = async () => {
      pauses += 1;
      if (pauses === 2) await settle(ledger, entry);
    };
    const ports = { ...context, sleep, monotonic: () => pauses * 250, deadline: () => deadline };
    const end = await create(ports, 'key');
    await close();
    return { end, pauses };
  }

  const makes = (ledger: Ledger, { id }: Entry) => ledger.created(id, observed('KQWZPA'), null);

  it.each<['refused' | 'not-sent' | 'dismissed', string]>([
    ['refused', 'it created no order: refused (no).'],
    ['not-sent', 'it created no order: not-sent (no).'],
    ['dismissed', 'its outcome is unknown and was dismissed.'],
  ])('is rejected and retryable if the other one ends as %s', async (outcome, says) => {
    const { end, pauses } = await second(async (ledger, { id }) => {
      if (outcome === 'dismissed') await ledger.dismiss(id, NOW);
      else await ledger.settle(id, { outcome, reason: 'no', at: NOW });
    });
    const unsent = { code: 'rejected', outcome: 'nothing-sent', retryable: true };
    expect(end).toMatchObject({ ...unsent, message: `Another process sent this request: ${says}` });
    expect(pauses).toBe(2);
  });

  it('returns the order or the error of the other one', async () => {
    const made = await second(makes);
    expect(made).toMatchObject({ end: { message: 'brought back KQWZPA' }, pauses: 2 });
    // Of one amount to receive, two processes may have got two quotes.
    const priced = await second(makes, { amount: '0.2' });
    expect(priced.end).toMatchObject({ message: 'brought back KQWZPA' });
    const lost = await second((ledger, { id }) =>
      ledger.settle(id, { outcome: 'unknown', reason: 'no', at: NOW }),
    );
    expect(lost).toMatchObject({ end: { code: 'outcome_unknown' }, pauses: 2 });
  });

  it.each<[string, Partial<SwapRequest>, readonly string[]]>([
    ['address', { address: ADDRESSES.otherEth }, ['coins, amount, address or memo']],
    ['rate type', { type: 'fixed' }, ['rate type']],
    ['refund address', { refundAddress: ADDRESSES.btcRefund }, ['refund address']],
  ])('is rejected if the other one has another %s', async (_, change, different) => {
    const { end } = await second(makes, change);
    expect(end).toMatchObject({ code: 'usage', details: { different } });
  });

  it.each([
    [Number.POSITIVE_INFINITY, 139],
    [1000, 4],
    [0, 0],
  ])('waits for a deadline of %s ms, at most 35 s: %i pauses', async (deadline, times) => {
    const { end, pauses } = await second(async () => undefined, {}, deadline);
    expect(end).toMatchObject({ code: 'outcome_unknown' });
    expect(pauses).toBe(times);
  });
});

const ODD = 'its order number has unexpected characters';

it('an unusable order number is not recorded', async () => {
  expect(await created(['--exec=sh'])).toEqual([
    [`Order --exec=sh exists, but does not match the request: ${ODD}.`, ['unknown', ODD, null]],
  ]);
});

it('a create with an unreadable response is recorded as unknown with its order number', async () => {
  const [[message, entry] = []] = await created(['statusless']);
  expect(message).toMatch(/^The outcome is unknown: order KQWZPA may exist\. .*no readable status\.$/);
  expect(entry).toEqual(['unknown', message, 'KQWZPA']);
});

it('a create that fails after the response is recorded as unknown with its order number', async () => {
  const { context, ledger, create, close } = await desk(['KQWZPA']);
  const broken = () => Promise.reject(new TypeError('broken'));
  const end = await create({ ...context, ledger: async () => ({ ...ledger, created: broken }) }, null);
  expect(end).toMatchObject({ code: 'outcome_unknown', details: { order: 'KQWZPA' } });
  expect(await everyEntry(ledger)).toMatchObject([
    { outcome: 'unknown', reason: 'internal error after the response', order: 'KQWZPA' },
  ]);
  await close();
});

it.each([
  ['has ended since', 4, /^KQWZPA has ended as success; do not fund it\.$/],
  ['cannot be polled', null, /^the swap could not be polled: No answer\. It is shown as last seen at /],
])('the swap of a reused key that %s is shown with a warning and not as fundable', async (_, code, words) => {
  const context = await contextAt(1);
  await recordSwap(context, swapOf('KQWZPA'));
  const [ledger, owner] = [await context.ledger(), await context.owner()];
  const transaction = async () => {
    if (code === null) throw new SwapctlError('network_error', 'No answer.');
    return { value: swapOf('KQWZPA', code), httpStatus: 200 };
  };
  const warnings: string[] = [];
  const notify = async ({ text }: { readonly text: string }) => {
    for (let count = 0; count < 3; count += 1) await turn();
    warnings.push(text);
  };
  const ports = await withClient({ ...context, notify }, { transaction });
  const entry = await ledger.byOrder(owner, 'KQWZPA');
  if (entry === null) throw new Error('no entry');
  expect(await swapOfKey(ports, entry)).toMatchObject({ swap: { fundable: false }, replayed: true });
  expect(warnings.at(-1)).toMatch(words);
});

const MINUTE = 60_000;
const CREATED = 'has the same coins, amount, address and memo. You would be creating a duplicate.';

it('a swap like one of the last ten minutes is reported as a duplicate of the newest', async () => {
  let now = NOW - 11 * MINUTE;
  const context = await contextAt(() => now);
  const printed = (change: Partial<typeof REQUEST> = {}, labels = {}) =>
    identicalSwap(context, { request: { ...REQUEST, ...change }, asked: '0.10', service: {} }, labels);
  await recordSwap(context, swapOf('OLDEST'));
  now = NOW - 2 * MINUTE;
  expect(await printed()).toBe(`Order OLDEST, created 9 minutes ago, ${CREATED}`);
  now = NOW;
  expect(await printed()).toBeNull();
  now = NOW - 3 * MINUTE;
  await recordSwap(context, swapOf('FIRST'));
  now = NOW - 2 * MINUTE;
  await recordSwap(context, swapOf('SECOND'));
  now = NOW;
  expect(await printed()).toBe(`Order SECOND, created 2 minutes ago, ${CREATED}`);
  expect(await printed({ memo: '7' })).toBeNull();
  expect(await printed({}, { invoice: '2' })).toBe(
    'Order SECOND, created 2 minutes ago, has the same coins, amount, address and memo, but no labels, while this swap has the label invoice=2.',
  );
  const [ledger, owner] = [await context.ledger(), await context.owner()];
  const entry = await claimed(ledger, owner, REQUEST, null, NOW - MINUTE);
  expect(await printed()).toMatch(/^A request sent 1 minute ago with .*: an order may exist\. You could be /);
  expect(await printed({}, { invoice: '2' })).toMatch(/^A request sent .* but no labels, .* unknown outcome/);
  await ledger.settle(entry.id, { outcome: 'refused', reason: 'no', at: NOW });
  expect(await printed()).toMatch(/^Order SECOND,/);
});
