import { describe, expect, it } from 'vitest';
import { fetchCoinList } from '../../../src/core/client/coin-list.ts';
import { rawServer, sendJson } from '../../helpers/raw-server.ts';
import { clientOf, failureOf, NOW } from './test-client.ts';

const coin = (code: string, deposits: boolean) => ({
  subName: code,
  name: code,
  image: '',
  networks: { [deposits ? 'deposits' : 'withdraws']: [{ subName: 'NET', memoNeeded: false }] },
});

/** A service of a thousand coins that refuses for a while when its limit is reached, and says so or not. */
async function limited(refusals: readonly number[], headers: Readonly<Record<string, string>>) {
  let asked = 0;
  const read: string[] = [];
  const server = await rawServer(({ url }, response) => {
    asked += 1;
    if (refusals.includes(asked)) {
      response.writeHead(429, { 'content-type': 'application/json', ...headers });
      return void response.end('{"message":"slow down"}');
    }
    const query = new URL(url, 'http://host').searchParams;
    const [page, deposits] = [Number(query.get('page')), query.get('method') === '1'];
    read.push(`${query.get('method')}/${page}`);
    const list = Array.from({ length: 100 }, (_, index) => coin(`C${(page - 1) * 100 + index}`, deposits));
    const pagination = { pageCount: 10, totalCount: 1000 };
    sendJson(response, 200, { pagination, [deposits ? 'depositCoins' : 'withdrawCoins']: list });
  });
  const paused: [milliseconds: number, pages: number][] = [];
  let [now, slept] = [NOW, 0];
  /** Time passes only once so many requests wait at the same time. */
  const fetched = (timeLeft = Number.POSITIVE_INFINITY, together = 1) => {
    const onPause = (...pause: [milliseconds: number, pages: number]) => paused.push(pause);
    const sleep = async (milliseconds: number) => {
      const end = now + milliseconds;
      slept += 1;
      const last = Math.ceil(slept / together) * together;
      while (slept < last) await new Promise(setImmediate);
      now = Math.max(now, end);
    };
    const clock = () => now;
    return fetchCoinList(clientOf(server.url, { now: clock, sleep }), clock, {
      timeLeft: () => timeLeft,
      onPause,
    });
  };
  return { fetched, paused, read, asked: () => asked };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a rate limit while the coin list is read', () => {
  it('is waited out as long as Retry-After says, and no page is read twice', async () => {
    const service = await limited([6, 7], { 'retry-after': '300' });
    const { coins } = await service.fetched(undefined, 2);
    expect(coins).toHaveLength(1000);
    expect(service.paused).toEqual([[300_000, 5]]);
    expect(service.read).toHaveLength(20);
    expect(new Set(service.read).size).toBe(20);
    expect(service.asked()).toBe(22);
  });

  it('is waited out with growing pauses without Retry-After', async () => {
    const service = await limited(range(2, 9), {});
    await service.fetched(undefined, 4);
    expect(service.paused.join(' ')).toBe('10000,1 20000,1');
    expect(new Set(service.read).size).toBe(service.read.length);
  });

  it.each([
    ['no time is left for it', [6], '30', 30_000],
    ['Retry-After exceeds five minutes', [6], '301', Number.POSITIVE_INFINITY],
    ['no page was read before', [1], '30', Number.POSITIVE_INFINITY],
  ])('throws rate_limited if %s', async (_when, refusals, seconds, timeLeft) => {
    const service = await limited(refusals, { 'retry-after': seconds });
    const error = await failureOf(service.fetched(timeLeft));
    expect(error).toMatchObject({ code: 'rate_limited', exitCode: 6 });
    expect(error.hint).toBe(`Wait ${seconds} s, then run the same command again.`);
    expect(error.details).toEqual({ retryAfterSeconds: Number(seconds) });
    expect(service.paused).toEqual([]);
  });

  it('throws rate_limited if it does not end', async () => {
    const service = await limited(range(2, 1000), { 'retry-after': '60' });
    expect((await failureOf(service.fetched())).code).toBe('rate_limited');
    // Each page is asked for three times, as any read.
    expect(service.paused).toHaveLength(2);
  });
});
