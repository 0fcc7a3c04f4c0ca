import { countAt, textAt } from '../core/partner-api/json.ts';
import { MESSAGES } from '../core/partner-api/messages.ts';
import { findNetwork } from '../core/swap/networks/networks.ts';
import type { Side } from '../core/swap/swap.ts';
import {
  assume,
  assumed,
  at,
  check,
  checkAnswer,
  differs,
  HELD,
  passIf,
  passIfNone,
  type Verdict,
} from './check.ts';
import {
  choosePair,
  codesOf,
  coinsIn,
  coinsRequest,
  firstCoin,
  firstPage,
  LISTINGS,
  listed,
  networksOf,
  ONE_COIN,
  PAGE_LIMIT,
} from './listing.ts';
import { NotTestable, type Probe, type Reply } from './probe.ts';
import { invalid, refused } from './refusals.ts';
import { COIN_NETWORKS, coinListShape, fits, hasJsonNumbers } from './shape.ts';
import { NO_COIN } from './test-swap.ts';

const NOTHING = 'swapctl conformance finds no such coin';
const DEPOSIT_LISTING_SHAPE = coinListShape('deposit');
/** Default of `limit`: coins on a page. */
const DEFAULT_LIMIT = 20;
const ALL = String(PAGE_LIMIT);
const UNKNOWN_COIN = { endpoint: 'get-coin-network', query: { coin: NO_COIN } } as const;

/** Checks of the coin list: its two listings, pages, search and filters. */
export const COIN_CHECKS = at(
  'get-all-coins',
  check('fields of the deposit listing', 'pagination, depositCoins, networks.deposits', async (probe) =>
    fits(await listed(probe, 'deposit'), DEPOSIT_LISTING_SHAPE),
  ),
  check('fields of the output listing', 'pagination, withdrawCoins, networks.withdraws', async (probe) =>
    fits(await listed(probe, 'receive'), coinListShape('receive')),
  ),
  invalid('a page that is not a number', coinsRequest({ method: '1', page: 'first' })),
  assume('numbers', 'JSON numbers', 'pagination in JSON numbers', async (probe) =>
    hasJsonNumbers(await listed(probe, 'deposit'), DEPOSIT_LISTING_SHAPE),
  ),
  check('pages and totals agree', 'pageCount = totalCount / limit, rounded up', pagesAgree),
  check('a limit of 1', 'one coin, a page for each', async (probe) => {
    const reply = await probe.ask(coinsRequest(ONE_COIN));
    if (!reply.ok) return differs(reply.words);
    const { pages, total } = totals(reply);
    const { length } = coinsIn(reply, 'deposit');
    return passIf(length === 1 && pages === total, `${length} coins, ${pages} pages for ${total}`);
  }),
  check('the second page', 'another coin than the first', async (probe) => {
    const first = await probe.ask(coinsRequest(ONE_COIN));
    if (totals(first).total < 2) throw new NotTestable('only one coin is listed');
    const second = await probe.ask(coinsRequest({ ...ONE_COIN, page: '2' }));
    const [a, b] = [first, second].map((reply) => codesOf(coinsIn(reply, 'deposit'))[0]);
    return passIf(b !== undefined && a !== b, second.ok ? `${b ?? 'no coin'}` : second.words);
  }),
  ...assumed(
    'page, limit',
    check('no limit', `${DEFAULT_LIMIT} coins on a page`, async (probe) => {
      const reply = await probe.ask(coinsRequest({ method: '1' }));
      const { length } = coinsIn(reply, 'deposit');
      if (!reply.ok) return differs(reply.words);
      return passIf(length === Math.min(DEFAULT_LIMIT, totals(reply).total), `${length} coins`);
    }),
    check('no page', 'the first page', async (probe) => {
      const reply = await probe.ask(coinsRequest({ method: '1' }));
      const wanted = textAt(await firstCoin(probe, 'deposit'), 'subName');
      const [code] = codesOf(coinsIn(reply, 'deposit'));
      return passIf(code === wanted, reply.ok ? `it begins with ${code ?? 'nothing'}` : reply.words);
    }),
    checkAnswer('a limit of 100', 'accepted', firstPage('deposit'), ({ ok }) => ok),
    checkAnswer(
      'a limit of 101',
      '400',
      coinsRequest({ method: '1', page: '1', limit: String(PAGE_LIMIT + 1) }),
      ({ status }) => status === 400,
    ),
    check('a page beyond the last', 'an empty list', async (probe) => {
      const { pages } = totals(await listed(probe, 'deposit'));
      const reply = await probe.ask(coinsRequest({ method: '1', page: String(pages + 1), limit: ALL }));
      return reply.ok ? emptyList(reply) : differs(reply.words);
    }),
  ),
  check('search by name', 'the coin of that name', async (probe) => {
    const coin = await firstCoin(probe, 'deposit');
    const [code, search] = [textAt(coin, 'subName') ?? '', textAt(coin, 'name') ?? ''];
    const reply = await probe.ask(coinsRequest({ method: '1', search }));
    const found = codesOf(coinsIn(reply, 'deposit'));
    return passIf(found.includes(code), reply.ok ? `${found.length} coins, not ${code}` : reply.words);
  }),
  check('search without a match', 'an empty list, or 404', async (probe) => {
    const reply = await probe.ask(coinsRequest({ method: '1', search: NOTHING }));
    if (reply.status === 404) return HELD;
    return reply.ok ? emptyList(reply) : differs(reply.words);
  }),
  coinFilter('deposit', 'depositCoin'),
  coinFilter('receive', 'receiveCoin'),
  networkFilter('deposit', 'depositNetwork'),
  networkFilter('receive', 'receiveNetwork'),
  assume('`method` left out', 'no method', 'the deposit listing', async (probe) => {
    const reply = await probe.ask(coinsRequest({}));
    return reply.ok && Array.isArray(reply.body['withdrawCoins'])
      ? differs('the output listing')
      : fits(reply, DEPOSIT_LISTING_SHAPE);
  }),
  assume(
    null,
    'a filter by the other side',
    'deposit coins that can be swapped to receiveCoin',
    async (probe) => {
      const { from, to } = await choosePair(probe);
      const reply = await filtered(probe, 'deposit', { depositCoin: from.coin, receiveCoin: to.coin });
      const codes = codesOf(coinsIn(reply, 'deposit'));
      return passIf(codes.includes(from.coin), reply.ok ? `not ${from.coin}` : reply.words);
    },
  ),
);

