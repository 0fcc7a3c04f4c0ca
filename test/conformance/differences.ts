import type { Hearing, Lie } from './lying-server.ts';
import { isCallOf, queryOf, refusal, refused, said } from './lying-server.ts';

/** One thing that a service does differently, and what has to be found because of it. */
export interface Difference {
  readonly lie: Lie;
  readonly hear?: Hearing;
  readonly write?: boolean;
  readonly differs: readonly string[];
  /** Checks that cannot be made because of it. */
  readonly skipped?: readonly string[];
  /** What is said of the first. */
  readonly found?: string;
}

const SIGNATURE = refused(403, 'Invalid signature.');
const WORDS = refused(400, 'this is wrong');

const authentication: readonly Difference[] = [
  {
    lie: refusal(
      'get-all-coins',
      [403, 'Invalid public key.'],
      refused(401, 'Unauthorized'),
      ({ headers }) => headers['x-api-public-key'] !== undefined,
    ),
    differs: ['get-all-coins: an unknown key', 'get-all-coins: key before payload and signature'],
    found: '401 Unauthorized',
  },
  {
    lie: refusal('get-all-coins', [403, 'Invalid payload.'], refused(403, 'Invalid payload'), ({ headers }) =>
      String(headers['x-api-payload']).startsWith('swapctl'),
    ),
    differs: ['get-all-coins: an unknown payload', 'get-all-coins: payload before signature'],
    found: '403 Invalid payload',
  },
  {
    lie: refusal('get-coin-network', [403, 'Invalid signature.'], refused(403, 'Invalid signature')),
    differs: ['get-coin-network: a wrong signature'],
    found: '403 Invalid signature',
  },
  {
    write: true,
    lie: refusal(
      'create-transaction',
      [403, 'Invalid signature.'],
      refused(400, 'Invalid withdrawal address.'),
    ),
    differs: ['create-transaction: a wrong signature'],
  },
  {
    lie: (answer, seen) => (/[A-F]/.test(String(seen.headers['x-api-signature'])) ? SIGNATURE : answer),
    differs: ['get-all-coins: a signature in upper case'],
    found: '403 Invalid signature.',
  },
  {
    lie: refusal(
      'get-all-coins',
      [403, 'Invalid payload.'],
      SIGNATURE,
      ({ headers }) => headers['x-api-payload'] === 'get-coin-network',
    ),
    differs: ['get-all-coins: the payload of another endpoint'],
  },
  {
    lie: refusal('get-transaction', [403, 'Invalid'], WORDS, (seen) => queryOf(seen, 'id') === null),
    differs: ['get-transaction: signature before parameters'],
  },
  ...(['key', 'payload', 'signature'] as const).map((what) => ({
    lie: ((answer, { headers }) => {
      const header = `x-api-${what === 'key' ? 'public-key' : what}`;
      return headers[header] === undefined ? refused(500, 'Server error.') : answer;
    }) satisfies Lie,
    differs: [`get-all-coins: without a ${what}`],
    found: '500 Server error.',
  })),
];

