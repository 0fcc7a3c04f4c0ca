import { createHash } from 'node:crypto';
import { joined, shown, type Visible, visible } from '../../../base/text.ts';
import { rfc3339, wireTime } from '../../../base/time.ts';
import type { LedgerFilter } from '../../../core/ledger/filter.ts';
import type { SettledEntry } from '../../../core/ledger/listed.ts';
import { compareDecimals, type Decimal, ExactSum } from '../../../core/swap/amount.ts';
import { labelsText } from '../../../core/swap/labels.ts';
import type { Context } from '../../context.ts';
import { csvLine } from '../../terminal/encode.ts';
import { noteIncludedSwaps, reportFilter } from '../shared/accounts.ts';

export const ACCOUNTS_FORMATS = ['koinly', 'beancount'] as const;

export type AccountsFormatName = (typeof ACCOUNTS_FORMATS)[number];

/**
 * Writes the settled swaps that pass a filter for accounting software, a page at a time and `limit` at most; live ones
 * only, if there are any. Notes say which were included, and how many were left out.
 */
export async function printAccounts(
  context: Context,
  name: AccountsFormatName,
  filter: LedgerFilter,
  limit: number | null,
): Promise<void> {
  const { streams } = context;
  const format = name === 'koinly' ? KOINLY : beancount();
  const { environment } = await reportFilter(context, filter);
  const accounts = { ...filter, environment };
  const { books } = await context.ledger();
  await streams.write(format.head);
  let texts: Visible[] = [];
  const flush = async () => {
    await streams.write(joined(texts));
    texts = [];
  };
  let [written, without] = [0, 0];
  for await (const page of books.settled(accounts)) {
    for (const entry of page) {
      if (!format.statuses.includes(entry.status) || written === limit) continue;
      const settled = settledSwap(entry);
      if (settled === null) without += 1;
      else {
        texts.push(format.entry(settled));
        written += 1;
      }
    }
    await flush();
    if (written === limit) break;
  }
  noteIncludedSwaps(context, accounts);
  streams.note(`Only settled swaps (${format.statuses.join(', ')}) are exported: ${written}. Times are UTC.`);
  if (without > 0)
    streams.note(`${without} left out, because the service does not report their amounts.`, true);
}

/** Number of columns for the fee, the net worth and the label. */
const EMPTY_CELLS = 5;

/**
 * Paid swaps as trades. Refunds are left out, because the service does not report what was sent back.
 * https://support.koinly.io/en/articles/9489976-how-to-create-a-custom-csv-file-with-your-data
 */
const KOINLY: AccountsFormat = {
  statuses: ['success'],
  head: shown`Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash\r\n`,
  entry: ({ swap, at, deposit, depositCoin, paid, receiveCoin }) =>
    csvLine([
      `${at.slice(0, 19).replace('T', ' ')} UTC`,
      deposit,
      depositCoin,
      paid ?? '',
      receiveCoin,
      // The payout is the amount after its fee: a fee in its column would be deducted again.
      ...new Array<string>(EMPTY_CELLS).fill(''),
      description(swap),
      swap.receive.txId ?? '',
    ]),
};

function description({ order, profile, receive, deposit, doubts }: SettledSwap['swap']): string {
  return [
    `swapctl ${profile}, order ${order ?? ''}`,
    ...(deposit.txId === null ? [] : [`deposit ${deposit.txId}`]),
    ...(receive.fee === null ? [] : [`network fee ${receive.fee} ${receive.coin ?? ''} already deducted`]),
    ...(doubts.length === 0 ? [] : [`mismatch: ${doubts.join(', ')}`]),
  ].join('; ');
}

interface AccountsFormat {
  /** Statuses of the swaps that the format can represent. */
  readonly statuses: readonly string[];
  readonly head: Visible;
  entry(swap: SettledSwap): Visible;
}

/** A swap that has ended, with everything that accounting needs. */
type SettledSwap = NonNullable<ReturnType<typeof settledSwap>>;

