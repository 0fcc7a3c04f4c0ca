import { describe, expect, it } from 'vitest';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import type { Desk } from './desk.ts';
import { deskWith, endsOf, except, resultsOf, YES } from './desk.ts';

/** A file of equal rows with these invoice numbers; an empty one has no label. */
function invoices(...numbers: readonly string[]): string {
  const rows = numbers.map((number) => `BTC,ETH,0.1,${ADDRESSES.eth},${number}\n`);
  return `from,to,amount,address,label.invoice\n${rows.join('')}`;
}

const batch = (desk: Desk, text: string, ...flags: readonly string[]) =>
  desk.run(['batch', desk.file('rows.csv', text), ...YES, ...flags]);

/** Order and invoice of each line. */
const paid = (run: Parameters<typeof resultsOf>[0]) =>
  resultsOf(run).map(({ outcome, swap }) => [outcome, swap?.order, swap?.labels['invoice']]);

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

  it('is created once with --repeat, even while the first order is open', async () => {
    const desk = await deskWith();
    await batch(desk, invoices('1'));
    const repeated = await batch(desk, invoices('2'), '--repeat');
    expect([repeated.error, paid(repeated)]).toEqual([null, [['created', 'ORDER2', '2']]]);
    for (const flags of [[], ['--repeat'], ['--resume']]) {
      const again = await batch(desk, invoices('2', '1'), ...flags);
      expect(paid(again)).toEqual([
        ['existing', 'ORDER2', '2'],
        ['existing', 'ORDER1', '1'],
      ]);
    }
    const front = await batch(desk, invoices('3', '1', '2'), '--repeat');
    expect(paid(front)).toEqual([
      ['created', 'ORDER3', '3'],
      ['existing', 'ORDER1', '1'],
      ['existing', 'ORDER2', '2'],
    ]);
    expect(desk.service.posts()).toBe(3);
  });

  it('is created with its own key, and matches the earlier order with --resume', async () => {
    const desk = await deskWith();
    await batch(desk, invoices('1'));
    const resumed = await batch(desk, invoices('2'), '--resume');
    expect(paid(resumed)).toEqual([['existing', 'ORDER1', '1']]);
    const keyed = (invoice: string) =>
      `from,to,amount,address,key,label.invoice\nBTC,ETH,0.1,${ADDRESSES.eth},mine,${invoice}\n`;
    expect(paid(await batch(desk, keyed('2')))).toEqual([['created', 'ORDER2', '2']]);
    const other = await batch(desk, keyed('3'));
    expect(paid(other)).toEqual([['existing', 'ORDER2', '2']]);
    expect(other.stderr).toContain('Order ORDER2 has the label invoice=2, not invoice=3');
    expect(desk.service.posts()).toBe(2);
  });

  it('in the same file is a separate swap, and later files match it by its labels, whatever the order of their rows', async () => {
    const desk = await deskWith();
    const first = await batch(desk, invoices('1', '2', '3'));
    expect(paid(first).map(([outcome]) => outcome)).toEqual(['created', 'created', 'created']);
    const orders = new Map(paid(first).map(([, order, invoice]) => [invoice, order]));
    for (const file of [['3', '1', '2'], ['3'], ['2', '3'], ['2']]) {
      const run = await batch(desk, invoices(...file));
      expect(paid(run)).toEqual(file.map((invoice) => ['existing', orders.get(invoice), invoice]));
    }
    const more = await batch(desk, invoices('1', '2', '3', '4'));
    expect(paid(more).map(([outcome]) => outcome)).toEqual(['existing', 'existing', 'existing', 'created']);
    const refused = await batch(desk, invoices('3', '5'));
    expect(refused.error?.details).toMatchObject({ refused: 1, errors: [{ row: 2 }] });
    expect(desk.service.posts()).toBe(4);
  });

  it('is not created while the earlier outcome is unknown, even with --repeat', async () => {
    const desk = await deskWith(except({ 0.1: 'lost' }));
    await batch(desk, invoices('1'));
    for (const flags of [[], ['--repeat']]) {
      const run = await batch(desk, invoices('2'), ...flags);
      expect(JSON.stringify(run.error?.details)).toContain(
        'has an unknown outcome and has the label invoice=1, while this row has the label invoice=2.',
      );
    }
    const same = await batch(desk, invoices('1'));
    expect(endsOf(same)).toEqual([[1, 'unknown', null]]);
    expect(desk.service.posts()).toBe(1);
  });
});

describe('swapctl create', () => {
  const create = ['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, ...YES];

  it('names both labels if a recent swap differs only in labels', async () => {
    const desk = await deskWith();
    await desk.run([...create, '--label', 'invoice=1']);
    const second = await desk.run([...create, '--label', 'invoice=2']);
    expect(second.stderr).toContain('but the label invoice=1, while this swap has the label invoice=2.');
    expect(second.stderr).not.toContain('duplicate');
    const third = await desk.run([...create, '--label', 'invoice=1']);
    expect(third.stderr).toContain('Order ORDER1, created');
    expect(third.stderr).toContain('You would be creating a duplicate.');
  });

  it('names both labels if its idempotency key was used with other labels', async () => {
    const desk = await deskWith();
    const keyed = [...create, '--idempotency-key', 'k'];
    await desk.run([...keyed, '--label', 'invoice=1']);
    const other = await desk.run([...keyed, '--label', 'invoice=2']);
    expect(JSON.parse(other.stdout)).toMatchObject({ order: 'ORDER1', replayed: true });
    expect(other.stderr).toContain(
      'Order ORDER1 has the label invoice=1, not invoice=2: labels are not changed.',
    );
    for (const labels of [[], ['--label', 'invoice=1']])
      expect((await desk.run([...keyed, ...labels])).stderr).not.toContain('labels are not changed');
    expect(desk.service.posts()).toBe(1);
  });
});
