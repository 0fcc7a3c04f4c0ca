import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { ApiRequest } from '../../../src/core/client/transport.ts';
import type { Owner } from '../../../src/core/ledger/entry.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import type { SwapInput } from '../../../src/core/swaps/check.ts';
import { onLedger } from '../../../src/core/swaps/create-records.ts';
import { createSwap } from '../../../src/core/swaps/create-swap.ts';
import { LINKED_OTHERWISE } from '../../../src/core/swaps/created.ts';
import { checkApi, refuseUnderPolicy, submitApi } from '../../../src/core/swaps/submit.ts';
import { ADDRESSES, BTC_TO_ETH, wireSwap } from '../../helpers/swap-service.ts';
import { everyEntry, swapOf } from '../ledger/entries.ts';
import { policyOf } from '../swap/policy/samples.ts';
import { contextAt, REQUEST, recordSwap } from './follow/followers.ts';

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

it.each([
  { which: 'good', outcome: 'created', reason: null, order: 'KQWZPA', warnings: 0 },
  { which: 'odd', outcome: 'unknown', reason: 'its order number cannot be used', order: null, warnings: 1 },
  { which: 'taken', outcome: 'unknown', reason: LINKED_OTHERWISE, order: null, warnings: 1 },
  { which: 'lost', outcome: 'unknown', reason: 'No answer.', order: null, warnings: 0 },
] as const)('a raw create is recorded as $outcome with the reason $reason before it returns', async (row) => {
  const { which, warnings, ...recorded } = row;
  const context = await contextAt(1_790_000_000_000);
  const [ledger, service] = [await context.ledger(), await context.service()];
  if (which === 'taken') await recordSwap(context, swapOf('KQWZPA'));
  // A ledger on another machine takes its time.
  const created: typeof ledger.created = async (...args) => {
    await turn();
    return ledger.created(...args);
  };
  const settle: typeof ledger.settle = async (...args) => {
    await turn();
    return ledger.settle(...args);
  };
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
  const passed = submitApi(
    ports,
    { ...service, client: { ...service.client, raw } },
    {
      request: { endpoint: 'create-transaction', body: JSON.stringify(BTC_TO_ETH) },
      approval: null,
      onFailure: () => undefined,
    },
  );
  if (which === 'lost') await expect(passed).rejects.toThrow('No answer.');
  else expect(await passed).toMatchObject({ status: 201 });
  expect(reported.filter((level) => level === 'warning')).toHaveLength(warnings);
  const entries = await everyEntry(ledger);
  expect(entries.filter(({ outcome }) => outcome === recorded.outcome)).toMatchObject([recorded]);
});

it.each<[string, (ledger: Ledger, owner: Owner) => Promise<unknown>, boolean]>([
  ['allowed if nothing is set', async () => undefined, false],
  ['rejected during a stop', (ledger, owner) => ledger.guards.stop(owner, null, 1), true],
  [
    'rejected under a policy',
    (ledger, owner) =>
      ledger.guards.set(owner, { policy: policyOf([{ open: { most: 1 } }]), before: null, signer: null }, 1),
    true,
  ],
  [
    'rejected during a suspension',
    (ledger, owner) =>
      ledger.guards.suspend(owner, { what: { network: 'LTC' }, side: null, until: null, reason: null }, 1),
    true,
  ],
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
  const checks = [
    () => refuseUnderPolicy(context, 'It is odd'),
    ...(
      [
        ['update-refund-address', 'PATCH', unknown],
        ['create-transaction', 'PATCH', unknown],
        ['update-refund-address', 'POST', BTC_TO_ETH],
      ] as const
    ).map(([endpoint, method, body]) => () => {
      const request = { endpoint, method, body: JSON.stringify(body) };
      return checkApi(context, { request, approval: null });
    }),
  ];
  for (const check of checks)
    if (isRefused) await expect(check()).rejects.toMatchObject({ code: 'policy_refused' });
    else expect((await check()) ?? null).toBeNull();
  const read = { endpoint: 'get-all-coins', method: 'GET' } as const;
  expect(await checkApi(context, { request: read, approval: null })).toBeNull();
});

it('a raw refund address change is sent only if the policy allows the address', async () => {
  const context = await contextAt(1_790_000_000_000);
  const order = await recordSwap(context, swapOf('KQWZPA'));
  const [ledger, owner, service] = [await context.ledger(), await context.owner(), await context.service()];
  await ledger.guards.set(
    owner,
    { policy: policyOf([{ payout: { addresses: [ADDRESSES.btcRefund] } }]), before: null, signer: null },
    1,
  );
  const sent: unknown[] = [];
  const raw = async ({ body }: ApiRequest) => {
    sent.push(JSON.parse(body ?? ''));
    return { status: 200, text: '{}', retryAfter: null, headers: {} };
  };
  const pass = (refundAddress: string) => {
    const body = { id: order, refundAddress };
    return submitApi(
      context,
      { ...service, client: { ...service.client, raw } },
      {
        request: { endpoint: 'update-refund-address', body: JSON.stringify(body) },
        approval: null,
        onFailure: () => undefined,
      },
    );
  };
  await expect(pass(ADDRESSES.btcDeposit)).rejects.toMatchObject({ code: 'policy_refused' });
  expect(sent).toEqual([]);
  expect(await pass(ADDRESSES.btcRefund)).toMatchObject({ status: 200 });
  expect(sent).toEqual([{ id: order, refundAddress: ADDRESSES.btcRefund }]);
});

it('a secret that a person gives as memo is refused before the swap is priced', async () => {
  const context = await contextAt(1_790_000_000_000);
  const [from, to] = [
    { coin: 'BTC', network: 'BTC' },
    { coin: 'XRP', network: 'XRP' },
  ];
  const asked = { ...REQUEST, from, to, memoWaived: false, tolerance: null };
  const memo = `${'abandon '.repeat(11)}about`;
  const open = {
    known: asked,
    isInteractive: true,
    complete: async () => ({ ...asked, memo }),
    corrected: (_: unknown, error: unknown) => Promise.reject(error),
  };
  const coins = () => Promise.reject(new Error('The coins were read.'));
  const terms = { key: null, labels: {}, approval: null, confirm: async () => null };
  const end = createSwap<SwapInput>(onLedger(context), open, { ...terms, steps: { coins } });
  await expect(end).rejects.toThrow('seed phrase');
});
