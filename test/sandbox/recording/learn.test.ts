import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../../../src/partner-api/json.ts';
import { openApiDocument } from '../../../src/sandbox/http/openapi/openapi.ts';
import { readOverlay } from '../../../src/sandbox/overlay/overlay.ts';
import { answerCheck } from '../../../src/sandbox/recording/deviations.ts';
import { learnFrom } from '../../../src/sandbox/recording/learn/learn.ts';
import { chunksOf, learnedFrom } from './twins.ts';

const QUOTE =
  'https://api.example.com/api/private/exchange-coin?amount=0.1&coinFrom=btc&networkFrom=BTC&coinTo=USDT&networkTo=TRX&lastSource=deposit&typeSwap=2';
const ANSWER =
  '{"pair":"BTC_USDT","amount":0.1,"exchangeRate":60000.0,"receive":5998.2,"minAmount":0.00100000000000000000001,"maxAmount":2.50}';

/** An entry of a HAR file. */
function entry(
  url: string,
  text: string,
  more: { status?: number; encoding?: string; method?: string } = {},
): string {
  const { status = 200, encoding, method = 'GET' } = more;
  const content = { text, ...(encoding === undefined ? {} : { encoding }) };
  return JSON.stringify({ request: { method, url }, response: { status, headers: [], content } });
}

/** A page of the coin list with two coins on each side. */
function coinList(method: '1' | '2', base = 'https://api.example.com'): string {
  const [list, key] = method === '1' ? ['depositCoins', 'deposits'] : ['withdrawCoins', 'withdraws'];
  const coin = (subName: string, network: string) => ({
    ...{ subName, name: `${subName} \u202e`, image: '' },
    networks: { [key ?? '']: [{ subName: network, memoNeeded: false }] },
  });
  const body = {
    pagination: { pageCount: 1, totalCount: 2 },
    [list ?? '']: [coin('BTC', 'BTC'), coin('USDT', 'TRX')],
  };
  return entry(`${base}/api/private/get-all-coins?method=${method}&page=1&limit=100`, JSON.stringify(body));
}

const LISTS = [coinList('1'), coinList('2')];

