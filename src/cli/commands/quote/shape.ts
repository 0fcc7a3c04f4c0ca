import type { CoinOnNetwork } from '../../../core/swap/swap.ts';
import { and, type CommandShape, lines, list, one, READS } from '../../operations/operations.ts';
import {
  AMOUNT,
  AMOUNT_OR_NULL,
  about,
  nullable,
  object,
  oneOf,
  RATE_TYPE,
  ref,
  TEXT,
  TEXT_OR_NULL,
  TIME,
} from '../../operations/schema.ts';
import { PLACE } from '../../operations/shapes.ts';
import type { QuoteResult } from '../../views/quote.ts';

const COIN_ON_NETWORK = object<CoinOnNetwork>({ coin: TEXT, network: TEXT_OR_NULL });

export const QUOTE_SHAPE: CommandShape = {
  operations: {
    quote: {
      result: [one('quote'), list('quote'), lines('quoteLine', 'retryLine')],
      exitCodes: and(READS, 8),
    },
  },
  shapes: {
    quote: object<QuoteResult>({
      pair: TEXT,
      type: RATE_TYPE,
      lastSource: oneOf('deposit', 'receive'),
      from: COIN_ON_NETWORK,
      to: COIN_ON_NETWORK,
      amount: AMOUNT,
      receive: AMOUNT,
      rate: AMOUNT,
      min: AMOUNT,
      max: AMOUNT_OR_NULL,
      fee: about(AMOUNT_OR_NULL, 'fee of the payout where the service states one; its coin is not stated'),
      at: TIME,
      impact: about(
        nullable({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }),
        'percent by which the rate differs from the rate at the minimum; with --impact',
      ),
      ...PLACE,
    }),
    quoteLine: object({
      type: { const: 'quote' },
      at: TIME,
      quote: ref('quote'),
    }),
  },
};