const coins: readonly Difference[] = [
  {
    lie: said('get-all-coins', (body) => {
      for (const coin of body.depositCoins ?? []) coin.networks.deposits[0].memoNeeded = 'no';
    }),
    differs: ['get-all-coins: fields of the deposit listing', 'get-all-coins: no method'],
    found: 'depositCoins[].networks.deposits[].memoNeeded is text',
  },
  {
    lie: said('get-all-coins', ({ withdrawCoins, ...rest }) =>
      withdrawCoins === undefined ? undefined : { ...rest, receiveCoins: withdrawCoins },
    ),
    differs: ['get-all-coins: fields of the output listing'],
    found: 'withdrawCoins is missing',
  },
  {
    lie: said('get-all-coins', (body) => {
      body.pagination.totalCount = String(body.pagination.totalCount);
    }),
    differs: ['get-all-coins: JSON numbers'],
    found: 'pagination.totalCount is text',
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'limit') === '100') body.pagination.pageCount += 1;
    }),
    differs: ['get-all-coins: pages and totals agree'],
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'limit') === '1') body.pagination.pageCount = 1;
    }),
    differs: ['get-all-coins: a limit of 1'],
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'page') === '2' && queryOf(seen, 'limit') === '1')
        body.depositCoins[0].subName = 'BTC';
    }),
    differs: ['get-all-coins: the second page'],
    found: 'BTC',
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'search') === 'Bitcoin') body.depositCoins.shift();
    }),
    differs: ['get-all-coins: search by name'],
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'search')?.startsWith('swapctl')) body.depositCoins.push(BITCOIN);
    }),
    differs: ['get-all-coins: search for nothing there is'],
    found: '1 coins',
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'depositCoin') !== null && queryOf(seen, 'receiveCoin') === null)
        body.depositCoins.push(BITCOIN);
    }),
    differs: ['get-all-coins: the filter depositCoin'],
    found: '2 coins for ETH',
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'method') === '2' && queryOf(seen, 'receiveCoin') !== null)
        body.withdrawCoins.length = 0;
    }),
    differs: ['get-all-coins: the filter receiveCoin'],
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'depositNetwork') !== null) body.depositCoins.push(BITCOIN);
    }),
    differs: ['get-all-coins: the filter depositNetwork'],
    found: 'BTC is not on ETH',
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'receiveNetwork') !== null) body.withdrawCoins[0].networks.withdraws.length = 0;
    }),
    differs: ['get-all-coins: the filter receiveNetwork'],
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'depositCoin') !== null && queryOf(seen, 'receiveCoin') !== null)
        body.depositCoins.length = 0;
    }),
    differs: ['get-all-coins: a filter by the other side'],
  },
  {
    lie: said('get-all-coins', ({ pagination, depositCoins }, seen) =>
      queryOf(seen, 'method') === null ? { pagination, withdrawCoins: depositCoins } : undefined,
    ),
    differs: ['get-all-coins: no method'],
    found: 'the output listing',
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (isBare(seen)) body.depositCoins.length = 10;
    }),
    differs: ['get-all-coins: no limit'],
    found: '10 coins',
  },
  {
    lie: said('get-all-coins', (body, seen) => {
      if (isBare(seen)) body.depositCoins.reverse();
    }),
    differs: ['get-all-coins: no page'],
  },
  {
    lie: (answer, seen) => (queryOf(seen, 'limit') === '101' ? refused(422, 'too many') : answer),
    differs: ['get-all-coins: a limit of 101'],
    found: '422 too many',
  },
  {
    lie: (answer, seen) =>
      queryOf(seen, 'page') === '2' && queryOf(seen, 'limit') === '100' ? refused(404, 'Not found.') : answer,
    differs: ['get-all-coins: a page beyond the last'],
  },
  {
    lie: refusal('get-all-coins', [400, 'page must be'], WORDS),
    differs: ['get-all-coins: a page that is no number', 'get-all-coins: text for a page that is no number'],
  },
  {
    lie: refusal('get-all-coins', [400, 'method must be'], invalid('method is odd')),
    differs: ['get-all-coins: text for an unknown method'],
    found: 'not: method must be one of the following values: 1, 2; but: method is odd',
  },
];

const networks: readonly Difference[] = [
  {
    lie: said('get-coin-network', ({ deposit, withdraws }) => ({ deposits: deposit, withdraws })),
    differs: ['get-coin-network: fields of the networks'],
    skipped: ['get-coin-network: networks as in the coin list'],
    found: 'deposit is missing',
  },
  {
    lie: said('get-coin-network', (body) => {
      body.deposit = [{ subName: 'ERC20' }];
    }),
    differs: ['get-coin-network: networks as in the coin list'],
    found: 'ETH only in the coin list; ERC20 only in get-coin-network',
  },
  {
    lie: (answer, seen) =>
      isCallOf('get-all-coins', seen) || isCallOf('get-coin-network', seen)
        ? { ...answer, text: answer.text.replaceAll('"subName":"BSC"', '"subName":"BEP20"') }
        : answer,
    differs: ['get-coin-network: codes of the networks'],
    found: 'BEP20 for BSC',
  },
  {
    lie: refusal('get-coin-network', [404, 'Not found.'], refused(400, 'Not found.')),
    differs: ['get-coin-network: an unknown coin'],
    found: '400 Not found.',
  },
  {
    lie: refusal('get-coin-network', [400, 'null'], invalid('coin is required')),
    differs: ['get-coin-network: texts for no coin'],
  },
  {
    lie: refusal('get-coin-network', [400, '["coin should not be empty"]'], WORDS),
    differs: ['get-coin-network: text for an empty coin'],
  },
];

