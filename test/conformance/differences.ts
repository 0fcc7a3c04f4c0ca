import { isCallOf } from './altering-server.ts';
import type { Difference } from './difference.ts';
import { networks, quotes, transactions } from './quote-differences.ts';
import { authentication, coins } from './read-differences.ts';
import { orders, refunds } from './write-differences.ts';

const answers: readonly Difference[] = [
  {
    alter: (answer, seen) =>
      isCallOf('get-coin-network', seen)
        ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } }
        : answer,
    differs: ['all: answers are JSON'],
    found:
      'get-coin-network: 403 with content-type text/html; get-coin-network: 200 with content-type text/html; get-coin-network: 400 with content-type text/html; and 1 more',
  },
  {
    alter: (answer, seen) =>
      isCallOf('get-transaction', seen)
        ? { ...answer, text: answer.text.replace('"statusCode":404', '"statusCode":400') }
        : answer,
    differs: ['all: error bodies'],
    found: 'get-transaction: 404 without statusCode 404',
  },
  {
    alter: (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } }),
    differs: ['all: headers of the rate limit'],
  },
  {
    alter: (answer, seen) =>
      isCallOf('exchange-coin', seen) && answer.status === 200 ? { ...answer, status: 202 } : answer,
    differs: ['all: code of a read'],
    found: 'exchange-coin: 202',
  },
];

/** Every difference, each in a single respect. */
export const differences: readonly Difference[] = [
  ...authentication,
  ...coins,
  ...networks,
  ...quotes,
  ...transactions,
  ...orders,
  ...refunds,
  ...answers,
];
