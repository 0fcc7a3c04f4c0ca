import { type Alteration, inBody, queryOf, refusal, refused } from './altering-server.ts';
import { type Difference, WORDS } from './difference.ts';

const SIGNATURE = refused(403, 'Invalid signature.');

/** Differences in the credential headers. */
export const authentication: readonly Difference[] = [
  {
    alter: refusal(
      'get-all-coins',
      [403, 'Invalid public key.'],
      refused(401, 'Unauthorized'),
      ({ headers }) => headers['x-api-public-key'] !== undefined,
    ),
    differs: ['get-all-coins: an unknown key', 'get-all-coins: key before payload and signature'],
    found: '401 Unauthorized',
  },
  {
    alter: refusal(
      'get-all-coins',
      [403, 'Invalid payload.'],
      refused(403, 'Invalid payload'),
      ({ headers }) => String(headers['x-api-payload']).startsWith('swapctl'),
    ),
    differs: ['get-all-coins: an unknown payload', 'get-all-coins: payload before signature'],
    found: '403 Invalid payload',
  },
  {
    alter: refusal('get-coin-network', [403, 'Invalid signature.'], refused(403, 'Invalid signature')),
    differs: ['get-coin-network: a wrong signature'],
    found: '403 Invalid signature',
  },
  {
    write: true,
    alter: refusal(
      'create-transaction',
      [403, 'Invalid signature.'],
      refused(400, 'Invalid withdrawal address.'),
    ),
    differs: ['create-transaction: a wrong signature'],
  },
  {
    alter: (answer, seen) => (/[A-F]/.test(String(seen.headers['x-api-signature'])) ? SIGNATURE : answer),
    differs: ['get-all-coins: a signature in upper case'],
    found: '403 Invalid signature.',
  },
  {
    alter: refusal(
      'get-all-coins',
      [403, 'Invalid payload.'],
      SIGNATURE,
      ({ headers }) => headers['x-api-payload'] === 'get-coin-network',
    ),
    differs: ['get-all-coins: the payload of another endpoint'],
  },
  {
    alter: refusal('get-transaction', [403, 'Invalid'], WORDS, (seen) => queryOf(seen, 'id') === null),
    differs: ['get-transaction: signature before parameters'],
  },
  ...(['key', 'payload', 'signature'] as const).map((what) => ({
    alter: ((answer, { headers }) => {
      const header = `x-api-${what === 'key' ? 'public-key' : what}`;
      return headers[header] === undefined ? refused(500, 'Server error.') : answer;
    }) satisfies Alteration,
    differs: [`get-all-coins: without a ${what}`],
    found: '500 Server error.',
  })),
];

/** Differences in the coin list. */
export const coins: readonly Difference[] = [
  {
    alter: inBody('get-all-coins', (body) => {
      for (const coin of body.depositCoins ?? []) coin.networks.deposits[0].memoNeeded = 'no';
    }),
    differs: ['get-all-coins: fields of the deposit listing', 'get-all-coins: no method'],
    found: 'depositCoins[].networks.deposits[].memoNeeded is text',
  },
  {
    alter: inBody('get-all-coins', ({ withdrawCoins, ...rest }) =>
      withdrawCoins === undefined ? undefined : { ...rest, receiveCoins: withdrawCoins },
    ),
    differs: ['get-all-coins: fields of the output listing', 'all: no other fields'],
    found: 'withdrawCoins is missing',
  },
  {
    alter: inBody('get-all-coins', (body) => {
      body.pagination.totalCount = String(body.pagination.totalCount);
    }),
    differs: ['get-all-coins: JSON numbers'],
    found: 'pagination.totalCount is text',
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'limit') === '100') body.pagination.pageCount += 1;
    }),
    differs: ['get-all-coins: pages and totals agree'],
  },
  {
    // A service with a maximum limit of 50, which the API document does not exclude.
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'limit') !== '100') return;
      (body.depositCoins ?? body.withdrawCoins).splice(50);
      body.pagination.pageCount = Math.ceil(body.pagination.totalCount / 50);
    }),
    change: (seen) => ({ ...seen, url: seen.url.replace('page=3&limit=100', 'page=2&limit=100') }),
    differs: [],
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'limit') === '1') body.pagination.pageCount = 1;
    }),
    differs: ['get-all-coins: a limit of 1'],
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'page') === '2' && queryOf(seen, 'limit') === '1')
        body.depositCoins[0].subName = 'BTC';
    }),
    differs: ['get-all-coins: the second page'],
    found: 'BTC',
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'search') === 'Bitcoin') body.depositCoins.shift();
    }),
    differs: ['get-all-coins: search by name'],
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'search')?.startsWith('swapctl')) body.depositCoins.push(BITCOIN);
    }),
    differs: ['get-all-coins: search without a match'],
    found: '1 coins',
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'depositCoin') !== null && queryOf(seen, 'receiveCoin') === null)
        body.depositCoins.push(BITCOIN);
    }),
    differs: ['get-all-coins: the filter depositCoin'],
    found: '2 coins for ETH',
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'method') === '2' && queryOf(seen, 'receiveCoin') !== null)
        body.withdrawCoins.length = 0;
    }),
    differs: ['get-all-coins: the filter receiveCoin'],
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'depositNetwork') !== null) body.depositCoins.push(BITCOIN);
    }),
    differs: ['get-all-coins: the filter depositNetwork'],
    found: 'BTC is not on ETH',
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'receiveNetwork') !== null) body.withdrawCoins[0].networks.withdraws.length = 0;
    }),
    differs: ['get-all-coins: the filter receiveNetwork'],
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (queryOf(seen, 'depositCoin') !== null && queryOf(seen, 'receiveCoin') !== null)
        body.depositCoins.length = 0;
    }),
    differs: ['get-all-coins: a filter by the other side'],
  },
  {
    alter: inBody('get-all-coins', ({ pagination, depositCoins }, seen) =>
      queryOf(seen, 'method') === null ? { pagination, withdrawCoins: depositCoins } : undefined,
    ),
    differs: ['get-all-coins: no method', 'all: no other fields'],
    found: 'the output listing',
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (isBare(seen)) body.depositCoins.length = 10;
    }),
    differs: ['get-all-coins: no limit'],
    found: '10 coins',
  },
  {
    alter: inBody('get-all-coins', (body, seen) => {
      if (isBare(seen)) body.depositCoins.reverse();
    }),
    differs: ['get-all-coins: no page'],
  },
  {
    alter: (answer, seen) => (queryOf(seen, 'limit') === '101' ? refused(422, 'too many') : answer),
    differs: ['get-all-coins: a limit of 101'],
    found: '422 too many',
  },
  {
    alter: (answer, seen) =>
      queryOf(seen, 'page') === '2' && queryOf(seen, 'limit') === '100' ? refused(404, 'Not found.') : answer,
    differs: ['get-all-coins: a page beyond the last'],
  },
  {
    alter: refusal('get-all-coins', [400, 'page must be'], WORDS),
    differs: ['get-all-coins: a page that is not a number'],
  },
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