/** A swap as accounting needs it; null if the service does not report the amounts. */
function settledSwap(swap: SettledEntry) {
  const { deposit, receive, endedAt, requestedAt, status } = swap;
  const paid = status === 'success' ? (receive.paidAmount ?? receive.amount) : null;
  if (deposit.coin === null || deposit.amount === null || receive.coin === null) return null;
  if (status === 'success' && paid === null) return null;
  const ended = [endedAt, receive.confirmedAt, receive.receivedAt].map(wireTime);
  const at = ended.find((time) => time !== null);
  return {
    swap,
    depositCoin: deposit.coin,
    deposit: deposit.amount,
    receiveCoin: receive.coin,
    /** What was paid out; null for a refund. */
    paid,
    /** When it ended. */
    at: rfc3339(at ?? requestedAt),
  };
}

/** Opening day of all accounts: before any swap. */
const OPENED = '2009-01-03';
const FEES = 'Expenses:Swaps:Network-Fees';
const CONVERSIONS = 'Equity:Swaps:Conversions';

/**
 * A plain-text ledger for beancount 2 and 3: a transaction for each paid and each refunded swap. The deposit is sold
 * for what was paid and the payout's network fee, which is an expense; the deposit's own fee is only metadata, because
 * it is not part of the amounts. A refund is marked for review: the service does not report the returned amount.
 */
function beancount(): AccountsFormat {
  const [accounts, coins] = [new Set<string>(), new Set<string>()];
  return {
    statuses: ['success', 'refund'],
    head: shown`; Swaps of swapctl; days are UTC.\n`,
    entry: (settled) => {
      const postings = settled.paid === null ? refundPostings(settled) : paidPostings(settled, settled.paid);
      let opened = shown``;
      for (const { account } of postings)
        if (addNew(accounts, account)) opened = shown`${opened}${visible(OPENED)} open ${visible(account)}\n`;
      for (const coin of [settled.depositCoin, settled.receiveCoin])
        if (addNew(coins, coin)) opened = shown`${opened}${commodityLine(coin)}`;
      return shown`${opened}\n${transaction(settled, postings)}`;
    },
  };
}

/** Whether a set does not have a text yet, which it then gets. */
function addNew(seen: Set<string>, text: string): boolean {
  return seen.size !== seen.add(text).size;
}

/** One side of a transaction; `total` is the price of the whole amount. */
interface Posting {
  readonly account: string;
  readonly amount: Decimal;
  readonly coin: string;
  readonly total?: { readonly amount: Decimal; readonly coin: string };
}

function paidPostings({ swap, depositCoin, deposit, receiveCoin }: SettledSwap, paid: Decimal): Posting[] {
  const fee =
    swap.receive.fee !== null && compareDecimals(swap.receive.fee, '0') > 0 ? swap.receive.fee : null;
  const price = sumOf(paid, fee ?? '0');
  const sold = { account: assetsOf(depositCoin), amount: negative(deposit), coin: depositCoin };
  const bought: Posting[] = [
    { account: assetsOf(receiveCoin), amount: paid, coin: receiveCoin },
    ...(fee === null ? [] : [{ account: FEES, amount: fee, coin: receiveCoin }]),
  ];
  const back = (amount: Decimal, coin: string) => ({ account: CONVERSIONS, amount, coin });
  const isPriced = depositCoin !== receiveCoin && [deposit, price].every(isExactInBeancount);
  return isPriced
    ? [{ ...sold, total: { amount: price, coin: receiveCoin } }, ...bought]
    : [sold, back(deposit, depositCoin), back(negative(price), receiveCoin), ...bought];
}

function refundPostings({ depositCoin, deposit }: SettledSwap): Posting[] {
  return [
    { account: assetsOf(depositCoin), amount: negative(deposit), coin: depositCoin },
    { account: 'Assets:Swaps:Refunds', amount: deposit, coin: depositCoin },
  ];
}

