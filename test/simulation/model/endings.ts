import type { Report } from '../../../src/core/ledger/report/report.ts';
import type { Reconciliation } from '../../../src/core/swaps/reconcile.ts';
import type { Random } from '../random.ts';
import type { Committed } from '../world/committed.ts';
import { OTHER_COIN } from '../world/lies.ts';
import { signOfDifference, sumOf } from './decimals.ts';
import type { Model } from './model.ts';
import { ENDS, FAILED, PAID, REFUNDED, statusIn } from './order.ts';

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
  return { text, status: statusIn(text) };
}

/** How the ledger has an order that was created. */
interface Kept {
  readonly id: string;
  readonly order: string;
  readonly account: string;
  readonly code: number;
  readonly doubts: string;
}

function keptOrders({ disk }: Rest): readonly Kept[] {
  return disk.rows<Kept>(
    `select id, order_number as "order", account, status_code as code, doubts from intents where outcome = 'created'`,
  );
}

/** Nothing is forgotten or made up: the ledger has each of its orders as it ended. */
export function checkStatuses(rest: Rest, endings: Endings): void {
  const { model } = rest;
  for (const kept of keptOrders(rest)) {
    const { order, account, code } = kept;
    const truth = model.orders.get(order);
    // An answer to the same create of another key pair: the service does not show its order to this one.
    if (truth?.post.account.owner.account !== account || !endings.has(order)) continue;
    // What has ended is not polled again, and may go on at the service: paid late, or sent back.
    const mayDiffer = ENDS.includes(code) && truth.reported.has(code);
    if (hasGoneOn(kept, endings) && !mayDiffer)
      throw model.fail(
        'followed',
        `${order} ended in ${endings.get(order)?.status}, and the ledger has ${code}`,
      );
  }
}

/** The sums of a report agree with the orders of its accounts, and have nothing of any other. */
export function checkReport(
  rest: Rest,
  total: Report['total'],
  endings: Endings,
  isOwn: (entry: Pick<Kept, 'account'>) => boolean = () => true,
): void {
  const { model } = rest;
  const entries = [...model.intents.values()].filter(isOwn);
  const own = keptOrders(rest).filter(isOwn);
  const of = (wanted: readonly number[]) => own.filter(({ code }) => wanted.includes(code));
  const having = (outcome: string) => entries.filter((entry) => entry.outcome === outcome).length;
  const expected = {
    count: entries.length,
    created: having('created'),
    paid: of(PAID).length,
    failed: of(FAILED).length,
    refunded: of(REFUNDED).length,
    unknown: having('unknown'),
  };
  for (const [name, value] of Object.entries(expected)) {
    const reported = total[name as keyof typeof expected];
    if (reported !== value)
      throw model.fail('report', `${name} is ${reported} in the report, and ${value} in truth`);
  }
  const textsOf = (orders: readonly Kept[]) => orders.map(({ order }) => endings.get(order)?.text ?? '');
  const [paid, refunded] = [textsOf(of(PAID)), textsOf(of(REFUNDED))];
  // What contradicts the agreement is added up as it was told, and the fees of what went on as they were.
  const coinsWhere = (is: (each: Kept) => boolean) =>
    new Set([OTHER_COIN, ...own.filter(is).flatMap(({ order }) => coinsOf(endings.get(order)?.text))]);
  const reportedOtherwise = coinsWhere((each) => isLiedAbout(model, each));
  const [volume, fees] = [total.volume, total.fees];
  for (const [what, reported, amounts, unknown] of [
    ['deposits', volume.map(({ coin, deposit }) => ({ coin, amount: deposit })), paid.map(depositOf)],
    ['payouts', volume.map(({ coin, receive }) => ({ coin, amount: receive })), paid.map(payoutOf)],
    // The share is a hundred per cent.
    ['share', total.share, paid.map(depositOf)],
    ['refunds', total.refunds, refunded.map(depositOf)],
    ['fees', fees, textsOf(own).flatMap(feesOf), coinsWhere((each) => hasGoneOn(each, endings))],
  ] as const) {
    const sums = new Map<string, string>();
    for (const { coin, amount } of amounts) sums.set(coin, sumOf(sums.get(coin) ?? '0', amount));
    for (const coin of new Set([...sums.keys(), ...reported.map((each) => each.coin)])) {
      const there = reported.find((each) => each.coin === coin)?.amount ?? '0';
      const sum = sums.get(coin) ?? '0';
      if (signOfDifference(there, sum) !== 0 && !reportedOtherwise.has(coin) && unknown?.has(coin) !== true)
        throw model.fail('report', `${what} of ${coin} are ${there} in the report, and ${sum} in truth`);
    }
  }
}

/** Whether the last answer about an order, which the ledger keeps, was changed on the way. */
function isLiedAbout(model: Model, { order, doubts }: Kept): boolean {
  return doubts !== '[]' && model.liedAbout.has(order);
}

/** A statement of the service: the cells of its orders, by the names of the fields. */
type Cells = Readonly<Record<(typeof STATED)[number], string | null>>;

/** Fields of a statement. */
export const STATED = ['status', 'from', 'amount', 'to', 'receive', 'address', 'memo', 'type'] as const;

/** What the service would write into a statement of all orders. */
function statementOf({ model }: Rest, endings: Endings): ReadonlyMap<string, Cells> {
  const cellsOf = ([order, { status, text }]: readonly [string, Ending]) => {
    const truth = model.orders.get(order);
    const cells: Cells = {
      status: String(status),
      type: truth?.type ?? null,
      from: truth?.deposit.coin ?? null,
      amount: depositIn(text),
      to: truth?.receive.coin ?? null,
      receive: payoutIn(text),
      address: truth?.receive.address ?? null,
      memo: truth?.receive.memo ?? null,
    };
    return [order, cells] as const;
  };
  return new Map([...endings].map(cellsOf));
}