export const NETWORK_CHECKS = at(
  'get-coin-network',
  check('fields of the networks', 'deposit and withdraws with subName', async (probe) =>
    fits((await ownNetworks(probe)).reply, COIN_NETWORKS),
  ),
  invalid('no coin', { endpoint: 'get-coin-network', query: {} }),
  ...assumed(
    'unknown pair or network',
    refused('an unknown coin', UNKNOWN_COIN, { status: 404, message: MESSAGES.NOT_FOUND }),
  ),
  assume('network codes', 'networks as in the coin list', 'the same codes in both', sameNetworks),
  assume('network codes', 'codes of the networks', "the chain's own ticker, such as ETH", async (probe) =>
    passIfNone(await foreignCodes(probe)),
  ),
);

function filtered(probe: Probe, side: Side, filter: Readonly<Record<string, string>>): Promise<Reply> {
  return probe.ask(coinsRequest({ method: LISTINGS[side].method, ...filter }));
}

async function ownAsset(probe: Probe, side: Side) {
  const { from, to } = await choosePair(probe);
  return side === 'deposit' ? from : to;
}

function coinFilter(side: Side, name: string) {
  return check(`the filter ${name}`, 'only that coin', async (probe: Probe) => {
    const { coin } = await ownAsset(probe, side);
    const reply = await filtered(probe, side, { [name]: coin });
    const codes = codesOf(coinsIn(reply, side));
    const alone = codes.length > 0 && codes.every((code) => code === coin);
    return passIf(alone, reply.ok ? `${codes.length} coins for ${coin}` : reply.words);
  });
}

function networkFilter(side: Side, name: string) {
  return check(`the filter ${name}`, 'coins on that network alone', async (probe: Probe) => {
    const { network } = await ownAsset(probe, side);
    const reply = await filtered(probe, side, { [name]: network });
    const coins = coinsIn(reply, side);
    if (coins.length === 0) return differs(reply.ok ? `no coin for ${network}` : reply.words);
    const others = coins.filter((coin) => !networksOf(coin, side).includes(network));
    return passIfNone(codesOf(others).map((code) => `${code} is not on ${network}`));
  });
}

async function ownNetworks(probe: Probe): Promise<{ coin: string; reply: Reply }> {
  const { coin } = (await choosePair(probe)).from;
  return { coin, reply: await probe.ask({ endpoint: 'get-coin-network', query: { coin } }) };
}

async function sameNetworks(probe: Probe): Promise<Verdict> {
  const { coin, reply } = await ownNetworks(probe);
  const entry = coinsIn(await listed(probe, 'deposit'), 'deposit').find(
    (item) => textAt(item, 'subName') === coin,
  );
  const given = reply.body['deposit'];
  if (entry === undefined || !Array.isArray(given))
    throw new NotTestable(`no networks of ${coin} to compare`);
  const listedCodes = networksOf(entry, 'deposit');
  const codes = given.map((item) => textAt(item, 'subName') ?? '');
  return passIfNone([
    ...listedCodes.filter((code) => !codes.includes(code)).map((code) => `${code} only in the coin list`),
    ...codes.filter((code) => !listedCodes.includes(code)).map((code) => `${code} only in get-coin-network`),
  ]);
}

async function foreignCodes(probe: Probe): Promise<string[]> {
  const codes = new Set<string>();
  for (const side of ['deposit', 'receive'] as const satisfies readonly Side[]) {
    for (const coin of coinsIn(await listed(probe, side), side)) {
      for (const code of networksOf(coin, side)) codes.add(code);
    }
  }
  if (codes.size === 0) throw new NotTestable('no network is listed');
  return [...codes].flatMap((code) => {
    const known = findNetwork(code);
    if (known === undefined) return [`${code} is unknown`];
    return known.code === code ? [] : [`${code} for ${known.code}`];
  });
}

function totals(reply: Reply): { pages: number; total: number } {
  const pages = countAt(reply.json, 'pagination.pageCount');
  const total = countAt(reply.json, 'pagination.totalCount');
  if (pages === undefined || total === undefined) throw new NotTestable('no pagination to read');
  return { pages, total };
}

async function pagesAgree(probe: Probe): Promise<Verdict> {
  const reply = await probe.ask(firstPage('deposit'));
  if (!reply.ok) throw new NotTestable(`no page of ${ALL}: ${reply.words}`);
  const { pages, total } = totals(reply);
  const { length } = coinsIn(reply, 'deposit');
  // The document does not state the maximum limit, so a page may hold fewer coins than requested.
  const limit = Math.min(PAGE_LIMIT, length);
  const agree = total === 0 ? length === 0 : limit > 0 && pages === Math.ceil(total / limit);
  return passIf(agree, `${length} coins on the first of ${pages} pages of ${ALL}, ${total} in all`);
}

/** Held if the deposit listing exists and is empty. */
function emptyList(reply: Reply): Verdict {
  const { length } = coinsIn(reply, 'deposit');
  return passIf(length === 0 && Array.isArray(reply.body['depositCoins']), `${length} coins`);
}
