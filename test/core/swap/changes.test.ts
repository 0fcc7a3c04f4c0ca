import { expect, it } from 'vitest';
import { changesBetween } from '../../../src/core/swap/changes.ts';
import { swapOf } from '../ledger/entries.ts';

const SEEN = { swap: swapOf('AAAAAA', 9), doubts: [], refundAddress: null };

it('equal polls have no changes, even if the order number differs in letter case', () => {
  expect(changesBetween(SEEN, SEEN)).toEqual({});
  expect(changesBetween(SEEN, { ...SEEN, swap: swapOf('aaaaaa', 9) })).toEqual({});
});

it('every changed value is reported with its path, before and after', () => {
  const swap = swapOf('AAAAAA', 1);
  const deposit = { ...swap.deposit, txId: 'tx-1', confirmations: 0, amount: '0.10' };
  const later = { swap: { ...swap, deposit }, doubts: ['amount_changed'], refundAddress: 'bc1qrefund' };
  expect(changesBetween(SEEN, later)).toEqual({
    status: ['new', 'confirmation'],
    statusCode: [9, 1],
    'deposit.amount': ['0.100000000000000001', '0.10'],
    'deposit.txId': [null, 'tx-1'],
    'deposit.confirmations': [null, 0],
    refundAddress: [null, 'bc1qrefund'],
    doubts: [[], ['amount_changed']],
  });
  expect(changesBetween(later, SEEN)['doubts']).toEqual([['amount_changed'], []]);
});

it('the first poll reports known values only, without the order number', () => {
  const first = changesBetween({ ...SEEN, swap: null }, SEEN);
  expect(first['deposit.address']).toEqual([null, 'tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h']);
  expect(Object.keys(first)).not.toContain('deposit.txId');
  expect(Object.keys(first)).not.toContain('order');
});
