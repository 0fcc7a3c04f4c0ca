import { JsonNumber } from '../../partner-api/json.ts';
import { MESSAGES } from '../../partner-api/messages.ts';
import type { WireQuote } from '../../partner-api/types.ts';
import { ApiError } from '../api-error.ts';
import { OK_STATUS } from '../assumptions.ts';
import type { Answer, Call, Core } from '../core.ts';
import { priceOrRefuse, rateType } from '../pairs.ts';

/** Answers exchange-coin: the price of a pair at this moment. */
export function exchangeCoin(core: Pick<Core, 'pairs'>, { values, snapshot }: Call): Answer {
  const pair = core.pairs.find(
    { coin: values.get('coinFrom') ?? '', network: values.get('networkFrom') },
    { coin: values.get('coinTo') ?? '', network: values.get('networkTo') },
  );
  if (pair === undefined) throw new ApiError(404, MESSAGES.NOT_FOUND);
  const wish = {
    amount: values.get('amount') ?? '',
    lastSource: values.get('lastSource') === 'receive' ? 'receive' : 'deposit',
    type: rateType(values.get('typeSwap')),
  } as const;
  const price = priceOrRefuse(pair, wish, snapshot, 'amount');
  const body: WireQuote = {
    pair: `${pair.from.coin}_${pair.to.coin}`.toUpperCase(),
    amount: new JsonNumber(price.amount),
    exchangeRate: new JsonNumber(price.rate),
    receive: new JsonNumber(price.receive),
    minAmount: new JsonNumber(price.min),
    maxAmount: new JsonNumber(price.max),
  };
  return { status: OK_STATUS, body };
}
