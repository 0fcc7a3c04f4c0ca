import { describe, expect, it } from 'vitest';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { type Desk, deskWith, YES } from './desk.ts';

/** A file of equal rows with these invoice numbers; an empty one has no label. */
function invoices(...numbers: readonly string[]): string {
  const rows = numbers.map((number) => `BTC,ETH,0.1,${ADDRESSES.eth},${number}\n`);
  return `from,to,amount,address,label.invoice\n${rows.join('')}`;
}

const batch = (desk: Desk, text: string, ...flags: readonly string[]) =>
  desk.run(['batch', desk.file('rows.csv', text), ...YES, ...flags]);

describe('a row that differs from an earlier row only in its labels', () => {
  it('is rejected with row, order, both labels and the flags that would create it', async () => {
    const desk = await deskWith();
    await batch(desk, invoices('1'));
    for (const flags of [[], ['--dry-run']]) {
      const run = await batch(desk, invoices('2'), ...flags);
      expect(run.error).toMatchObject({ code: 'usage', exitCode: 2, outcome: 'nothing-sent' });
      expect(run.error?.details).toMatchObject({
        errors: [
          {
            row: 1,
            message: expect.stringMatching(
              /^Order ORDER1 was created for an equal row .* and has the label invoice=1, while this row has the label invoice=2\.$/,
            ),
            hint: expect.stringMatching(/--resume .* column `key`, or --repeat to create a new order\.$/),
          },
        ],
      });
    }
    const jsonLines = { from: 'BTC', to: 'ETH', amount: '0.1', address: ADDRESSES.eth };
    const lines = await batch(desk, `${JSON.stringify({ ...jsonLines, labels: { invoice: '3' } })}\n`);
    expect(lines.error?.details).toMatchObject({ errors: [{ row: 1 }] });
    const common = await batch(desk, invoices(''), '--label', 'invoice=4');
    expect(common.error?.details).toMatchObject({ errors: [{ row: 1 }] });
    const none = await batch(desk, invoices(''));
    expect(JSON.stringify(none.error?.details)).toContain('while this row has no labels');
    expect(desk.service.posts()).toBe(1);
  });
});
