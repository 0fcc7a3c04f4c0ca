import type { CoinOnNetwork } from '../../../core/swap/swap.ts';
import { and, type CommandShape, lines, list, one, READS } from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import { PLACE } from '../../operations/shapes.ts';
import type { QuoteResult } from '../../views/quote.ts';

const COIN_ON_NETWORK = is.object<CoinOnNetwork>({ coin: is.TEXT, network: is.TEXT_OR_NULL });

export const QUOTE_SHAPE: CommandShape = {
  operations: {
    quote: {
      result: [one('quote'), list('quote'), lines('quoteLine', 'retryLine')],
      exitCodes: and(READS, 8),
    },
  },
  shapes: {
    quote: is.object<QuoteResult>({
      pair: is.TEXT,
      type: is.RATE_TYPE,
      lastSource: is.oneOf('deposit', 'receive'),
      from: COIN_ON_NETWORK,
      to: COIN_ON_NETWORK,
      amount: is.AMOUNT,
      receive: is.AMOUNT,
      rate: is.AMOUNT,
      min: is.AMOUNT,
      max: is.AMOUNT_OR_NULL,
      fee: is.about(
        is.AMOUNT_OR_NULL,
        'fee of the payout where the service states one; its coin is not stated',
      ),
      at: is.TIME,
      impact: is.about(
        is.nullable({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }),
        'percent by which the rate differs from the rate at the minimum; with --impact',
      ),
      ...PLACE,
    }),
    quoteLine: is.object({ type: { const: 'quote' }, at: is.TIME, quote: is.ref('quote') }),
  },
};