const quotes: readonly Difference[] = [
  {
    lie: said('exchange-coin', ({ maxAmount, ...rest }) => rest),
    differs: [
      'exchange-coin: fields of a quote',
      'exchange-coin: asked by what to receive',
      'exchange-coin: a fixed rate',
      'exchange-coin: no networks',
    ],
    skipped: ['exchange-coin: the bounds', 'exchange-coin: above the maximum'],
    found: 'maxAmount is missing',
  },
  {
    lie: said('exchange-coin', (body) => ({ ...body, pair: 'eth-usdt' })),
    differs: ['exchange-coin: label of the pair'],
    found: 'eth-usdt',
  },
  {
    lie: said('exchange-coin', (body) => ({ ...body, exchangeRate: String(body.exchangeRate) })),
    differs: ['exchange-coin: JSON numbers'],
    found: 'exchangeRate is text',
  },
  {
    lie: said('exchange-coin', (body, seen) =>
      queryOf(seen, 'lastSource') === 'deposit'
        ? { ...body, amount: 2 }
        : { ...body, amount: body.amount * 2 },
    ),
    differs: ['exchange-coin: the amount to send', 'exchange-coin: direction of the rate'],
    found: '2 for 1',
  },
  {
    lie: said('exchange-coin', (body) => ({ ...body, minAmount: body.maxAmount, maxAmount: body.minAmount })),
    differs: [
      'exchange-coin: the bounds',
      'exchange-coin: below the minimum',
      'exchange-coin: above the maximum',
    ],
  },
  {
    lie: said('exchange-coin', (body, seen) =>
      queryOf(seen, 'lastSource') === 'receive' ? { ...body, receive: 1 } : undefined,
    ),
    differs: ['exchange-coin: asked by what to receive'],
  },
  {
    lie: said('exchange-coin', (body, seen) =>
      queryOf(seen, 'lastSource') === 'receive' ? { ...body, amount: 1.1 } : undefined,
    ),
    differs: ['exchange-coin: both directions agree'],
    found: '1.1 for 1',
  },
  {
    lie: (answer, seen) => (queryOf(seen, 'lastSource') === 'receive' ? WORDS : answer),
    differs: ['exchange-coin: asked by what to receive'],
    skipped: ['exchange-coin: both directions agree'],
    found: '400 this is wrong',
  },
  {
    lie: (answer, seen) =>
      isCallOf('exchange-coin', seen) && queryOf(seen, 'typeSwap') === '1' ? WORDS : answer,
    differs: ['exchange-coin: a fixed rate'],
    skipped: ['exchange-coin: fixed costs more'],
  },
  {
    lie: said('exchange-coin', (body, seen) =>
      queryOf(seen, 'typeSwap') === '1' ? { ...body, receive: body.receive * 1.1 } : undefined,
    ),
    differs: ['exchange-coin: fixed costs more'],
  },
  {
    lie: said('exchange-coin', (body) => ({
      ...body,
      exchangeRate: Number((1 / body.exchangeRate).toFixed(12)),
    })),
    differs: ['exchange-coin: direction of the rate'],
  },
  {
    lie: (answer, seen) =>
      isCallOf('exchange-coin', seen) && answer.status < 300 && queryOf(seen, 'networkFrom') === null
        ? WORDS
        : answer,
    differs: ['exchange-coin: no networks'],
  },
  {
    lie: refusal('exchange-coin', [400, 'below'], refused(400, 'Too little')),
    differs: ['exchange-coin: below the minimum'],
    found: '400 Too little',
  },
  {
    lie: refusal('exchange-coin', [400, 'higher'], refused(400, 'Too much')),
    differs: ['exchange-coin: above the maximum'],
  },
  {
    lie: refusal(
      'exchange-coin',
      [400, 'below'],
      refused(400, 'Amount to exchange is below the possible min amount to exchange'),
    ),
    differs: [],
  },
  {
    lie: refusal('exchange-coin', [400, 'null'], refused(422, 'no')),
    differs: ['exchange-coin: no parameters', 'exchange-coin: texts for no parameters'],
  },
  {
    lie: refusal(
      'exchange-coin',
      [400, '["lastSource must'],
      invalid('lastSource is odd', 'typeSwap must be one of the following values: 1, 2'),
    ),
    differs: ['exchange-coin: texts for unknown choices'],
  },
  ...(['an unknown coin', 'an unknown network', 'a coin for itself'] as const).map((what) => ({
    lie: refusal('exchange-coin', [404, 'Not found.'], refused(404, 'No such pair.'), (seen) => {
      if (queryOf(seen, 'coinFrom') === 'SWAPCTLNOCOIN') return what === 'an unknown coin';
      return (
        (queryOf(seen, 'coinTo') === 'ETH') === (what === 'a coin for itself') && what !== 'an unknown coin'
      );
    }),
    differs: [`exchange-coin: ${what}`],
    found: '404 No such pair.',
  })),
];

