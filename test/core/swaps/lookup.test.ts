import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { CreateIntent, Entry } from '../../../src/core/ledger/entry.ts';
import {
  compareAnswer,
  compareUnrecorded,
  isUnreachable,
  lookUpSwap,
  recordedOrders,
  shownSwap,
  warnOfDoubts,
} from '../../../src/core/swaps/lookup.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { claimed, INTENT, swapOf } from '../ledger/entries.ts';
import { ledgerAt, sentIntent } from '../ledger/events/ledgers.ts';
import { contextAt, contextBy, REQUEST, recordSwap, withClient } from './follow/followers.ts';

it('every warning about a swap is printed before it, and one of unknown outcome is not fundable', async () => {
  const ledger = await ledgerAt(join(await temporaryFolder(), 'ledger.db'));
  const entry: Entry = { ...(await sentIntent(ledger)), outcome: 'unknown', reason: 'its payout is in LTC' };
  const shown: string[] = [];
  const notify = async ({ text }: { readonly text: string }) => {
    await turn();
    shown.push(text);
  };
  const judged = { swap: swapOf('KQWZPA'), found: [], doubts: [] };
  await warnOfDoubts({ notify }, entry, judged);
  expect(shown).toEqual([
    'KQWZPA did not match the request when it was created: its payout is in LTC. Do not fund it.',
  ]);
  const context = await contextAt(1);
  const isFundable = async (outcome: Entry['outcome']) =>
    shownSwap(context, await context.service(), { ...entry, outcome }, judged).fundable;
  expect([await isFundable('unknown'), await isFundable('created')]).toEqual([false, true]);
  const doubt = { code: 'type_changed', words: 'its rate is fixed instead of float' } as const;
  await warnOfDoubts({ notify }, null, { ...judged, found: [doubt] });
  expect(shown.slice(1)).toEqual([
    'KQWZPA does not match what was agreed: its rate is fixed instead of float. Do not fund it. Ask the service.',
  ]);
});

it('a lookup warns of differences from what was agreed before it returns', async () => {
  const context = await contextAt(1);
  const value = swapOf('KQWZPA');
  await recordSwap(context, value);
  const transaction = async () => ({ value, httpStatus: 200 });
  const warnings: string[] = [];
  const notify = async ({ text }: { readonly text: string }) => {
    await turn();
    warnings.push(text);
  };
  const ports = await withClient({ ...context, notify }, { transaction });
  await lookUpSwap(ports, await ports.service(), 'KQWZPA');
  expect(warnings).toEqual([expect.stringContaining('KQWZPA does not match what was agreed: ')]);
});

it('a swap recorded during its lookup is compared with what was agreed', async () => {
  const context = await contextAt(1);
  const value = swapOf('KQWZPA');
  const transaction = async () => {
    await recordSwap(context, value);
    return { value, httpStatus: 200 };
  };
  const ports = await withClient(context, { transaction });
  const { swap } = await lookUpSwap(ports, await ports.service(), 'KQWZPA');
  expect([swap.fundable, swap.doubts.length > 0]).toEqual([false, true]);
});

it('an order to watch is recorded first if the ledger lacks it, and listed once', async () => {
  const context = await contextBy({ now: () => 1, sleep: async () => undefined }, {});
  const [{ client }, ledger] = [await context.service(), await context.ledger()];
  const known = await recordSwap(context);
  const { order } = (await client.create(REQUEST)).value;
  expect(await recordedOrders(context, [known, order, known])).toEqual([known, order]);
  expect((await ledger.byOrder(await context.owner(), order))?.swap).toMatchObject({ order, status: 'new' });
  await expect(recordedOrders(context, ['NONESUCH'])).rejects.toMatchObject({ code: 'not_found' });
});

it.each([
  ['network_error', true],
  ['timeout', true],
  ['rate_limited', false],
] as const)('a service whose poll ends with %s is unreachable: %s', (code, expected) => {
  expect(isUnreachable(new SwapctlError(code, 'No.'))).toBe(expected);
});

const TWELVE = '2026-01-31T12:00:00.000Z';
const ONE = '2026-01-31T13:00:00.000Z';

it.each([
  ['an hour after its creation', { createdAt: TWELVE }, ONE],
  ['an hour after its start if it has no creation time', { createdAt: null, startedAt: TWELVE }, ONE],
  ['at the expiresAt of the service', { createdAt: TWELVE, expiresAt: TWELVE }, TWELVE],
  ['at an unknown time without creation or start', {}, null],
  ['at an unknown time without a rate type', { createdAt: TWELVE, type: null }, null],
])('the deposit window of the built-in service ends %s', async (_, times, end) => {
  const context = await contextAt(Date.parse(TWELVE));
  const service = await context.service();
  const answer = { ...swapOf('KQWZPA'), ...times };
  const builtIn = { ...service, depositWindow: () => 3_600_000 };
  expect((await compareAnswer(context, builtIn, null, answer)).swap.expiresAt).toBe(end);
  const { swap } = await compareAnswer(context, service, null, answer);
  expect(swap).toEqual(answer);
});

describe('an order missing from the ledger', () => {
  const START = 1_790_000_000_000;
  const DAY = 24 * 3_600_000;
  const OTHER_ADDRESS: CreateIntent = { ...INTENT, address: 'rDsbeomae4FXwgQTJp9Rs64Qg9vDiTCdBv' };
  const OTHER_MEMO: CreateIntent = { ...OTHER_ADDRESS, memo: '9' };

  /** The create of unknown outcome that is taken for the one of the order, of these. */
  const takenOf = async (
    creates: readonly (readonly [CreateIntent, number])[],
    made: string | null,
    code = 9,
  ) => {
    const context = await contextAt(START);
    const [ledger, owner] = [await context.ledger(), await context.owner()];
    for (const [intent, at] of creates) await claimed(ledger, owner, intent, null, at);
    const answer = { ...swapOf('KQWZPA', code), createdAt: made };
    const { request, found } = await compareUnrecorded(context, await context.service(), answer);
    return { request, found: found.length };
  };

  it.each([
    ['the first', [INTENT, OTHER_ADDRESS, OTHER_MEMO]],
    ['the last', [OTHER_MEMO, OTHER_ADDRESS, INTENT]],
    ['in between', [OTHER_ADDRESS, INTENT, OTHER_MEMO]],
  ])('is matched with the create of unknown outcome that differs least: %s', async (_, intents) => {
    const creates = intents.map((intent, index) => [intent, START + index] as const);
    expect(await takenOf(creates, null)).toEqual({ request: INTENT, found: 0 });
  });

  it('is matched with the only create of unknown outcome, even if its address and memo differ', async () => {
    expect(await takenOf([], null)).toEqual({ request: null, found: 0 });
    expect(await takenOf([[OTHER_MEMO, START]], null)).toEqual({ request: OTHER_MEMO, found: 2 });
  });

  it.each([
    [DAY, INTENT],
    [-DAY, INTENT],
    [DAY + 1, null],
    [-DAY - 1, null],
  ])('created %i ms after a create is matched with it only within a day', async (apart, request) => {
    const made = new Date(START).toISOString();
    expect((await takenOf([[INTENT, START - apart]], made)).request).toEqual(request);
  });

  it('is matched with no create once its deposit was seen', async () => {
    expect((await takenOf([[INTENT, START]], null, 1)).request).toBeNull();
  });
});
