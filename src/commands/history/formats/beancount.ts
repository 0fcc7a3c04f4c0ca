import { createHash } from 'node:crypto';
import { compareDecimals, type Decimal, ExactSum } from '../../../swap/amount.ts';
import { labelsText } from '../../../swap/labels.ts';
import { joined, shown, type Visible, visible } from '../../../text.ts';
import type { AccountsFormat, SettledSwap } from './format.ts';

/** Day from which accounts are open: before any swap. */
const OPENED = '2009-01-03';
const FEES = 'Expenses:Swaps:Network-Fees';
const CONVERSIONS = 'Equity:Swaps:Conversions';

/**
 * A plain-text ledger for beancount 2 and 3: a transaction for each paid and each refunded swap. The deposit is sold for
 * what was paid and the payout's network fee, which stands as an expense; the deposit's own fee is told, not booked, for
 * it is not part of the amounts. A refund is marked to be looked at: the service does not tell what came back.
 */
export function beancount(): AccountsFormat {
  const declared = new Set<string>();
  const declare = (lines: readonly Visible[]) =>
    joined(
      lines.filter((line) => {
        const isNew = !declared.has(line);
        declared.add(line);
        return isNew;
      }),
    );
  return {
    statuses: ['success', 'refund'],
    head: shown`; Swaps of swapctl; days are UTC.\n`,
    entry: (settled) => {
      const coins = [settled.depositCoin, settled.receiveCoin];
      const postings = settled.paid === null ? refundPostings(settled) : paidPostings(settled, settled.paid);
      const opened = joined([
        ...[...new Set(postings.map(({ account }) => account))].map((account) =>
          declare([shown`${visible(OPENED)} open ${visible(account)}\n`]),
        ),
        ...coins.map((coin) => declare(commodityLines(coin))),
      ]);
      return shown`${opened}\n${transaction(settled, postings)}`;
    },
  };
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
  const facts: readonly (readonly [key: string, value: string | null])[] = [
    ['order', order],
    ['profile', profile],
    ['environment', environment],
    ['time', at],
    ['deposit-tx', deposit.txId],
    ['payout-tx', receive.txId],
    ['payout-address', receive.address],
    ['deposit-fee', deposit.fee === null ? null : `${deposit.fee} ${depositCoin}`],
    ['refund-address', paid === null ? refundAddress : null],
    ['labels', labelsText(labels)],
    ['doubts', doubts.join(', ')],
  ];
  const told = facts.flatMap(([key, value]) =>
    value === null || value === '' ? [] : [shown`  ${visible(key)}: ${quoted(value)}\n`],
  );
  const head = shown`${visible(at.slice(0, 10))} ${visible(isSure ? '*' : '!')} ${quoted('swapctl')} ${quoted(what)}\n`;
  return joined([head, ...told, ...postings.map(postingLine)]);
}

function postingLine({ account, amount, coin, total }: Posting): Visible {
  const price = total === undefined ? shown`` : shown` @@ ${amountText(total.amount, total.coin)}`;
  return shown`  ${visible(account)}  ${amountText(amount, coin)}${price}\n`;
}

/** An amount with its commodity. A whole number gets two zeros: beancount forgives no rounding in one without places. */
function amountText(amount: Decimal, coin: string): Visible {
  return shown`${visible(amount.includes('.') ? amount : `${amount}.00`)} ${visible(commodityOf(coin))}`;
}

/** Whether beancount, which computes with 28 digits, divides and multiplies by an amount without losing any of it. */
function isExactInBeancount(amount: Decimal): boolean {
  return amount.replace(/[^0-9]/g, '').length <= 24;
}

/** Text in quotes, out of which nothing in it can break. */
function quoted(text: string): Visible {
  return visible(`"${visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
}

/** The declaration of a coin that beancount needs another name for. */
function commodityLines(coin: string): readonly Visible[] {
  const name = commodityOf(coin);
  return name === coin
    ? []
    : [shown`${visible(OPENED)} commodity ${visible(name)}\n  coin: ${quoted(coin)}\n`];
}

/**
 * A coin's name as a commodity: 2 to 24 capitals and digits that begin with a letter. Other codes get an apostrophe, which
 * none of the first kind has: `1INCH` is `X'1INCH`, and what cannot be written so ends with a hash, so that no two coins
 * share a name.
 */
function commodityOf(coin: string): string {
  if (/^[A-Z][A-Z0-9._-]{0,22}[A-Z0-9]$/.test(coin)) return coin;
  if (/^[A-Z0-9]{1,20}$/.test(coin)) return `X'${coin}`;
  return `Y'${plainLetters(coin).slice(0, 10)}${hashOf(coin)}`;
}

/** The account of a coin, named as the coin is; another spelling ends with a hash. */
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
