import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import type { IntentRow } from '../../../src/core/ledger/schema.ts';
import { findSwaps } from '../../../src/core/swaps/find.ts';
import { INTENT, OWNER, swapOf } from './entries.ts';
import { fillRows, rowOf } from './fill.ts';

const digits = (text: string) => createHash('sha256').update(text).digest('hex');
const address = (text: string) => `0x${digits(text).slice(0, 40)}`;
const ETH = { coin: 'ETH', network: 'ETH' };

/** The facts of the swap with a number; several swaps share payout addresses, memos and labels. */
function madeUp(index: number, swaps: number) {
  return {
    order: `ORDER${index}`,
    id: `id-${index}`,
    key: `key-${index}`,
    deposit: address(`deposit ${index}`),
    payout: address(`payout ${index % Math.ceil(swaps / 5)}`),
    refund: address(`refund ${index}`),
    memo: `${700_000 + (index % Math.ceil(swaps / 3))}`,
    depositTx: digits(`deposit tx ${index}`),
    payoutTx: `0x${digits(`payout tx ${index}`)}`,
    label: `customer=${index % Math.ceil(swaps / 4)}`,
  };
}

type MadeUp = ReturnType<typeof madeUp>;

function rowWith(index: number, made: MadeUp): IntentRow {
  const usual = swapOf(made.order, 4);
  const snapshot = JSON.stringify({
    ...usual,
    deposit: { ...usual.deposit, ...ETH, address: made.deposit, txId: made.depositTx },
    receive: { ...usual.receive, ...ETH, address: made.payout, memo: made.memo, txId: made.payoutTx },
  });
  const [, value] = made.label.split('=');
  return {
    ...rowOf(index, false),
    id: made.id,
    idempotency_key: made.key,
    order_number: made.order,
    refund_address: made.refund,
    request: JSON.stringify({ ...INTENT, deposit: ETH, receive: ETH, address: made.payout, memo: made.memo }),
    snapshot,
    first_snapshot: snapshot,
    labels: JSON.stringify({ customer: value }),
  };
}

/** Numbers from 0 to below 1, the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A text that a person may type for a fact, and the swaps that have it. */
function typed(made: MadeUp, all: readonly MadeUp[], random: () => number) {
  const kinds = Object.keys(made) as (keyof MadeUp)[];
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'order';
  const fact = made[kind];
  const isHexadecimal = /Tx$|deposit|payout|refund/.test(kind);
  const spelled = isHexadecimal && random() < 0.5 ? fact.toUpperCase().replace('0X', '0x') : fact;
  const isPrefix = kind.endsWith('Tx') && random() < 0.5;
  const text = isPrefix ? spelled.slice(0, 8 + Math.floor(random() * 20)) : spelled;
  const plain = text.toLowerCase();
  const has = isPrefix
    ? (each: MadeUp) => each[kind].startsWith(plain)
    : (each: MadeUp) => each[kind] === fact;
  return { text, orders: all.filter(has).map(({ order }) => order) };
}

/** Fills a ledger, and looks for random facts: each finds the swap that has it, or all that have it. */
export async function checkRandomFacts(location: string, swaps: number, facts: number): Promise<void> {
  const all = Array.from({ length: swaps }, (_, index) => madeUp(index, swaps));
  await fillRows(location, swaps, (index) => rowWith(index, all[index] ?? madeUp(index, swaps)));
  const ledger = await openLedger(location);
  const random = numbersFrom(swaps);
  try {
    for (let count = 0; count < facts; count += 1) {
      const made = all[Math.floor(random() * swaps)];
      if (made === undefined) continue;
      const { text, orders } = typed(made, all, random);
      const found = (await findSwaps(ledger, text, OWNER)).map(({ entry }) => entry.order);
      expect([text, found.toSorted()]).toEqual([text, orders.toSorted()]);
    }
  } finally {
    await ledger.close();
  }
}
