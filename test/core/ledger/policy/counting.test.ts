import type { KyselyPlugin } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { readCounters } from '../../../../src/core/ledger/policy/counting.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { policyOf } from '../../swap/policy/samples.ts';
import { OTHER, OWNER, observed } from '../entries.ts';
import { openTables } from '../tables.ts';
import { AT, BTC, type CreateOptions, closeLedgers, create, DAY, open, set } from './gates.ts';

afterEach(closeLedgers);

interface PastSwap extends CreateOptions {
  readonly code: number;
  readonly isUnknown?: boolean;
  readonly refundAddress?: string;
}

const REFUND = 'bc1qrefund';
const LIVE = { ...OWNER, environment: 'live' } as const;

/** Has a swap happen, as far as a status. */
async function happened(
  ledger: Ledger,
  order: string,
  { code, isUnknown, refundAddress, ...past }: PastSwap,
  txId: string | null = 'tx',
) {
  const { swap, ...observation } = observed(order, code, AT + 1);
  const id = await create(ledger, past);
  if (isUnknown === true) await ledger.settle(id, { outcome: 'unknown', reason: 'no', order, at: AT });
  else await ledger.created(id, observed(order, 9, AT), refundAddress ?? null);
  const seen = { ...observation, swap: { ...swap, deposit: { ...swap.deposit, txId } } };
  await ledger.seen(past.owner ?? OWNER, seen);
}

const XRP = { coin: 'XRP', network: 'XRP' };
const back = { code: 13, refundAddress: REFUND } as const;

describe.each(BOTH_DATABASES)('a policy on $kind', ({ fresh }) => {
  it('counts an address as paid only by successful swaps with the same coin and account', async () => {
    const ledger = await open(await fresh());
    const counted: readonly PastSwap[] = [{ code: 4 }, { code: 12 }, { code: 12 }];
    const others: readonly PastSwap[] = [
      { code: 3 },
      { code: 13 },
      { code: 4, isUnknown: true },
      { code: 4, owner: OTHER },
      { code: 4, owner: LIVE },
      { code: 4, intent: { ...BTC, receive: { coin: 'A', network: 'XRP' } } },
      { code: 4, intent: { ...BTC, address: `${BTC.address}x` } },
      { code: 4, intent: { ...BTC, memo: '7' } },
      // The memo of what was sent back is not known.
      { code: 13, intent: { ...BTC, deposit: XRP, receive: BTC.deposit }, refundAddress: BTC.address },
    ];
    for (const [index, past] of [...counted, ...others].entries()) await happened(ledger, `A${index}`, past);
    await set(ledger, policyOf([{ payout: { seen: 4 } }]));
    await expect(create(ledger)).rejects.toMatchObject({ details: { rules: [{ limit: 4, spent: 3 }] } });
    await set(ledger, policyOf([{ payout: { seen: 3 } }]));
    await create(ledger);
  });

  it('counts payouts to the same address in another letter case', async () => {
    const ledger = await open(await fresh());
    const intent = { ...BTC, address: '0x52908400098527886E0F7030069857D2E4169EE7' };
    await happened(ledger, 'A', { code: 4, intent });
    await set(ledger, policyOf([{ payout: { seen: 1 } }]));
    await create(ledger, { intent: { ...intent, address: intent.address.toLowerCase() } });
  });

  it('also counts refunds paid to an address that is the refund address', async () => {
    const ledger = await open(await fresh());
    const toPayout: readonly PastSwap[] = [{ code: 4 }, { code: 4 }, { code: 4 }];
    const toRefund: readonly PastSwap[] = [
      back,
      { code: 4, intent: { ...BTC, deposit: XRP, receive: BTC.deposit, address: REFUND, memo: null } },
    ];
    const others: readonly PastSwap[] = [
      { code: 5, refundAddress: REFUND },
      { code: 13, refundAddress: 'bc1qother' },
      { code: 13 },
      { ...back, owner: OTHER },
      { ...back, owner: LIVE },
      { ...back, intent: { ...BTC, deposit: { coin: 'A', network: 'BTC' } } },
    ];
    for (const [index, past] of [...toPayout, ...toRefund, ...others].entries())
      await happened(ledger, `A${index}`, past);
    const next = { intent: { ...BTC, refundAddress: REFUND } };
    const seen = { details: { rules: [{ limit: 3, spent: 2 }] } };
    await set(ledger, policyOf([{ payout: { seen: 3 } }]));
    await expect(create(ledger, next)).rejects.toMatchObject(seen);
    await set(ledger, policyOf([{ payout: { seen: 2 } }]));
    await create(ledger, next);
  });

  it('frees the cap a day after an unknown create whose order expired', async () => {
    const ledger = await open(await fresh());
    await happened(ledger, 'A', { code: 5, isUnknown: true }, null);
    await set(ledger, policyOf([{ cap: { coin: 'BTC', amount: '0.9', per: '7d' } }]));
    await expect(create(ledger, { at: AT + DAY - 1 })).rejects.toMatchObject({ code: 'policy_refused' });
    await create(ledger, { at: AT + DAY });
  });

  it.each([1, 2, 3])('counts a create once if another process settles it after %i reads', async (reads) => {
    const location = await fresh();
    const ledger = await open(location);
    const id = await create(ledger);
    const database = await openTables(location);
    let left = reads;
    const settling: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        left -= 1;
        if (left === 0) await ledger.created(id, observed('A', 9, AT), null);
        return result;
      },
    };
    const policy = policyOf([{ cap: { coin: 'BTC', amount: '1', per: '24h' } }, { open: { most: 9 } }]);
    const rows = database.kysely.withPlugin(settling);
    const counters = await readCounters(rows, OWNER, policy, { request: null, now: AT });
    expect([policy.rules.map((rule) => counters.counted(rule).sum)[0], counters.open]).toEqual(['0.5', 1]);
    await database.close();
  });

  it('counts an unknown create as open in its own account only', async () => {
    const ledger = await open(await fresh());
    await set(ledger, policyOf([{ open: { most: 1 } }]));
    const other = await create(ledger, { owner: OTHER });
    await ledger.settle(other, { outcome: 'unknown', reason: 'no', at: AT });
    await create(ledger);
    await expect(create(ledger)).rejects.toMatchObject({ details: { rules: [{ kind: 'open', spent: 1 }] } });
  });
});