describe('learning from a recording', () => {
  it('keeps bounds digit for digit, in the listed spelling, and prices coins by their rates', async () => {
    const { overlay, service, calls } = await learnedFrom([...LISTS, entry(QUOTE, ANSWER)]);
    expect([service, calls]).toEqual(['https://api.example.com', 3]);
    expect(overlay['bounds']).toEqual([
      { from: 'BTC:BTC', to: 'USDT:TRX', min: '0.00100000000000000000001', max: '2.50' },
    ]);
    const coins = overlay['coins'] as { code: string; usd: string }[];
    expect(coins.map(({ code, usd }) => [code, usd])).toEqual([
      ['BTC', '60000'],
      ['USDT', '1'],
    ]);
    expect(readOverlay(writeJson(overlay)).catalogue?.coins).toHaveLength(2);
  });

  it('says what it was not shown, each with what would show it', async () => {
    const { learned, missing } = await learnedFrom([entry(QUOTE, ANSWER)]);
    expect(missing).toContainEqual({ point: 'coins and networks', call: 'swapctl coins --refresh' });
    expect(missing).toContainEqual({
      point: 'status of a create',
      call: 'a create: swapctl conformance --write',
    });
    expect(learned).toContainEqual({ point: 'status of a read', value: '200' });
    const points = [...learned, ...missing].map(({ point }) => point);
    expect(new Set(points).size).toBe(points.length);
  });

  it('says which part of the coin list it has not seen', async () => {
    const first = coinList('1').replace('\\"totalCount\\":2', '\\"totalCount\\":9');
    const { missing } = await learnedFrom([first]);
    const call = (method: number) =>
      `swapctl api get-all-coins -f method=${method} -f page=1 -f limit=100, and its further pages`;
    expect(missing).toContainEqual({ point: '7 of 9 coins to deposit', call: call(1) });
    expect(missing).toContainEqual({ point: 'coins to receive', call: call(2) });
  });

  it('reads what browsers and proxies make: base64, compressed or not, and other hosts between', async () => {
    for (const [text, encoding] of [
      [Buffer.from(ANSWER).toString('base64'), 'base64'],
      [gzipSync(ANSWER).toString('base64'), 'base64'],
      [ANSWER, undefined],
    ] as const) {
      const own = entry(QUOTE, text, encoding === undefined ? {} : { encoding });
      const others = [
        entry('https://cdn.example.net/app.js', 'let x'),
        entry('data:text/plain,x', ''),
        entry(QUOTE, '', { status: 0 }),
        entry(QUOTE, '', { method: 'OPTIONS' }),
      ];
      const { overlay, calls } = await learnedFrom([...LISTS, ...others, own]);
      expect([calls, overlay['bounds']]).toEqual([3, [expect.objectContaining({ max: '2.50' })]]);
    }
  });

  it('asks which service is meant where there are several, and takes the one that is named', async () => {
    const entries = [...LISTS, coinList('1', 'https://test.example.com/v2')];
    await expect(learnedFrom(entries)).rejects.toMatchObject({
      code: 'usage',
      message:
        'The recording has calls to several services: https://api.example.com, https://test.example.com/v2.',
      hint: 'Choose one, such as --host https://api.example.com',
    });
    expect((await learnedFrom(entries, 'test.example.com')).service).toBe('https://test.example.com/v2');
    expect((await learnedFrom(entries, 'https://api.example.com')).calls).toBe(2);
    await expect(learnedFrom(entries, 'elsewhere.example.com')).rejects.toMatchObject({ code: 'usage' });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'HTTP/1.1 200 OK'],
    ['other JSON', '{"entries":[{"log":1}]}'],
    ['entries in another place', '{"log":{"pages":[{"entries":[{}]}]}}'],
    ['a part of a file', `{"log":{"entries":[${LISTS[0]},`],
  ])('refuses %s', async (_, text) => {
    await expect(learnFrom(chunksOf(text), null)).rejects.toMatchObject({
      code: 'usage',
      message: 'This is not a complete HAR file: it has no list log.entries.',
    });
  });

  it('takes garbage in entries for no calls, and a hostile list for what it is', async () => {
    const evil = JSON.stringify({
      pagination: { pageCount: 1e99, totalCount: -1 },
      depositCoins: [
        { subName: '__proto__', name: 1, networks: { deposits: [{ subName: 'a b' }] } },
        null,
        [],
      ],
    });
    const url = 'https://api.example.com/api/private/get-all-coins?method=1';
    const entries = ['1', 'null', '{}', '[[]]', entry(url, evil), entry(url, '{"a":1,"a":2}'), ...LISTS];
    const { overlay } = await learnedFrom(entries);
    expect((overlay['coins'] as unknown[]).length).toBe(2);
    expect(() => readOverlay(writeJson(overlay))).not.toThrow();
  });

  it('reports fields of a listing that are not documented, and never the other listing', async () => {
    const extra = { rank: 7, icon: 'x', explorer: null, tags: ['a'], isNew: true };
    const more = (text: string) =>
      text.replaceAll('\\"image\\":', `${JSON.stringify(JSON.stringify(extra)).slice(2, -2)},\\"image\\":`);
    const url = 'https://api.example.com/api/private/get-all-coins?method=1&page=1&limit=100';
    const text = JSON.parse(more(LISTS[0] ?? '')).response.content.text as string;
    const check = answerCheck(JSON.parse(writeJson(openApiDocument())));
    const found = check('get-all-coins', 200, text);
    const names = Object.keys(extra).map((name) => `depositCoins[].${name}`);
    expect(found.map(({ kind }) => kind)).toEqual(names.map(() => 'unknown-field'));
    expect(found.map(({ path }) => path).sort()).toEqual(names.sort());

    const { overlay, missing } = await learnedFrom([entry(url, text), LISTS[1] ?? '']);
    const { extraFields } = overlay['decisions'] as { extraFields: Record<string, object> };
    expect(Object.keys(extraFields['get-all-coins'] ?? {}).sort()).toEqual(names);
    expect(missing.filter(({ point }) => point.includes('is missing'))).toEqual([]);
  });

  it('learns amounts that are text in some fields, and says which are both', async () => {
    const answer = ANSWER.replace('"amount":0.1', '"amount":"0.1"');
    const some = await learnedFrom([...LISTS, entry(QUOTE, answer)]);
    expect(some.overlay).toMatchObject({
      habits: ['no-rate-headers'],
      decisions: { textAmounts: ['amount'] },
    });
    expect(some.learned).toContainEqual({ point: 'amounts that are text', value: 'amount' });
    const both = await learnedFrom([...LISTS, entry(QUOTE, answer), entry(QUOTE, ANSWER)]);
    expect(both.overlay['decisions']).not.toHaveProperty('textAmounts');
    const point = 'form of amount';
    expect(both.missing).toContainEqual({ point, call: expect.stringContaining('text and others a number') });
    expect(both.learned.filter(({ point: at }) => at === 'habit text-amounts')).toEqual([]);
  });

  it('learns the refusal of an unknown coin where networks were left out too', async () => {
    const open = 'https://api.example.com/api/private/exchange-coin?amount=1&coinFrom=NOPE&coinTo=USDT';
    const refusal = JSON.stringify({ statusCode: 422, message: 'No such coin' });
    const refused = entry(open, refusal, { status: 422 });
    const { overlay, learned } = await learnedFrom([...LISTS, refused]);
    expect(overlay).toMatchObject({
      decisions: { unknownPair: { status: { value: '422' }, message: 'No such coin' } },
    });
    // A line that says "404" beside one that says "422" would contradict it.
    expect(learned).toContainEqual({
      point: 'habit unprocessable',
      value: 'no: a pair that cannot be swapped is 422 No such coin',
    });
    const needed = open.replace('NOPE', 'BTC');
    const either = await learnedFrom([...LISTS, refused, entry(needed, refusal, { status: 422 })]);
    expect(either.overlay['habits']).toContain('networks-required');
    expect(either.overlay['decisions']).not.toHaveProperty('unknownPair');
  });

  it('does not say that there are no other fields beside one that says expiredAt', async () => {
    const url = 'https://api.example.com/api/private/get-transaction?id=ABCDEF';
    const { learned } = await learnedFrom([entry(url, '{"expiredAt":"2026-01-01T00:00:00.000Z"}')]);
    expect(learned).toContainEqual({ point: 'undocumented fields', value: 'none but expiredAt' });
  });
});