const transactions: readonly Difference[] = [
  {
    lie: refusal('get-transaction', [404, 'Transaction'], refused(404, 'Not found.')),
    differs: ['get-transaction: an unknown order'],
    found: '404 Not found.',
  },
  {
    lie: refusal('get-transaction', [400, 'null'], {
      ...WORDS,
      text: '{"statusCode":400,"message":["id should not be null or undefined","id must be a string","id should not be empty"]}',
    }),
    differs: ['get-transaction: no id'],
    found: 'error is missing',
  },
  {
    lie: refusal('get-transaction', [400, 'null'], invalid('id must be a string', 'id should not be empty')),
    differs: ['get-transaction: what is said of no id', 'get-transaction: texts for no id'],
    found: 'nothing of null or undefined',
  },
  {
    lie: refusal('get-transaction', [400, '["id should not be empty"]'], refused(404, 'Not found.')),
    differs: ['get-transaction: text for an empty id'],
  },
];

const orders: readonly Difference[] = [
  made((body) => ({ ...body, riskScore: {} }), ['fields of a new order'], 'riskScore is an object'),
  made((body) => ({ ...body, type: { typeSwap: 1 } }), ['what was asked for'], 'type.typeSwap is another'),
  made(
    (body) => {
      body.pairs.receive.coin.network = 'TRX';
    },
    ['what was asked for'],
    'pairs.receive.coin.network is another',
    ['get-transaction: the order that was made'],
  ),
  made(
    (body) => {
      body.pairs.deposit.address = '';
    },
    ['an address to fund'],
    'none',
    ['get-transaction: the order that was made'],
  ),
  made((body) => ({ ...body, status: 1 }), ['status New'], 'status 1'),
  made((body) => ({ ...body, createdAt: '' }), ['no createdAt yet']),
  made(
    (body) => {
      body.swapTime.end = 'soon';
    },
    ['no end yet'],
    'swapTime.end is not empty',
  ),
  made((body) => ({ ...body, status: String(body.status) }), ['JSON numbers'], 'status is text'),
  made(
    (body) => {
      body.swapTime.start = '1700000000';
    },
    ['form of swapTime.start'],
    '1700000000',
  ),
  {
    write: true,
    lie: (answer, seen) =>
      isCallOf('create-transaction', seen) && answer.status === 201 ? { ...answer, status: 200 } : answer,
    differs: ['create-transaction: code of a success'],
    found: '200',
  },
  {
    write: true,
    lie: (answer) => ({ ...answer, text: answer.text.replace('"orderNumber":"', '"orderNumber":"swap-') }),
    hear: (seen) => ({
      ...seen,
      url: seen.url.replace('id=swap-', 'id='),
      body: seen.body.replace('"id":"swap-', '"id":"'),
    }),
    differs: ['create-transaction: form of the order number'],
  },
  {
    write: true,
    lie: refusal('create-transaction', [400, 'withdrawal'], refused(400, 'Bad address')),
    differs: ['create-transaction: an address that is none'],
  },
  {
    write: true,
    lie: refusal('create-transaction', [400, 'below'], refused(500, 'Failed create transaction.')),
    differs: ['create-transaction: below the minimum'],
  },
  {
    write: true,
    lie: refusal('create-transaction', [404, 'Not found.'], refused(400, 'No such coin')),
    differs: ['create-transaction: an unknown coin'],
  },
  {
    write: true,
    lie: refusal('create-transaction', [413, ''], refused(400, 'No')),
    differs: ['create-transaction: a body over 64 KiB'],
  },
  {
    write: true,
    lie: refusal(
      'create-transaction',
      [400, 'depositAmount must'],
      refused(400, 'Invalid withdrawal address.'),
      ({ body }) => body !== '{}',
    ),
    differs: [
      'create-transaction: an amount that is text',
      'create-transaction: text for an amount that is text',
    ],
  },
  {
    write: true,
    lie: said('get-transaction', ({ createdAt, ...rest }) => rest),
    differs: ['get-transaction: fields of an order'],
    skipped: ['get-transaction: form of createdAt'],
    found: 'createdAt is missing',
  },
  {
    write: true,
    lie: said('get-transaction', (body) => ({ ...body, createdAt: '' })),
    differs: ['get-transaction: form of createdAt'],
    found: 'empty',
  },
];

