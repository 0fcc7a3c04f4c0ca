import { isCallOf, queryOf, refusal, refused } from './altering-server.ts';
import type { Difference } from './difference.ts';
import { differing, invalid, refusing, WORDS } from './difference.ts';

const networked = differing('get-coin-network', false);
const quoted = differing('exchange-coin', false);
const refusingQuote = refusing('exchange-coin', false);

/** Differences in the networks of a coin. */
export const networks: readonly Difference[] = [
  networked(
    {
      differs: ['fields of the networks', 'all: no other fields'],
      skipped: ['networks as in the coin list'],
      found: 'deposit is missing',
    },
    ({ deposit, withdraws }) => ({ deposits: deposit, withdraws }),
  ),
  networked(
    {
      differs: ['networks as in the coin list'],
      found: 'ETH only in the coin list; ERC20 only in get-coin-network',
    },
    (body) => ({ ...body, deposit: [{ subName: 'ERC20' }] }),
  ),
  {
    alter: (answer, seen) =>
      isCallOf('get-all-coins', seen) || isCallOf('get-coin-network', seen)
        ? { ...answer, text: answer.text.replaceAll('"subName":"BSC"', '"subName":"BEP20"') }
        : answer,
    differs: ['get-coin-network: codes of the networks'],
    found: 'BEP20 for BSC',
  },
  refusing('get-coin-network', false)([404, 'Not found.'], [400, 'Not found.'], ['an unknown coin']),
];

/** Differences in quotes. */
export const quotes: readonly Difference[] = [
  quoted(
    {
      differs: ['fields of a quote', 'quoted by the amount to receive', 'a fixed rate', 'no networks'],
      skipped: ['the bounds', 'above the maximum', 'a largest amount'],
      found: 'maxAmount is missing',
    },
    ({ maxAmount, ...rest }) => rest,
  ),
  quoted({ differs: ['label of the pair'], found: 'eth-usdt' }, (body) => ({ ...body, pair: 'eth-usdt' })),
  quoted({ differs: ['JSON numbers'], found: 'exchangeRate is text' }, (body) => {
    body.exchangeRate = String(body.exchangeRate);
  }),
  quoted({ differs: ['the amount to send', 'direction of the rate'], found: '2 for 1' }, (body, seen) => {
    body.amount = queryOf(seen, 'lastSource') === 'deposit' ? 2 : body.amount * 2;
  }),
  quoted({ differs: ['the bounds', 'below the minimum', 'above the maximum'] }, (body) => ({
    ...body,
    minAmount: body.maxAmount,
    maxAmount: body.minAmount,
  })),
  quoted({ differs: ['quoted by the amount to receive'] }, (body, seen) => {
    if (queryOf(seen, 'lastSource') === 'receive') body.receive = 1;
  }),
  quoted({ differs: ['both directions agree'], found: '1.1 for 1' }, (body, seen) => {
    if (queryOf(seen, 'lastSource') === 'receive') body.amount = 1.1;
  }),
  {
    alter: (answer, seen) => (queryOf(seen, 'lastSource') === 'receive' ? WORDS : answer),
    differs: ['exchange-coin: quoted by the amount to receive'],
    skipped: ['exchange-coin: both directions agree'],
    found: '400 this is wrong',
  },
  {
    alter: (answer, seen) =>
      isCallOf('exchange-coin', seen) && queryOf(seen, 'typeSwap') === '1' ? WORDS : answer,
    differs: ['exchange-coin: a fixed rate'],
    skipped: ['exchange-coin: fixed costs more'],
  },
  quoted({ differs: ['fixed costs more'] }, (body, seen) => {
    if (queryOf(seen, 'typeSwap') === '1') body.receive *= 1.1;
  }),
  quoted({ differs: ['direction of the rate'] }, (body) => {
    body.exchangeRate = Number((1 / body.exchangeRate).toFixed(12));
  }),
  {
    alter: (answer, seen) =>
      isCallOf('exchange-coin', seen) && answer.status < 300 && queryOf(seen, 'networkFrom') === null
        ? WORDS
        : answer,
    differs: ['exchange-coin: no networks'],
  },
  refusingQuote([400, 'below'], [400, 'Too little'], ['below the minimum']),
  refusingQuote([400, 'higher'], [400, 'Too much'], ['above the maximum']),
  {
    alter: refusal(
      'exchange-coin',
      [400, 'below'],
      refused(400, 'Amount to exchange is below the possible min amount to exchange'),
    ),
    differs: [],
  },
  refusingQuote([400, 'null'], [422, 'no'], ['no parameters']),
  ...(['an unknown coin', 'an unknown network', 'a coin for itself'] as const).map((what) =>
    refusingQuote([404, 'Not found.'], [404, 'No such pair.'], [what], (seen) => {
      if (queryOf(seen, 'coinFrom') === 'SWAPCTLNOCOIN') return what === 'an unknown coin';
      return (
        (queryOf(seen, 'coinTo') === 'ETH') === (what === 'a coin for itself') && what !== 'an unknown coin'
      );
    }),
  ),
];

/** Differences in the errors of get-transaction. */
export const transactions: readonly Difference[] = [
  refusing('get-transaction', false)([404, 'Transaction'], [404, 'Not found.'], ['an unknown order']),
  {
    alter: refusal('get-transaction', [400, 'null'], {
      ...WORDS,
      text: '{"statusCode":400,"message":["id should not be null or undefined","id must be a string","id should not be empty"]}',
    }),
    differs: ['get-transaction: no id'],
    found: 'error is missing',
  },
  {
    alter: refusal(
      'get-transaction',
      [400, 'null'],
      invalid('id must be a string', 'id should not be empty'),
    ),
    differs: ['get-transaction: meaning of the texts for no id'],
    found: 'no text about null or undefined',
  },
];
