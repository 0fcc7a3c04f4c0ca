import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { ApiRequest } from '../../../src/core/client/transport.ts';
import type { Owner } from '../../../src/core/ledger/entry.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import { LINKED_OTHERWISE } from '../../../src/core/swaps/created.ts';
import { checkApi, refuseUnderPolicy, submitApi } from '../../../src/core/swaps/submit.ts';
import { BTC_TO_ETH, wireSwap } from '../../helpers/swap-service.ts';
import { everyEntry, swapOf } from '../ledger/entries.ts';
import { contextAt, recordSwap } from './follow/followers.ts';

/** Anything that is set for an account, so that raw requests are judged and recorded. */
const GUARD = {
  policy: { value: null },
  ownerKey: null,
  stop: { value: null },
  suspensions: { problem: 'The stored suspensions cannot be read.' },
};

/** A service's answer to a raw create; null for one that never comes. */
const ANSWERS = {
  good: wireSwap(BTC_TO_ETH),
  odd: { ...wireSwap(BTC_TO_ETH), orderNumber: 'A B' },
  taken: wireSwap(BTC_TO_ETH),
  lost: null,
} as const;

const BACK = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const PLAIN = { approval: null, onFailure: () => undefined };

it.each([
  { which: 'good', outcome: 'created', reason: null, order: 'KQWZPA', refundAddress: BACK, warnings: 0 },
  { which: 'odd', outcome: 'unknown', reason: 'its order number cannot be used', order: null, warnings: 1 },
  { which: 'taken', outcome: 'unknown', reason: LINKED_OTHERWISE, order: null, warnings: 1 },
  { which: 'lost', outcome: 'unknown', reason: 'No answer.', order: null, warnings: 0 },
] as const)('a raw create is recorded as $outcome with the reason $reason before it returns', async (row) => {
  const { which, warnings, ...recorded } = row;
  const context = await contextAt(1_790_000_000_000);
  const [ledger, service] = [await context.ledger(), await context.service()];
  if (which === 'taken') await recordSwap(context, swapOf('KQWZPA'));
  // A ledger on another machine takes its time.
  const created: typeof ledger.created = (...args) => turn().then(() => ledger.created(...args));
  const settle: typeof ledger.settle = (...args) => turn().then(() => ledger.settle(...args));
  const guards = { ...ledger.guards, read: async () => GUARD };
  const reported: string[] = [];
  const ports = {
    ...context,
    ledger: async () => ({ ...ledger, created, settle, guards }),
    notify: async ({ level }: { readonly level: string }) => {
      await turn();
      reported.push(level);
    },
  };
  const raw = async () => {
    const answer = ANSWERS[which];
    if (answer === null) throw new SwapctlError('timeout', 'No answer.', { outcome: 'unknown' });
    return { status: 201, text: JSON.stringify(answer), retryAfter: null, headers: {} };
  };
  const body = JSON.stringify({ ...BTC_TO_ETH, refundAddress: BACK });
  const request = { endpoint: 'create-transaction', body } as const;
  const passed = submitApi(ports, { ...service, client: { ...service.client, raw } }, { request, ...PLAIN });
  if (which === 'lost') await expect(passed).rejects.toThrow('No answer.');
  else expect(await passed).toMatchObject({ status: 201 });
  expect(reported.filter((level) => level === 'warning')).toHaveLength(warnings);
  const entries = await everyEntry(ledger);
  expect(entries.filter(({ outcome }) => outcome === recorded.outcome)).toMatchObject([recorded]);
});

it.each<[string, (ledger: Ledger, owner: Owner) => Promise<unknown>, boolean]>([
  ['rejected during a stop', (ledger, owner) => ledger.guards.stop(owner, null, 1), true],
  [
    'allowed after a stop was lifted',
    async (ledger, owner) => {
      await ledger.guards.stop(owner, null, 1);
      await ledger.guards.resume(owner, null, 1);
    },
    false,
  ],
])('a request that the policy cannot check is %s', async (_, set, isRefused) => {
  const context = await contextAt(1_790_000_000_000);
  await set(await context.ledger(), await context.owner());
  const unknown = { orderNumber: 'NONE', refundAddress: 'bc1q' };
  const check = (request: ApiRequest) => () => checkApi(context, { request, approval: null });
  const checks = [
    () => refuseUnderPolicy(context, 'It is odd'),
    check({ endpoint: 'update-refund-address', method: 'PATCH', body: JSON.stringify(unknown) }),
    check({ endpoint: 'create-transaction', method: 'PATCH', body: JSON.stringify(unknown) }),
    check({ endpoint: 'update-refund-address', method: 'POST', body: JSON.stringify(BTC_TO_ETH) }),
  ];
  for (const each of checks)
    if (isRefused) await expect(each()).rejects.toMatchObject({ code: 'policy_refused' });
    else expect((await each()) ?? null).toBeNull();
  expect(await check({ endpoint: 'get-all-coins', method: 'GET' })()).toBeNull();
});