const refunds: readonly Difference[] = [
  {
    write: true,
    lie: said('update-refund-address', ({ message, ...rest }) => rest),
    differs: ['update-refund-address: fields of the answer', 'update-refund-address: message in state New'],
    found: 'message is missing',
  },
  {
    write: true,
    lie: said('update-refund-address', (body) => ({ ...body, newRefundAddress: '0x0' })),
    differs: ['update-refund-address: what was asked for'],
  },
  {
    write: true,
    lie: refusal('update-refund-address', [404, 'Transaction'], refused(404, 'Not found.')),
    differs: ['update-refund-address: an unknown order'],
  },
  {
    write: true,
    lie: refusal('update-refund-address', [400, 'null'], invalid('id is required')),
    differs: ['update-refund-address: texts for no fields'],
  },
  {
    write: true,
    lie: (answer, seen) =>
      isCallOf('update-refund-address', seen) ? refused(403, 'Invalid payload.') : answer,
    differs: [
      'update-refund-address: texts for no fields',
      'update-refund-address: the payload',
      'update-refund-address: message in state New',
      'update-refund-address: code of a success',
    ],
    skipped: [
      'a wrong signature',
      'fields of the answer',
      'what was asked for',
      'an unknown order',
      'no fields',
    ].map((check) => `update-refund-address: ${check}`),
  },
];

const answers: readonly Difference[] = [
  {
    lie: (answer, seen) =>
      isCallOf('get-coin-network', seen)
        ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } }
        : answer,
    differs: ['all: answers are JSON'],
    found:
      'get-coin-network: 403 with content-type text/html; get-coin-network: 200 with content-type text/html; get-coin-network: 400 with content-type text/html; and 1 more',
  },
  {
    lie: (answer, seen) =>
      isCallOf('get-transaction', seen)
        ? { ...answer, text: answer.text.replace('"statusCode":404', '"statusCode":400') }
        : answer,
    differs: ['all: error bodies'],
    found: 'get-transaction: 404 without statusCode 404',
  },
  {
    lie: (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } }),
    differs: ['all: headers of the rate limit'],
  },
  {
    lie: (answer, seen) =>
      isCallOf('exchange-coin', seen) && answer.status === 200 ? { ...answer, status: 202 } : answer,
    differs: ['all: code of a read'],
    found: 'exchange-coin: 202',
  },
];

/** A service's differences, each in a single point. */
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

const BITCOIN = {
  image: '',
  subName: 'BTC',
  name: 'Bitcoin',
  networks: { deposits: [{ subName: 'BTC', memoNeeded: false }] },
};

function isBare(seen: Parameters<typeof queryOf>[0]): boolean {
  return new URL(seen.url, 'http://localhost').search === '?method=1';
}

function invalid(...message: string[]) {
  const text = JSON.stringify({ statusCode: 400, message, error: 'Bad Request' });
  return { ...refused(400, ''), text };
}

function made(
  change: Parameters<typeof said>[1],
  differs: readonly string[],
  found?: string,
  others: readonly string[] = [],
): Difference {
  return {
    write: true,
    lie: said('create-transaction', change),
    differs: [...differs.map((check) => `create-transaction: ${check}`), ...others],
    ...(found === undefined ? {} : { found }),
  };
}
