import type { Report } from '../../../src/core/ledger/report/report.ts';
import type { Committed } from '../world/committed.ts';
import { signOfDifference, sumOf } from './decimals.ts';
import type { Model } from './model.ts';

const PAID = [4, 12];
const FAILED = [5, 6];
const REFUNDED = [13];
const ENDS = [...PAID, ...FAILED, ...REFUNDED];

/** An order of the service as it ended. */
export interface Ending {
  readonly status: number;
  readonly text: string;
}

/** Orders as they ended, by their numbers. */
export type Endings = ReadonlyMap<string, Ending>;

/** What is left when nothing goes wrong any more. */
interface Rest {
  readonly model: Model;
  readonly disk: Committed;
}

/** The status of an order in the service's words. */
export function endingOf(text: string): Ending {
  return { text, status: Number.parseInt(/"status":([0-9]+)/.exec(text)?.[1] ?? '0', 10) };
}

/** Nothing is forgotten: the ledger has each of its orders as it ended. */
export function checkStatuses({ model, disk }: Rest, endings: Endings): void {
  const rows = disk.rows<{ order_number: string; account: string; status_code: number; doubts: string }>(
    `select order_number, account, status_code, doubts from intents where outcome = 'created'`,
  );
  for (const { order_number: order, account, status_code: code, doubts } of rows) {
    const ending = endings.get(order);
    // An answer to the same create of another key pair: the service does not show its order to this one.
    if (model.orders.get(order)?.post.account.owner.account !== account) continue;
    // What has ended is not polled again; a payout counts as the end before it is confirmed.
    if (ending === undefined || ending.status === code || ENDS.includes(code) || doubts !== '[]') continue;
    throw model.fail('followed', `${order} ended in status ${ending.status}, and the ledger has ${code}`);
  }
}

/** The sums of a report agree with the orders. Returns the numbers of the orders that the ledger has. */
export function checkReport(
  { model, disk }: Rest,
  total: Report['total'],
  endings: Endings,
): readonly string[] {
  const rows = disk.rows<{ order_number: string | null; outcome: string; status_code: number | null }>(
    'select order_number, outcome, status_code from intents',
  );
  // As the ledger last saw them: an order that has ended may go on at the service.
  const own = rows
    .filter(({ outcome }) => outcome === 'created')
    .map(({ order_number: order, status_code: code }) => ({ order: order ?? '', code: code ?? 0 }));
  const count = (wanted: readonly number[]) => own.filter(({ code }) => wanted.includes(code)).length;
  const expected = {
    count: rows.length,
    created: own.length,
    paid: count(PAID),
    failed: count(FAILED),
    refunded: count(REFUNDED),
    unknown: rows.filter(({ outcome }) => outcome === 'unknown').length,
  };
  for (const [name, value] of Object.entries(expected)) {
    const reported = total[name as keyof typeof expected];
    if (reported !== value)
      throw model.fail('report', `${name} is ${reported} in the report, and ${value} in truth`);
  }
  // What contradicts the agreement is counted as the service told it.
  const isDoubted = disk.rows(`select id from intents where doubts <> '[]' limit 1`).length > 0;
  const paid = own.filter(({ code }) => PAID.includes(code));
  const sums = volumes(paid.map(({ order }) => endings.get(order)?.text ?? ''));
  for (const { coin, deposit, receive } of isDoubted ? [] : total.volume) {
    const sum = sums.get(coin) ?? { deposit: '0', receive: '0' };
    if (signOfDifference(deposit, sum.deposit) !== 0 || signOfDifference(receive, sum.receive) !== 0)
      throw model.fail(
        'report',
        `${coin}: ${deposit} and ${receive} in the report, ${sum.deposit} and ${sum.receive} in truth`,
      );
  }
  return rows.flatMap(({ order_number: order }) => (order === null ? [] : [order]));
}

/** Deposits and payouts by coin, from the texts of the service. */
function volumes(texts: readonly string[]): ReadonlyMap<string, { deposit: string; receive: string }> {
  const sums = new Map<string, { deposit: string; receive: string }>();
  const add = (coin: string, side: 'deposit' | 'receive', amount: string) => {
    const sum = sums.get(coin) ?? { deposit: '0', receive: '0' };
    sum[side] = sumOf(sum[side], amount);
    sums.set(coin, sum);
  };
  for (const text of texts) {
    const names = [...text.matchAll(/"name":"([^"]*)","value":"?([0-9.]+)/g)];
    add(names[0]?.[1] ?? '', 'deposit', names[0]?.[2] ?? '0');
    add(names[1]?.[1] ?? '', 'receive', /"receiveTransaction":.*?"amount":([0-9.]+)/.exec(text)?.[1] ?? '0');
  }
  return sums;
}

/** The service neither makes nor loses money: it pays out what was paid in, and nothing else. */
export function checkMoney({ model }: Rest, endings: Endings): void {
  for (const [order, { status, text }] of endings) {
    const truth = model.orders.get(order);
    if (truth === undefined) continue;
    const hasPaidOut = /"receiveTransaction":\{"txId":"[^"]+/.test(text);
    if (hasPaidOut && truth.paid.length === 0)
      throw model.fail('money', `${order} paid out without a deposit`);
    if (PAID.includes(status) !== hasPaidOut)
      throw model.fail('money', `${order} ended in ${status}, paid out: ${hasPaidOut}`);
    const deposit = /"value":"?([0-9.]+)/.exec(text)?.[1] ?? '0';
    const isReal = truth.paid.some((amount) => signOfDifference(amount, deposit) === 0);
    if (hasPaidOut && !isReal)
      throw model.fail('money', `${order} counts a deposit of ${deposit}; people paid ${truth.paid}`);
  }
}

/** No table of the ledger has a secret. */
export function checkSecrets({ model, disk }: Rest): void {
  for (const table of ['intents', 'changes', 'events', 'event_attempts', 'guards', 'approvals', 'audit']) {
    const text = JSON.stringify(disk.rows(`select * from ${table}`));
    if (model.hasSecret(text)) throw model.fail('secrets', `table ${table} has a secret`);
  }
}
