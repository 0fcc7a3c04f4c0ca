import { inBody, isCallOf, queryOf, refusal, refused } from './altering-server.ts';
import { type Difference, invalid, WORDS } from './difference.ts';

/** Differences in the networks of a coin. */
export const networks: readonly Difference[] = [
  {
    alter: inBody('get-coin-network', ({ deposit, withdraws }) => ({ deposits: deposit, withdraws })),
    differs: ['get-coin-network: fields of the networks', 'all: no other fields'],
    skipped: ['get-coin-network: networks as in the coin list'],
    found: 'deposit is missing',
  },
  {
    alter: inBody('get-coin-network', (body) => {
      body.deposit = [{ subName: 'ERC20' }];
    }),
    differs: ['get-coin-network: networks as in the coin list'],
    found: 'ETH only in the coin list; ERC20 only in get-coin-network',
  },
  {
    alter: (answer, seen) =>
      isCallOf('get-all-coins', seen) || isCallOf('get-coin-network', seen)
        ? { ...answer, text: answer.text.replaceAll('"subName":"BSC"', '"subName":"BEP20"') }
        : answer,
    differs: ['get-coin-network: codes of the networks'],
    found: 'BEP20 for BSC',
  },
  {
    alter: refusal('get-coin-network', [404, 'Not found.'], refused(400, 'Not found.')),
    differs: ['get-coin-network: an unknown coin'],
    found: '400 Not found.',
  },
];

/** Differences in quotes. */
export const quotes: readonly Difference[] = [
  {
    alter: inBody('exchange-coin', ({ maxAmount, ...rest }) => rest),
    differs: [
      'exchange-coin: fields of a quote',
      'exchange-coin: quoted by the amount to receive',
      'exchange-coin: a fixed rate',
      'exchange-coin: no networks',
    ],
    skipped: [
      'exchange-coin: the bounds',
      'exchange-coin: above the maximum',
      'exchange-coin: a largest amount',
    ],
    found: 'maxAmount is missing',
  },
  {
    alter: inBody('exchange-coin', (body) => ({ ...body, pair: 'eth-usdt' })),
    differs: ['exchange-coin: label of the pair'],
    found: 'eth-usdt',
  },
  {
    alter: inBody('exchange-coin', (body) => ({ ...body, exchangeRate: String(body.exchangeRate) })),
    differs: ['exchange-coin: JSON numbers'],
    found: 'exchangeRate is text',
  },
  {
    alter: inBody('exchange-coin', (body, seen) =>
      queryOf(seen, 'lastSource') === 'deposit'
        ? { ...body, amount: 2 }
        : { ...body, amount: body.amount * 2 },
    ),
    differs: ['exchange-coin: the amount to send', 'exchange-coin: direction of the rate'],
    found: '2 for 1',
  },
  {
    alter: inBody('exchange-coin', (body) => ({
      ...body,
      minAmount: body.maxAmount,
      maxAmount: body.minAmount,
    })),
    differs: [
      'exchange-coin: the bounds',
      'exchange-coin: below the minimum',
      'exchange-coin: above the maximum',
    ],
  },
  {
    alter: inBody('exchange-coin', (body, seen) =>
      queryOf(seen, 'lastSource') === 'receive' ? { ...body, receive: 1 } : undefined,
    ),
    differs: ['exchange-coin: quoted by the amount to receive'],
  },
  {
    alter: inBody('exchange-coin', (body, seen) =>
      queryOf(seen, 'lastSource') === 'receive' ? { ...body, amount: 1.1 } : undefined,
    ),
    differs: ['exchange-coin: both directions agree'],
    found: '1.1 for 1',
  },
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
  {
    alter: inBody('exchange-coin', (body, seen) =>
      queryOf(seen, 'typeSwap') === '1' ? { ...body, receive: body.receive * 1.1 } : undefined,
    ),
    differs: ['exchange-coin: fixed costs more'],
  },
  {
    alter: inBody('exchange-coin', (body) => ({
      ...body,
      exchangeRate: Number((1 / body.exchangeRate).toFixed(12)),
    })),
    differs: ['exchange-coin: direction of the rate'],
  },
  {
    alter: (answer, seen) =>
      isCallOf('exchange-coin', seen) && answer.status < 300 && queryOf(seen, 'networkFrom') === null
        ? WORDS
        : answer,
    differs: ['exchange-coin: no networks'],
  },
  {
    alter: refusal('exchange-coin', [400, 'below'], refused(400, 'Too little')),
    differs: ['exchange-coin: below the minimum'],
    found: '400 Too little',
  },
  {
    alter: refusal('exchange-coin', [400, 'higher'], refused(400, 'Too much')),
    differs: ['exchange-coin: above the maximum'],
  },
  {
    alter: refusal(
      'exchange-coin',
      [400, 'below'],
      refused(400, 'Amount to exchange is below the possible min amount to exchange'),
    ),
    differs: [],
  },
  {
    alter: refusal('exchange-coin', [400, 'null'], refused(422, 'no')),
    differs: ['exchange-coin: no parameters'],
  },
  ...(['an unknown coin', 'an unknown network', 'a coin for itself'] as const).map((what) => ({
    alter: refusal('exchange-coin', [404, 'Not found.'], refused(404, 'No such pair.'), (seen) => {
      if (queryOf(seen, 'coinFrom') === 'SWAPCTLNOCOIN') return what === 'an unknown coin';
      return (
        (queryOf(seen, 'coinTo') === 'ETH') === (what === 'a coin for itself') && what !== 'an unknown coin'
      );
    }),
    differs: [`exchange-coin: ${what}`],
    found: '404 No such pair.',
  })),
];

/** Differences in the errors of get-transaction. */
export const transactions: readonly Difference[] = [
  {
    alter: refusal('get-transaction', [404, 'Transaction'], refused(404, 'Not found.')),
    differs: ['get-transaction: an unknown order'],
    found: '404 Not found.',
  },
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
