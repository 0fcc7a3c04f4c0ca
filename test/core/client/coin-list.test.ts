import { chmod, chown, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fetchCoinList } from '../../../src/core/client/coin-list.ts';
import {
  coinListFile,
  readStoredCoinList,
  readStoredCoinNames,
  storeCoinList,
} from '../../../src/core/client/coin-list-cache.ts';
import { LISTING } from '../../../src/core/client/coin-page.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { rawServer, sendJson } from '../../helpers/raw-server.ts';
import { clientOf, failureOf, NOW } from './test-client.ts';

interface Listing {
  /** Coins that the service has on each side. */
  readonly total: number;
  /** What it claims, instead of the truth. */
  readonly pageCount?: unknown;
  readonly totalCount?: unknown;
  /** Gives another page than the one asked for. */
  readonly pageFor?: (asked: number) => number;
  /** Largest page that it allows; also the size of a page without a limit. */
  readonly maxLimit?: number;
}

/** A service with coins C0, C1, …; tells the pages asked for and how many requests were under way at once. */
async function service({ total, pageFor = (page) => page, maxLimit = 100, ...claims }: Listing) {
  let underWay = 0;
  const seen = { pages: [] as number[], atOnce: 0 };
  const server = await rawServer(async ({ url }, response) => {
    const query = new URL(url, 'http://host').searchParams;
    const [asked, limit] = [Number(query.get('page')), Number(query.get('limit') ?? maxLimit)];
    if (limit > maxLimit) {
      const message = [`limit must not be greater than ${maxLimit}`];
      return sendJson(response, 400, { statusCode: 400, message, error: 'Bad Request' });
    }
    const deposits = query.get('method') === '1';
    if (deposits) seen.pages.push(asked);
    underWay += 1;
    seen.atOnce = Math.max(seen.atOnce, underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay -= 1;
    const start = (pageFor(asked) - 1) * limit;
    const list = Array.from({ length: Math.max(0, Math.min(limit, total - start)) }, (_, index) =>
      coin(start + index, deposits),
    );
    const pagination = { pageCount: Math.ceil(total / limit), totalCount: total, ...claims };
    sendJson(response, 200, { pagination, [deposits ? 'depositCoins' : 'withdrawCoins']: list });
  });
  const { coins } = await fetchCoinList(clientOf(server.url), () => NOW);
  return { ...seen, coins: coins.length };
}

function coin(index: number, deposits: boolean) {
  const networks = [{ subName: 'NET', memoNeeded: index % 2 === 1 }];
  return {
    subName: `C${index}`,
    name: `Coin ${index}`,
    image: '',
    networks: deposits ? { deposits: networks } : { withdraws: networks },
  };
}

const network = (code: string, memoRequired = false) => ({ network: code, memoRequired });

describe('the coin list', () => {
  it('is fetched 100 coins at a time, with four pages in parallel', async () => {
    const { pages, atOnce, coins } = await service({ total: 1050 });
    expect(coins).toBe(1050);
    expect(pages).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(atOnce).toBe(4);
  });

  it.each([0, 1, 99, 100, 101, 200])('of %i coins takes no more requests than needed', async (total) => {
    const { pages, coins } = await service({ total });
    expect([coins, pages.length]).toEqual([total, Math.max(1, Math.ceil(total / 100))]);
  });

  it('ends soon if the service claims more pages than it has', async () => {
    const { pages, coins } = await service({ total: 250, pageCount: 1_000_000_000 });
    expect(coins).toBe(250);
    expect(pages.length).toBeLessThanOrEqual(5);
  });

  it('ends if the service returns the same page repeatedly', async () => {
    const endless = { total: 900, pageCount: 900, totalCount: 90_000, pageFor: () => 1 };
    const { pages, coins } = await service(endless);
    expect(coins).toBe(100);
    expect(pages.length).toBeLessThanOrEqual(5);
  });

  it.each([1, 0, -5, 'two', null, 1.5, undefined])('is complete if it claims %j pages', async (pageCount) => {
    expect((await service({ total: 250, pageCount })).coins).toBe(250);
    expect((await service({ total: 250, pageCount, totalCount: null })).coins).toBe(250);
  });

  it('is complete if the service allows smaller pages only', async () => {
    expect(await service({ total: 130, maxLimit: 50 })).toMatchObject({ pages: [1, 2, 3], coins: 130 });
  });

  it('is read even if two pages are rejected as too large at the same time', async () => {
    const server = await rawServer(({ url }, response) =>
      new URL(url, 'http://host').searchParams.has('limit')
        ? sendJson(response, 400, { statusCode: 400, message: ['limit is too large'], error: 'Bad Request' })
        : sendJson(response, 200, { depositCoins: [], withdrawCoins: [] }),
    );
    const client = clientOf(server.url);
    const pages = await Promise.all([client.coins(LISTING.deposit, 1), client.coins(LISTING.receive, 1)]);
    expect(pages.map(({ coins }) => coins)).toEqual([[], []]);
  });

  it('accepts a page count given as text', async () => {
    expect((await service({ total: 250, pageCount: '3', totalCount: '250' })).pages).toEqual([1, 2, 3]);
  });

  it('joins both sides by coin, in the order of the deposit side', async () => {
    const entry = (subName: string, networks: object) => ({ subName, name: `${subName} coin`, networks });
    const odd = [{ subName: 'N1', memoNeeded: true }, { subName: '' }, 7];
    const depositCoins = [entry('B', { deposits: odd }), { name: 'no code' }, null, entry('A', {})];
    const withdrawCoins = [entry('A', { withdraws: [{ subName: 'N2' }] }), entry('C', { withdraws: 5 })];
    const server = await rawServer(({ url }, response) =>
      sendJson(response, 200, url.includes('method=1') ? { depositCoins } : { withdrawCoins }),
    );
    const [n1, n2] = [network('N1', true), network('N2')];
    expect((await fetchCoinList(clientOf(server.url), () => NOW)).coins).toEqual([
      { code: 'B', name: 'B coin', image: null, deposit: [n1], receive: [] },
      { code: 'A', name: 'A coin', image: null, deposit: [], receive: [n2] },
      { code: 'C', name: 'C coin', image: null, deposit: [], receive: [] },
    ]);
  });

  it.each([['{}'], ['[]'], ['null'], ['{"withdrawCoins":[]}'], ['{"depositCoins":{}}'], ['<html>'], ['']])(
    'that is malformed throws bad_response: %s',
    async (body) => {
      const server = await rawServer((_seen, response) => sendJson(response, 200, body));
      expect((await failureOf(fetchCoinList(clientOf(server.url), () => NOW))).code).toBe('bad_response');
    },
  );
});

describe('the stored coin list', () => {
  const wrapped = [network('eth'), network('XRP', true)];
  const coins = [
    { code: 'BTC', name: 'Bitcoin', image: null, deposit: [network('BTC')], receive: [network('BTC')] },
    { code: 'wBTC', name: 'Wrapped', image: '/w.svg', deposit: [], receive: wrapped },
  ];
  let file: string;
  beforeEach(async () => {
    file = coinListFile(join(await temporaryFolder(), 'cache'), 'https://api.example.com', 'pk');
  });
  const store = () => storeCoinList(file, { fetchedAt: NOW, coins }, 4711);

  it('is returned for an hour, and not if it is from the future', async () => {
    store();
    expect(readStoredCoinList(file, NOW)).toEqual({ fetchedAt: NOW, coins });
    expect(readStoredCoinList(file, NOW + 3_600_000 - 1)).not.toBeNull();
    expect(readStoredCoinList(file, NOW + 3_600_000)).toBeNull();
    expect(readStoredCoinList(file, NOW - 1)).toBeNull();
  });

  it('has its codes and names in a separate file for completion, at any age', async () => {
    const names = (word: string) => readStoredCoinNames(file, word).map(({ code, name }) => [code, name]);
    expect(names('')).toEqual([]);
    const odd = { code: 'X.\n["B', name: 'tab\t"quoted"\nline' };
    const all = [...coins, { ...odd, image: null, deposit: [], receive: [] }];
    storeCoinList(file, { fetchedAt: NOW, coins: all }, 4711);
    const known = all.map(({ code, name }) => [code, name]);
    expect(names('')).toEqual(known);
    for (const word of ['b', 'x', 'X.', 'x]', '.', 'q', '$', known[0]?.[0] ?? '']) {
      const begin = ([code = '']: string[]) => code.toLowerCase().startsWith(word.toLowerCase());
      expect(names(word).filter(begin), word).toEqual(known.filter(begin));
    }
    for (const text of ['', '[', '{}', '["BTC"\n', 'null']) {
      await writeFile(file.replace('.json', '.names.jsonl'), text);
      expect(names(''), text).toEqual([]);
    }
  });

  it('is stored in files readable only by their owner, without temporary files', async () => {
    store();
    const folder = dirname(file);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const names = await readdir(folder);
    expect(names.filter((name) => !/\.jsonl?$/.test(name))).toEqual([]);
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  it('has a separate file for each service and each public key', () => {
    const name = (url: string, key: string) => coinListFile('/c', url, key);
    const names = [name('https://a', 'k'), name('https://b', 'k'), name('https://a', 'l')];
    expect(new Set(names).size).toBe(3);
  });

  it('is ignored if it is missing or damaged', async () => {
    expect(readStoredCoinList(file, NOW)).toBeNull();
    store();
    const whole = await readFile(file, 'utf8');
    const damaged = [
      ...['', '{', 'null', '[]', '{}', '"x"', whole.slice(0, -10)],
      `{"fetchedAt":${NOW},"lists":[],"coins":[["BTC","Bitcoin",null,0,0]]}`,
      `{"fetchedAt":"${NOW}","lists":[],"coins":[]}`,
      `{"fetchedAt":${NOW},"lists":[],"coins":[1]}`,
      `{"fetchedAt":${NOW},"lists":[[]],"coins":[["BTC","Bitcoin",null,0,1]]}`,
      `{"fetchedAt":${NOW},"lists":[[]],"coins":[["BTC","Bitcoin",null,1,0]]}`,
      `{"fetchedAt":${NOW},"lists":[[]],"coins":[["BTC",7,null,0,0]]}`,
      `{"fetchedAt":${NOW},"lists":[[]],"coins":[[7,"Bitcoin",null,0,0]]}`,
      `{"fetchedAt":${NOW},"lists":{},"coins":[]}`,
      `{"fetchedAt":${NOW},"lists":[],"coins":{}}`,
    ];
    for (const text of damaged) {
      await writeFile(file, text);
      expect(readStoredCoinList(file, NOW), text).toBeNull();
    }
  });

  async function behindLink(path: string) {
    await rename(dirname(path), `${dirname(path)}-2`);
    await symlink(`${dirname(path)}-2`, dirname(path));
  }

  it.each([
    ['a file that others can write to', (path: string) => chmod(path, 0o622)],
    ["another user's file", (path: string) => chown(path, 65_534, 65_534)],
    ['a folder that others can write to', (path: string) => chmod(dirname(path), 0o777)],
    ["another user's folder", (path: string) => chown(dirname(path), 65_534, 65_534)],
    ['a folder behind a link', behindLink],
  ])('is neither read from nor written to %s', async (what, spoil) => {
    if (what.startsWith('another') && process.getuid?.() !== 0) return;
    store();
    expect(readStoredCoinList(file, NOW)).not.toBeNull();
    expect(readStoredCoinNames(file, 'b')).toHaveLength(1);
    await spoil(file);
    if (!what.includes('folder')) await spoil(file.replace('.json', '.names.jsonl'));
    expect([readStoredCoinList(file, NOW), readStoredCoinNames(file, 'b')]).toEqual([null, []]);
    if (!what.includes('folder')) return;
    const before = await readFile(file, 'utf8');
    storeCoinList(file, { fetchedAt: NOW + 1, coins }, 4711);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('that cannot be written causes no error', async () => {
    await mkdir(dirname(dirname(file)), { recursive: true });
    await writeFile(dirname(file), 'a file where the folder should be');
    expect(store).not.toThrow();
  });
});
