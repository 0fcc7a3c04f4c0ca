import { expect, it } from 'vitest';
import { tamper } from '../../../helpers/ledger-damage.ts';
import { scriptedPrompter } from '../../../helpers/prompter.ts';
import { AT_TERMINAL, type RanHere } from '../../../helpers/run-here.ts';
import { profileAt, SECRET } from '../../../helpers/scene.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { AT_ONCE, amounts, type Desk, deskWith, endsOf, ledgerOf, YES } from './desk.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 31, 12);

/** A batch at a time. */
const batch = (desk: Desk, file: string, now: number, ...flags: readonly string[]): Promise<RanHere> =>
  desk.run(['batch', file, ...YES, ...AT_ONCE, ...flags], { now: () => now });

/** A file of equal rows with these invoice numbers; an empty one has no label. */
function invoices(...numbers: readonly string[]): string {
  const rows = numbers.map((number) => `BTC,ETH,0.1,${ADDRESSES.eth},${number}\n`);
  return `from,to,amount,address,label.invoice\n${rows.join('')}`;
}

/** What became of an order, as the ledger knows it. */
function change(desk: Desk, order: string, path: string, value: string): void {
  const set = `snapshot = json_set(snapshot, '$.${path}', ${value})`;
  tamper(ledgerOf(desk), `update intents set ${set} where order_number = '${order}'`);
}

it('a row whose order has a mismatch is reported as existing with a warning not to fund it', async () => {
  const desk = await deskWith();
  const file = desk.file('january.csv', amounts('0.1'));
  await batch(desk, file, NOW);
  tamper(ledgerOf(desk), `update intents set doubts = '["deposit_changed"]'`);
  const again = await batch(desk, file, NOW);
  expect([again.error, endsOf(again)]).toEqual([null, [[1, 'existing', 'ORDER1']]]);
  expect(again.stderr).toContain('row 1, order ORDER1: mismatch: deposit_changed. Do not fund it');
});

it('a row that differs from an earlier row only in its labels is rejected with row, order, both labels and the flags that create it', async () => {
  const desk = await deskWith();
  await desk.batch(invoices('1'));
  const { error } = await desk.batch(invoices('2'));
  expect(error).toMatchObject({ code: 'usage', exitCode: 2, outcome: 'nothing-sent' });
  expect(error?.details).toMatchObject({
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
  const common = await desk.batch(invoices(''), '--label', 'invoice=4');
  expect(common.error?.details).toMatchObject({ errors: [{ row: 1 }] });
  const none = await desk.batch(invoices(''));
  expect(JSON.stringify(none.error?.details)).toContain('while this row has no labels');
  expect(desk.service.posts()).toBe(1);
});

it('a row for which another batch created an order with other labels since the check is not that order', async () => {
  const desk = await deskWith();
  const confirm = async () => (await desk.batch(invoices('2'))).error === null;
  const prompter = { ...scriptedPrompter([]), confirm };
  const one = ['batch', desk.file('one.csv', invoices('1')), '--json'];
  const { stdout } = await desk.run(one, { terminals: AT_TERMINAL, prompter });
  const message = expect.stringContaining('Another process created order ORDER1 for an equal row');
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'not-sent', error: { code: 'usage', message } });
  expect(desk.service.posts()).toBe(1);
});

it('a row whose order is final is rejected with order and age, kept with --resume, and created again with --repeat', async () => {
  const [desk, later] = [await deskWith(), NOW + HOUR];
  await batch(desk, desk.file('january.csv', amounts('0.1')), NOW);
  change(desk, 'ORDER1', 'final', "json('true')");
  change(desk, 'ORDER1', 'status', "'overdue'");
  const says = /ORDER1 .* 1 hour ago and has ended as overdue/;
  const file = desk.file('february.csv', amounts('0.2', '0.10'));
  const refused = await batch(desk, file, later);
  expect(refused.error).toMatchObject({ code: 'usage', exitCode: 2, outcome: 'nothing-sent' });
  const message = expect.stringMatching(says);
  expect(refused.error?.details).toMatchObject({ errors: [{ row: 2, column: null, message }] });
  expect([refused.stdout, desk.service.posts()]).toEqual(['', 1]);

  const resumed = await batch(desk, desk.file('one.csv', amounts('0.1')), later, '--resume');
  expect([resumed.error, endsOf(resumed)]).toEqual([null, [[1, 'existing', 'ORDER1']]]);
  expect(resumed.stderr).not.toContain('row 1');

  const review = await batch(desk, file, later, '--repeat', '--dry-run');
  expect(JSON.parse(review.stdout)).toMatchObject({ toCreate: 2, repeated: 1, existing: 0 });
  const repeated = await batch(desk, file, later, '--repeat');
  expect([repeated.error, endsOf(repeated).map(([, outcome]) => outcome)]).toEqual([
    null,
    ['created', 'created'],
  ]);
  expect(desk.service.posts()).toBe(3);
  // The newest order is the row's order from then on.
  const again = await batch(desk, file, later + HOUR);
  expect(endsOf(again).map(([, outcome]) => outcome)).toEqual(['existing', 'existing']);
  expect(desk.service.posts()).toBe(3);
});

it('a batch with --repeat creates only the missing rows when it runs again within a day, even if an order is final', async () => {
  const desk = await deskWith();
  const file = desk.file('rows.csv', amounts('0.1', '0.2'));
  await batch(desk, file, NOW - 30 * DAY);
  // Killed after the first row: the file had only that one.
  await batch(desk, desk.file('first.csv', amounts('0.1')), NOW, '--repeat');
  change(desk, 'ORDER3', 'final', "json('true')");
  const rest = await batch(desk, file, NOW + DAY - 1, '--repeat');
  expect(endsOf(rest)).toEqual([
    [1, 'existing', 'ORDER3'],
    [2, 'created', 'ORDER4'],
  ]);
  expect(desk.service.posts()).toBe(4);
});

it('rows match orders by key pair, regardless of the profile name', async () => {
  const desk = await deskWith();
  const file = desk.file('rows.csv', amounts('0.1'));
  const { SWAPCTL_BASE_URL: url = '', SWAPCTL_PUBLIC_KEY: key = '' } = profileAt(desk.service.url);
  const none = { SWAPCTL_BASE_URL: '', SWAPCTL_PUBLIC_KEY: '', SWAPCTL_SECRET: '' };
  const as = async (name: string, publicKey: string) => {
    const login = `auth login -p ${name} --base-url ${url} --public-key ${publicKey} --with-secret`;
    expect((await desk.run(login.split(' '), { env: none, input: SECRET })).error).toBeNull();
    return desk.run(['batch', file, ...YES, '-p', name], { env: none, now: () => NOW + 1000 });
  };
  const first = await batch(desk, file, NOW);
  const outcomes = [first, await as('prod', key), await as('other', 'pk-other')].map(
    (run) => endsOf(run)[0]?.[1],
  );
  expect(outcomes).toEqual(['created', 'existing', 'created']);
});
