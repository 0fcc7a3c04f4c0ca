import type { WireQuote } from '../../../partner-api/types.ts';
import { rateType } from '../../prices/pairs.ts';
import { OK_STATUS } from '../../state/assumptions.ts';
import type { Answer, Call, Core } from '../core.ts';

/** Answers exchange-coin: the price of a pair at this moment. */
export function exchangeCoin(
  { pairs, decisions }: Pick<Core, 'pairs' | 'decisions'>,
  { values, snapshot }: Call,
): Answer {
  const pair = decisions.pairOfQuote(
    pairs,
    { coin: values.get('coinFrom') ?? '', network: values.get('networkFrom') },
    { coin: values.get('coinTo') ?? '', network: values.get('networkTo') },
  );
  const wish = {
    amount: values.get('amount') ?? '',
    lastSource: values.get('lastSource') === 'receive' ? 'receive' : 'deposit',
    type: rateType(values.get('typeSwap')),
  } as const;
  const price = decisions.price(pair, wish, snapshot, 'amount');
  const { wireAmount } = decisions;
  const body: WireQuote = {
    pair: `${pair.from.coin}_${pair.to.coin}`.toUpperCase(),
    amount: wireAmount(price.amount),
    exchangeRate: wireAmount(price.rate),
    receive: wireAmount(price.receive),
    minAmount: wireAmount(price.min),
    maxAmount: wireAmount(price.max),
  };
  return { status: OK_STATUS, body };
}