function transaction(
  { swap, at, depositCoin, receiveCoin, paid }: SettledSwap,
  postings: readonly Posting[],
): Visible {
  const { order, doubts, profile, environment, labels, deposit, receive, refundAddress } = swap;
  const isSure = doubts.length === 0 && paid !== null;
  const what = paid === null ? `${depositCoin} refunded` : `${depositCoin} to ${receiveCoin}`;
  const facts: readonly (readonly [key: Visible, value: string | null])[] = [
    [shown`order`, order],
    [shown`profile`, profile],
    [shown`environment`, environment],
    [shown`time`, at],
    [shown`deposit-tx`, deposit.txId],
    [shown`payout-tx`, receive.txId],
    [shown`payout-address`, receive.address],
    [shown`deposit-fee`, deposit.fee === null ? null : `${deposit.fee} ${depositCoin}`],
    [shown`refund-address`, paid === null ? refundAddress : null],
    [shown`labels`, labelsText(labels)],
    [shown`doubts`, doubts.join(', ')],
  ];
  let metadata = shown``;
  for (const [key, value] of facts)
    if (value !== null && value !== '') metadata = shown`${metadata}  ${key}: ${quoted(value)}\n`;
  const head = shown`${visible(at.slice(0, 10))} ${visible(isSure ? '*' : '!')} ${quoted('swapctl')} ${quoted(what)}\n`;
  return joined([head, metadata, ...postings.map(postingLine)]);
}

function postingLine({ account, amount, coin, total }: Posting): Visible {
  const price = total === undefined ? shown`` : shown` @@ ${amountText(total.amount, total.coin)}`;
  return shown`  ${visible(account)}  ${amountText(amount, coin)}${price}\n`;
}

/** An amount with its commodity. A whole number gets two decimals: without, beancount tolerates no rounding. */
function amountText(amount: Decimal, coin: string): Visible {
  return shown`${visible(amount.includes('.') ? amount : `${amount}.00`)} ${visible(commodityOf(coin))}`;
}

/** Whether beancount, which computes with 28 digits, can divide and multiply by an amount without losing digits. */
function isExactInBeancount(amount: Decimal): boolean {
  return amount.replace(/[^0-9]/g, '').length <= 24;
}

/** Text in quotes, escaped so that it cannot end them. */
function quoted(text: string): Visible {
  if (!/["\\]/.test(text)) return shown`"${visible(text)}"`;
  return visible(`"${visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
}

/** The declaration of a coin that needs another name in beancount; empty for any other. */
function commodityLine(coin: string): Visible {
  const name = commodityOf(coin);
  if (name === coin) return shown``;
  return shown`${visible(OPENED)} commodity ${visible(name)}\n  coin: ${quoted(coin)}\n`;
}

/**
 * A coin's name as a commodity: 2 to 24 capitals and digits that begin with a letter. Other codes get an apostrophe,
 * which valid ones never contain: `1INCH` is `X'1INCH`. Anything that still cannot be written ends with a hash, so that
 * no two coins share a name.
 */
function commodityOf(coin: string): string {
  if (/^[A-Z][A-Z0-9._-]{0,22}[A-Z0-9]$/.test(coin)) return coin;
  if (/^[A-Z0-9]{1,20}$/.test(coin)) return `X'${coin}`;
  return `Y'${plainLetters(coin).slice(0, 10)}${hashOf(coin)}`;
}

/** The account of a coin, with the coin's name; a name that had to be changed ends with a hash. */
function assetsOf(coin: string): string {
  const component = /^[A-Z0-9][A-Z0-9-]*$/.test(coin) ? coin : `X${plainLetters(coin)}-${hashOf(coin)}`;
  return `Assets:Swaps:${component}`;
}

function plainLetters(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 20);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10).toUpperCase();
}

function negative(amount: Decimal): Decimal {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

function sumOf(...amounts: readonly Decimal[]): Decimal {
  const sum = new ExactSum();
  for (const amount of amounts) sum.add(amount);
  return sum.amount;
}