/** A statement with mistakes: it lacks an order, and has another value in a cell. */
interface Mistaken {
  readonly stated: ReadonlyMap<string, Cells>;
  readonly omitted: string | undefined;
  readonly wrong: { readonly order: string; readonly field: (typeof STATED)[number] } | undefined;
}

/** {@link statementOf} with mistakes in it, which the comparison has to find. */
export function mistakenStatement(rest: Rest, endings: Endings, random: Random): Mistaken {
  const stated = new Map(statementOf(rest, endings));
  const kept = keptOrders(rest).filter((each) => !hasGoneOn(each, endings) && !isLiedAbout(rest.model, each));
  const orders = kept.map(({ order }) => order).filter((order) => stated.has(order));
  if (orders.length < 2) return { stated, omitted: undefined, wrong: undefined };
  const omitted = random.pick(orders);
  stated.delete(omitted);
  const order = random.pick(orders.filter((each) => each !== omitted));
  const field = random.pick(STATED);
  const cells = stated.get(order);
  const status = cells?.status === '13' ? '6' : '13';
  const amounts = { amount: '0.77', receive: '0.77' };
  const others: Cells = {
    status,
    from: OTHER_COIN,
    to: OTHER_COIN,
    ...amounts,
    address: 'elsewhere',
    memo: '77',
    type: '',
  };
  if (cells !== undefined) stated.set(order, { ...cells, [field]: others[field] });
  return { stated, omitted, wrong: { order, field } };
}

/** What has ended in the ledger, and went on at the service. */
function hasGoneOn({ order, code }: Kept, endings: Endings): boolean {
  return endings.get(order)?.status !== code;
}

/** A statement compared with the ledger finds its mistakes and the orders that the ledger does not have, and nothing else. */
export function checkReconciled(
  rest: Rest,
  { onlyHere, onlyThere, differs }: Pick<Reconciliation, 'onlyHere' | 'onlyThere' | 'differs'>,
  endings: Endings,
  { omitted, wrong }: Mistaken,
): void {
  const { model, disk } = rest;
  const rows = disk.rows<{ order_number: string }>('select order_number from intents');
  const here = new Set(rows.map((row) => row.order_number));
  const missing = [...endings.keys()].filter((order) => !here.has(order));
  const lost = missing.filter((order) => model.recorded.has(order));
  if (lost.length > 0) throw model.fail('acknowledged', `${lost} are not in the ledger any more`);
  if (new Set(onlyHere).size > (omitted === undefined ? 0 : 1) || onlyHere[0] !== omitted)
    throw model.fail('reconcile', `only here ${onlyHere} in place of ${omitted}`);
  if (onlyThere.toSorted().join() !== missing.toSorted().join())
    throw model.fail('reconcile', `only there ${onlyThere} in place of ${missing}`);
  if (
    wrong !== undefined &&
    !differs.some(({ order, field }) => order === wrong.order && field === wrong.field)
  )
    throw model.fail('reconcile', `another ${wrong.field} of ${wrong.order} in the statement is not found`);
  const kept = new Map(keptOrders(rest).map((each) => [each.order, each]));
  for (const { order, field, here: own, there } of differs) {
    const each = kept.get(order);
    // An entry of unknown outcome has what contradicts it.
    if (each === undefined || hasGoneOn(each, endings) || isLiedAbout(model, each)) continue;
    if (order === wrong?.order && field === wrong.field) continue;
    throw model.fail('reconcile', `${field} of ${order} is ${own} here, and ${there} at the service`);
  }
}

/** An amount in the text of an order. */
interface CoinAmount {
  readonly coin: string;
  readonly amount: string;
}

function depositOf(text: string): CoinAmount {
  return { coin: coinsOf(text)[0] ?? '', amount: depositIn(text) };
}

function payoutOf(text: string): CoinAmount {
  return { coin: coinsOf(text)[1] ?? '', amount: payoutIn(text) ?? '0' };
}

/** Network fees of deposit and payout. */
function feesOf(text: string): readonly CoinAmount[] {
  const [from = '', to = ''] = coinsOf(text);
  const amountOf = (name: string) => new RegExp(`"${name}":([0-9.]+)`).exec(text)?.[1] ?? '0';
  return [
    { coin: from, amount: amountOf('feeNodeDeposit') },
    { coin: to, amount: amountOf('fees') },
  ];
}

function coinsOf(text = ''): readonly string[] {
  return [...text.matchAll(/"name":"([^"]*)","value"/g)].map(([, coin = '']) => coin);
}

function depositIn(text: string): string {
  return /"value":"?([0-9.]+)/.exec(text)?.[1] ?? '0';
}

/** Amount of the payout; null before it is sent. */
function payoutIn(text: string): string | null {
  return /"receiveTransaction":\{"txId":"[^"]+.*?"amount":([0-9.]+)/.exec(text)?.[1] ?? null;
}

/** The service neither makes nor loses money: it pays out what was paid in, and nothing else. */
export function checkMoney({ model }: Rest, endings: Endings): void {
  for (const [order, { status, text }] of endings) {
    const truth = model.orders.get(order);
    if (truth === undefined) continue;
    const hasPaidOut = payoutIn(text) !== null;
    if (hasPaidOut && truth.paid.length === 0)
      throw model.fail('money', `${order} paid out without a deposit`);
    if (PAID.includes(status) !== hasPaidOut)
      throw model.fail('money', `${order} ended in ${status}, paid out: ${hasPaidOut}`);
    const deposit = depositIn(text);
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
