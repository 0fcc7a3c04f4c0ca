import { csvLine } from '../../../terminal/csv.ts';
import type { AccountsFormat, SettledSwap } from './format.ts';

/**
 * Koinly's universal template:
 * https://support.koinly.io/en/articles/9489976-how-to-create-a-custom-csv-file-with-your-data
 */
const COLUMNS = [
  ...['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency', 'Fee Amount'],
  ...['Fee Currency', 'Net Worth Amount', 'Net Worth Currency', 'Label', 'Description', 'TxHash'],
] as const;

/** Paid swaps as trades. A refund has no place in it, for the service does not tell what came back. */
export const KOINLY: AccountsFormat = {
  statuses: ['success'],
  head: csvLine(COLUMNS),
  entry: ({ swap, at, deposit, depositCoin, paid, receiveCoin }) =>
    csvLine([
      `${at.slice(0, 19).replace('T', ' ')} UTC`,
      ...[deposit, depositCoin, paid ?? '', receiveCoin],
      // The payout is what came after its fee: a fee in these columns would be taken off once more.
      ...['', '', '', '', ''],
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
