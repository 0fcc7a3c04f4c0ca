import type { WireQuote } from '../../../partner-api/types.ts';
import { OK_STATUS } from '../../state/assumptions.ts';
import type { Answer } from '../answer.ts';
import type { Call, Core } from '../core.ts';
import { rateType } from '../price-or-refuse.ts';

/** Answers exchange-coin: the current price of a pair. */
export function exchangeCoin(
  { pairs, decisions }: Pick<Core, 'pairs' | 'decisions'>,
  { values, snapshot }: Call,
): Answer {
  const pair = decisions.pairOfQuote(
    pairs,
    { coin: values.get('coinFrom') ?? '', network: values.get('networkFrom') },
    { coin: values.get('coinTo') ?? '', network: values.get('networkTo') },
  );
  const query = {
    amount: values.get('amount') ?? '',
    lastSource: values.get('lastSource') === 'receive' ? 'receive' : 'deposit',
    type: rateType(values.get('typeSwap')),
    field: 'amount',
  } as const;
  const price = decisions.price(pairs, pair, query, snapshot);
  const { wireAmount } = decisions;
  const body: WireQuote = {
    pair: `${pair.from.coin}_${pair.to.coin}`.toUpperCase(),
    amount: wireAmount('amount', price.amount),
    exchangeRate: wireAmount('exchangeRate', price.rate),
    receive: wireAmount('receive', price.receive),
    minAmount: wireAmount('minAmount', price.min),
    maxAmount: wireAmount('maxAmount', price.max),
  };
  return { status: OK_STATUS, body };
}
