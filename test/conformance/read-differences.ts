import type { Alteration } from './altering-server.ts';
import { queryOf, refusal, refused } from './altering-server.ts';
import type { Difference } from './difference.ts';
import { differing, refusing, WORDS } from './difference.ts';

const SIGNATURE = refused(403, 'Invalid signature.');
const listed = differing('get-all-coins', false);
const refusingList = refusing('get-all-coins', false);

/** Differences in the credential headers. */
export const authentication: readonly Difference[] = [
  refusingList(
    [403, 'Invalid public key.'],
    [401, 'Unauthorized'],
    ['an unknown key', 'key before payload and signature'],
    ({ headers }) => headers['x-api-public-key'] !== undefined,
  ),
  refusingList(
    [403, 'Invalid payload.'],
    [403, 'Invalid payload'],
    ['an unknown payload', 'payload before signature'],
    ({ headers }) => String(headers['x-api-payload']).startsWith('swapctl'),
  ),
  refusing('get-coin-network', false)(
    [403, 'Invalid signature.'],
    [403, 'Invalid signature'],
    ['a wrong signature'],
  ),
  refusing('create-transaction', true)(
    [403, 'Invalid signature.'],
    [400, 'Invalid withdrawal address.'],
    ['a wrong signature'],
  ),
  {
    alter: (answer, seen) => (/[A-F]/.test(String(seen.headers['x-api-signature'])) ? SIGNATURE : answer),
    differs: ['get-all-coins: a signature in upper case'],
    found: '403 Invalid signature.',
  },
  refusingList(
    [403, 'Invalid payload.'],
    [403, 'Invalid signature.'],
    ['the payload of another endpoint'],
    ({ headers }) => headers['x-api-payload'] === 'get-coin-network',
  ),
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
  listed(
    {
      differs: ['fields of the deposit listing', 'no method'],
      found: 'depositCoins[].networks.deposits[].memoNeeded is text',
    },
    (body) => {
      for (const coin of body.depositCoins ?? []) coin.networks.deposits[0].memoNeeded = 'no';
    },
  ),
  listed(
    { differs: ['fields of the output listing', 'all: no other fields'], found: 'withdrawCoins is missing' },
    ({ withdrawCoins, ...rest }) =>
      withdrawCoins === undefined ? undefined : { ...rest, receiveCoins: withdrawCoins },
  ),
  listed({ differs: ['JSON numbers'], found: 'pagination.totalCount is text' }, ({ pagination }) => {
    pagination.totalCount = String(pagination.totalCount);
  }),
  listed({ differs: ['pages and totals agree'] }, (body, seen) => {
    if (queryOf(seen, 'limit') === '100') body.pagination.pageCount += 1;
  }),
  {
    // A service with a maximum limit of 50, which the API document does not exclude.
    ...listed({ differs: [] }, (body, seen) => {
      if (queryOf(seen, 'limit') !== '100') return;
      (body.depositCoins ?? body.withdrawCoins).splice(50);
      body.pagination.pageCount = Math.ceil(body.pagination.totalCount / 50);
    }),
    change: (seen) => ({ ...seen, url: seen.url.replace('page=3&limit=100', 'page=2&limit=100') }),
  },
  listed({ differs: ['a limit of 1'] }, (body, seen) => {
    if (queryOf(seen, 'limit') === '1') body.pagination.pageCount = 1;
  }),
  listed({ differs: ['the second page'], found: 'BTC' }, (body, seen) => {
    if (queryOf(seen, 'page') === '2' && queryOf(seen, 'limit') === '1') body.depositCoins[0].subName = 'BTC';
  }),
  listed({ differs: ['search by name'] }, (body, seen) => {
    if (queryOf(seen, 'search') === 'Bitcoin') body.depositCoins.shift();
  }),
  listed({ differs: ['search without a match'], found: '1 coins' }, (body, seen) => {
    if (queryOf(seen, 'search')?.startsWith('swapctl')) body.depositCoins.push(BITCOIN);
  }),
  listed({ differs: ['the filter depositCoin'], found: '2 coins for ETH' }, (body, seen) => {
    if (queryOf(seen, 'depositCoin') !== null && queryOf(seen, 'receiveCoin') === null)
      body.depositCoins.push(BITCOIN);
  }),
  listed({ differs: ['the filter receiveCoin'] }, (body, seen) => {
    if (queryOf(seen, 'method') === '2' && queryOf(seen, 'receiveCoin') !== null)
      body.withdrawCoins.length = 0;
  }),
  listed({ differs: ['the filter depositNetwork'], found: 'BTC is not on ETH' }, (body, seen) => {
    if (queryOf(seen, 'depositNetwork') !== null) body.depositCoins.push(BITCOIN);
  }),
  listed({ differs: ['the filter receiveNetwork'] }, (body, seen) => {
    if (queryOf(seen, 'receiveNetwork') !== null) body.withdrawCoins[0].networks.withdraws.length = 0;
  }),
  listed({ differs: ['a filter by the other side'] }, (body, seen) => {
    if (queryOf(seen, 'depositCoin') !== null && queryOf(seen, 'receiveCoin') !== null)
      body.depositCoins.length = 0;
  }),
  listed(
    { differs: ['no method', 'all: no other fields'], found: 'the output listing' },
    ({ pagination, depositCoins }, seen) =>
      queryOf(seen, 'method') === null ? { pagination, withdrawCoins: depositCoins } : undefined,
  ),
  listed({ differs: ['no limit'], found: '10 coins' }, (body, seen) => {
    if (isBare(seen)) body.depositCoins.length = 10;
  }),
  listed({ differs: ['no page'] }, (body, seen) => {
    if (isBare(seen)) body.depositCoins.reverse();
  }),
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
