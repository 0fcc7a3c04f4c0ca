import { expect, it } from 'vitest';
import { passOn } from '../../../src/core/client/upstream.ts';
import { rawServer } from '../../helpers/raw-server.ts';

/** What a service sees of a request that is passed on, and how it ends; `answer` says what the service does. */
async function passed(
  { method, headers, text }: { method: string; headers: readonly [string, string][]; text: string },
  answer: Parameters<typeof rawServer>[0],
) {
  const service = await rawServer(answer);
  let failure: string | null | undefined;
  const front = await rawServer(async (_, response) => {
    const own = { method, target: '/a', headers, body: Buffer.from(text) };
    const upstream = { baseUrl: service.url, proxy: null, timeoutMs: 200 };
    failure = (await passOn(own, response, upstream)).failure?.kind ?? null;
  });
  const read = async (response: Response) => [response.status, await response.text()];
  const status = await fetch(front.url).then(read, () => null);
  await expect.poll(() => failure).not.toBeUndefined();
  return { seen: service.requests[0], failure, status };
}

it.each([
  ['GET', [], '', undefined],
  ['POST', [['Content-Length', '0']], '', '0'],
  ['POST', [], '{}', '2'],
] as const)('a %s with the headers %j and the body %j is forwarded as long as %j', async (...row) => {
  const [method, headers, text, length] = row;
  const own = { method, headers: headers.map(([name, value]): [string, string] => [name, value]), text };
  const { seen, failure, status } = await passed(own, (_, response) => response.end('well'));
  expect([seen?.headers['content-length'], seen?.body]).toEqual([length, text]);
  expect([failure, status]).toEqual([null, [200, 'well']]);
});

it.each<[string, Parameters<typeof rawServer>[0]]>([
  ['never comes', () => undefined],
  [
    'stops after its headers',
    (_, response) => {
      response.writeHead(200, { 'content-length': '7' });
      response.flushHeaders();
    },
  ],
])('a response that %s is aborted after the timeout', async (_, answer) => {
  expect((await passed({ method: 'GET', headers: [], text: '' }, answer)).failure).toBe('timeout');
});
