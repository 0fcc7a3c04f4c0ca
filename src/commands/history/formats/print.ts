import type { Context } from '../../../context.ts';
import type { LedgerFilter } from '../../../ledger/books.ts';
import { historyResult } from '../../../ledger/swap-result.ts';
import { csvLine } from '../../../terminal/csv.ts';
import { joined, type Visible } from '../../../text.ts';
import { accountsFilter, noteAccounts } from '../../shared/accounts.ts';
import { beancount } from './beancount.ts';
import { type AccountsFormat, type SettledSwap, settledSwap } from './format.ts';

/** Formats of programs for accounts. */
export const ACCOUNTS_FORMATS = ['koinly', 'beancount'] as const;

/** Name of a format. */
export type AccountsFormatName = (typeof ACCOUNTS_FORMATS)[number];

const FORMATS: Readonly<Record<AccountsFormatName, () => AccountsFormat>> = {
  koinly: () => KOINLY,
  beancount,
};

/** Entries that are written at once. */
const BATCH = 200;

/** Prints the settled swaps that pass a filter for a program for accounts, a few at a time, and says which they are. */
export async function printAccounts(
  context: Context,
  name: AccountsFormatName,
  filter: LedgerFilter,
  limit: number | null,
): Promise<void> {
  const { streams } = context;
  const format = FORMATS[name]();
  const { environment } = await accountsFilter(context, filter);
  const accounts = { ...filter, environment };
  const { books } = await context.ledger();
  let texts: Visible[] = [format.head];
  const flush = async () => {
    await streams.write(joined(texts));
    texts = [];
  };
  let [written, without] = [0, 0];
  for await (const entry of books.entries(accounts)) {
    if (entry.outcome !== 'created' || !format.statuses.includes(entry.swap?.status ?? '')) continue;
    if (limit !== null && written >= limit) break;
    const settled = settledSwap(historyResult(entry, entry.doubts, context.now()));
    if (settled === null) without += 1;
    else {
      texts.push(format.entry(settled));
      written += 1;
    }
    if (texts.length >= BATCH) await flush();
  }
  await flush();
  noteAccounts(context, accounts);
  streams.note(`Only settled swaps (${format.statuses.join(', ')}) are exported: ${written}. Times are UTC.`);
  if (without > 0) streams.note(`${without} left out: the service does not say their amounts.`, true);
}

/**
 * Koinly's universal template:
 * https://support.koinly.io/en/articles/9489976-how-to-create-a-custom-csv-file-with-your-data
 */
const COLUMNS = [
  'Date',
  'Sent Amount',
  'Sent Currency',
  'Received Amount',
  'Received Currency',
  'Fee Amount',
  'Fee Currency',
  'Net Worth Amount',
  'Net Worth Currency',
  'Label',
  'Description',
  'TxHash',
] as const;

/** Paid swaps as trades. A refund has no place in it, for the service does not tell what came back. */
const KOINLY: AccountsFormat = {
  statuses: ['success'],
  head: csvLine(COLUMNS),
  entry: ({ swap, at, deposit, depositCoin, paid, receiveCoin }) =>
    csvLine([
      `${at.slice(0, 19).replace('T', ' ')} UTC`,
      ...[deposit, depositCoin, paid ?? '', receiveCoin],
      // The payout is what came after its fee: a fee in these columns would be taken off once more.
      '',
      '',
      '',
      '',
      '',
      description(swap),
      swap.receive.txId ?? '',
    ]),
};

function description({ order, profile, receive, deposit, doubts }: SettledSwap['swap']): string {
  return [
    `swapctl ${profile}, order ${order ?? ''}`,
    ...(deposit.txId === null ? [] : [`deposit ${deposit.txId}`]),
    ...(receive.fee === null ? [] : [`network fee ${receive.fee} ${receive.coin ?? ''} already taken off`]),
    ...(doubts.length === 0 ? [] : [`in doubt: ${doubts.join(', ')}`]),
  ].join('; ');
}
