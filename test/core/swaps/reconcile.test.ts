import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/core/ledger/entry.ts';
import type { Swap } from '../../../src/core/swap/swap.ts';
import { FIELDS, reconcile } from '../../../src/core/swaps/reconcile.ts';
import { INTENT, swapOf } from '../ledger/entries.ts';

const EVER = { since: null, until: null };

/** Compares one field of a swap of the ledger with the cell of a statement. */
async function compared(name: string, swap: Swap | null, cell: string | null | undefined) {
  const compared = FIELDS.filter((field) => field.name === name).map((field) => ({ field }));
  const rows = new Map([['A', cell === undefined ? [] : [cell]]]);
  async function* entries() {
    yield { order: 'A', requestedAt: 1, swap, sent: null };
  }
  const statement = { rows, columns: { compared }, duplicates: [] };
  const { result, unknown } = await reconcile(entries(), EVER, statement);
  return result.differs.length > 0 ? 'differs' : unknown.size > 0 ? 'unknown' : 'same';
}

const paid = swapOf('A', 4);
const promised = { ...paid, receive: { ...paid.receive, paidAmount: null } };
const unnamed = { ...paid, receive: { ...paid.receive, network: null } };
const timed = { ...paid, createdAt: '2026-01-15T12:00:00.700Z' };

describe('a reconciliation', () => {
  it.each<readonly [string, Swap | null, string | null | undefined, string]>([
    ['amount', paid, '+0.1000000000000000010', 'same'],
    ['amount', paid, '0.100000000000000001', 'same'],
    ['amount', paid, '-0.100000000000000001', 'differs'],
    ['amount', paid, '--1', 'differs'],
    ['amount', paid, null, 'differs'],
    ['amount', paid, undefined, 'differs'],
    ['amount', null, '7', 'unknown'],
    ['amount', null, null, 'same'],
    ['receive', promised, null, 'same'],
    ['receive', { ...paid, receive: { ...paid.receive, paidAmount: '250' } }, null, 'differs'],
    ['receive', { ...paid, receive: { ...paid.receive, paidAmount: '250' } }, '250', 'same'],
    ['receive', promised, '250.000001', 'same'],
    ['deposit.memo', paid, null, 'same'],
    ['deposit.txId', paid, 'f00d', 'unknown'],
    ['deposit.txId', paid, null, 'same'],
    ['status', paid, '004', 'same'],
    ['status', paid, '0004', 'differs'],
    ['status', swapOf('A', 1), 'confirmation', 'same'],
    ['createdAt', timed, '2026-01-15T12:00:00.100Z', 'same'],
    ['createdAt', timed, '2026-01-15T12:00:01Z', 'differs'],
    ['createdAt', timed, '2026-01-15 12:00:00', 'same'],
    ['createdAt', timed, '2026-01-15 13:00:00+0100', 'same'],
    ['createdAt', timed, '1768478400', 'same'],
    ['createdAt', timed, 'noon', 'differs'],
    ['createdAt', { ...timed, createdAt: 'noon' }, 'dusk', 'differs'],
    ['type', paid, 'FLOAT', 'same'],
    ['type', paid, 'fixed', 'differs'],
    ['address', unnamed, INTENT.address.toLowerCase(), 'differs'],
    ['deposit.address', paid, (paid.deposit.address ?? '').toUpperCase(), 'same'],
    ['receive.address', paid, (paid.deposit.address ?? '').toUpperCase(), 'differs'],
  ])('compares $0 with $2: $3', async (name, swap, cell, expected) => {
    expect(await compared(name, swap, cell)).toBe(expected);
  });

  it('lists what matches, differs, or is on one side only', async () => {
    const none = { ...paid, deposit: { ...paid.deposit, txId: null } };
    const sent = { txId: 'f00d' } as Entry['sent'];
    async function* entries() {
      for (const order of ['A', 'B', 'C', 'D']) yield { order, requestedAt: 1, swap: none, sent };
      yield { order: 'E', requestedAt: 1, swap: null, sent };
      yield { order: 'F', requestedAt: 1, swap: swapOf('F', 1), sent: null };
    }
    const rows = new Map(['A', 'B', 'E', 'G'].map((order) => [order, ['f00d']]));
    const compared = FIELDS.filter(({ name }) => name === 'deposit.txId').map((field) => ({ field }));
    const statement = { rows: rows.set('C', ['beef']), columns: { compared }, duplicates: [] };
    const { result, open } = await reconcile(entries(), EVER, statement);
    const differs = [{ order: 'C', field: 'deposit.txId', here: 'f00d', there: 'beef' }];
    const sides = { onlyHere: ['D', 'F'], onlyThere: ['G'] };
    expect(result).toEqual({ matched: 3, ...sides, duplicates: [], differs });
    expect(open).toBe(1);
  });

  it('covers a period from its first millisecond until before its end', async () => {
    async function* entries() {
      for (const at of [9, 10, 19, 20]) yield { order: `${at}`, requestedAt: at, swap: paid, sent: null };
      yield { order: null, requestedAt: 15, swap: null, sent: null };
    }
    const statement = { rows: new Map(), columns: { compared: [] }, duplicates: [] };
    const { result, open } = await reconcile(entries(), { since: 10, until: 20 }, statement);
    expect([result.onlyHere, open]).toEqual([['10', '19'], 0]);
  });
});
