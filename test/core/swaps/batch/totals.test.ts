import { describe, expect, it } from 'vitest';
import { Totals } from '../../../../src/core/swaps/batch/totals.ts';
import { CREATE, UNPRICED } from '../../swap/requests.ts';

describe('the totals of a batch', () => {
  it('show three of the largest rows and a hundred warnings, and count the other warnings', () => {
    const totals = new Totals();
    for (let row = 1; row <= 51; row += 1)
      totals.add({ row, isRepeat: row === 7 }, UNPRICED, { deposit: '0.1', receive: '2.5' }, ['a', 'b']);
    const { largest, warnings, moreWarnings, ...figures } = totals.figures();
    expect(figures).toMatchObject({ rows: 51, toCreate: 51, repeated: 1, existing: 0, unknown: 0 });
    expect(largest.map(({ row }) => row)).toEqual([1, 2, 3]);
    expect([warnings.length, warnings.at(-1), moreWarnings]).toEqual([100, { row: 50, warning: 'b' }, 2]);
    expect(figures.totals).toMatchObject([
      { ...CREATE.deposit, side: 'deposit', rows: 51, amount: '5.1', estimated: false },
      { ...CREATE.receive, side: 'receive', rows: 51, amount: '127.5', estimated: true },
    ]);
  });
  it('count existing orders with the newest time, and unknown outcomes separately', () => {
    const totals = new Totals();
    for (const requestedAt of [1000, 3000, 2000]) totals.addExisting({ outcome: 'created', requestedAt });
    totals.addExisting({ outcome: 'unknown', requestedAt: 9000 });
    const counts = { rows: 4, toCreate: 0, existing: 3, unknown: 1 };
    expect(totals.figures()).toMatchObject({ ...counts, lastExistingAt: '1970-01-01T00:00:03.000Z' });
  });
});
