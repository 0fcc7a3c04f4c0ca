import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import { afterAll, describe, expect, it } from 'vitest';
import { authHeaders } from '../../../../../src/core/partner-api/signature.ts';
import { connectProxy } from '../../../../helpers/connect-proxy.ts';
import { temporaryFolder } from '../../../../helpers/home.ts';
import { profileEnv, rawServer, sendJson } from '../../../../helpers/raw-server.ts';
import { runHere } from '../../../../helpers/run-here.ts';
import { words } from '../../../../helpers/words.ts';
import { call, ETH_ADDRESS, NEW_SWAP, type TestSandbox, testSandbox } from '../../../../sandbox/sandbox.ts';
import { recordHere, requestAs } from './recording.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document.
type Document = any;

const QUOTE = { amount: '0.1', coinFrom: 'BTC', coinTo: 'ETH', lastSource: 'deposit', typeSwap: '2' };
const har = (file: string): Document => JSON.parse(readFileSync(file, 'utf8'));

/** What is wrong with a HAR by the schemas of HAR 1.2. */
function harProblems(value: unknown): string {
  const schemas: Readonly<Record<string, object>> = createRequire(import.meta.url)('har-schema');
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addMetaSchema(draft06);
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  return ajv.validate('har.json#', value) ? '' : ajv.errorsText();
}

const envOf = ({ url, credentials }: Pick<TestSandbox, 'url' | 'credentials'>) =>
  profileEnv(url, credentials);

const sandbox = await testSandbox();
afterAll(() => sandbox.stop());

/** What a recording reports of each request with --json, after its first line. */
function reportedIn(stdout: string): Document[] {
  const [, ...lines] = stdout.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

describe('swapctl sandbox record', () => {
  it('writes a HAR file without credentials, readable only by its owner', async () => {
    const { secret, publicKey } = sandbox.credentials;
    const recording = await recordHere(envOf(sandbox));
    const place = { url: recording.url, credentials: sandbox.credentials };
    const began = performance.now();
    const quote = await call(place, 'exchange-coin', QUOTE);
    expect(quote.text).toBe((await call(sandbox, 'exchange-coin', QUOTE)).text);
    expect((await call(place, 'get-transaction', { id: 'NOSUCH' })).status).toBe(404);
    // Writing the file takes a twentieth of the time at most, so the second call may be written a little later.
    await expect.poll(() => har(recording.file).log.entries, { timeout: 10_000 }).toHaveLength(2);
    const { stdout, stderr, error } = await recording.stop();
    expect(error).toBeNull();
    expect(stdout.split('\n').map((line) => line.replace(/^\S+Z\t|\d+ms/g, ''))).toEqual([
      `recording on ${recording.url}`,
      'GET\texchange-coin\t200\t\t',
      'GET\tget-transaction\t404\t\t',
      '',
    ]);
    expect(stderr).toContain(`profile env · sandbox · ${new URL(sandbox.url).host}\n`);
    expect(stderr).toContain(`2 calls in ${recording.file}\n`);
    expect(statSync(recording.file).mode & 0o777).toBe(0o600);
    expect(harProblems(har(recording.file))).toBe('');
    expect(harProblems({ log: {} })).toContain('required');
    const text = readFileSync(recording.file, 'utf8');
    for (const word of [
      secret,
      publicKey,
      authHeaders('exchange-coin', sandbox.credentials)['x-api-signature'],
    ])
      expect(text + stdout + stderr).not.toContain(word);
    expect(text).not.toMatch(/x-api-/i);
    const [{ request, response, time }] = har(recording.file).log.entries;
    expect(time).toBeLessThanOrEqual(performance.now() - began + 1);
    expect(request.url).toMatch(`${sandbox.url}/api/private/exchange-coin?amount=0.1&`);
    expect(request.queryString).toContainEqual({ name: 'coinTo', value: 'ETH' });
    expect(response.content.text).toBe(quote.text);
  });

  it('forwards method, path, query, bytes and headers unchanged', async () => {
    const packed = gzipSync('{"pair":"BTC_ETH"}');
    const service = await rawServer((_, response) => {
      response.writeHead(
        418,
        'I am a teapot',
        words(`X-Odd a X-Odd b Content-Encoding gzip Set-Cookie id=1 Content-Type application/json Connection
        X-Gone X-Gone 1`),
      );
      response.end(packed);
    });
    const recording = await recordHere(profileEnv(`${service.url}/v1/partners`));
    const target = '/api/private/exchange-coin?b=%2F+x&a=1&a=2&';
    const headers = { 'X-Own-Spelling': 'yes', Connection: 'close, X-Hop', 'X-Hop': '1', Cookie: 'c=1' };
    const { answer, bytes } = await requestAs(`${recording.url}${target}`, headers);
    const [seen] = service.requests;
    expect(seen).toMatchObject({
      method: 'GET',
      url: `/v1/partners${target}`,
      headers: { 'x-own-spelling': 'yes', host: new URL(service.url).host, cookie: 'c=1' },
    });
    expect(seen?.headers['content-length']).toBe('0');
    expect(seen?.headers['x-hop']).toBeUndefined();
    expect([answer.statusCode, answer.statusMessage]).toEqual([418, 'I am a teapot']);
    expect(bytes.equals(packed)).toBe(true);
    expect(answer.rawHeaders.join('|')).toContain('X-Odd|a|X-Odd|b|Content-Encoding|gzip|Set-Cookie|id=1');
    expect(answer.rawHeaders).not.toContain('X-Gone');
    expect((await recording.stop()).stdout).toContain('\t418\t');
    const [{ request, response }] = har(recording.file).log.entries;
    expect(response.content.text).toBe(gunzipSync(packed).toString());
    expect(JSON.stringify([request.headers, response.headers])).not.toMatch(/cookie/i);
  });

  it('rejects a request with an unknown Host header', async () => {
    const service = await rawServer((_, response) => sendJson(response, 200, {}));
    const recording = await recordHere(profileEnv(service.url), '--write');
    const answerTo = async (host: string, method: string) => {
      const target = `${recording.url}/api/private/create-transaction`;
      const { answer, bytes } = await requestAs(target, { Host: host }, method);
      return `${answer.statusCode} ${bytes}`;
    };
    const { port } = new URL(recording.url);
    for (const method of ['GET', 'POST'])
      expect(await answerTo(`evil.example:${port}`, method)).toBe(
        '403 {"statusCode":403,"message":"Unexpected Host header: use 127.0.0.1 or localhost."}',
      );
    expect(service.requests).toEqual([]);
    expect(await answerTo(`localhost:${port}`, 'POST')).toBe('200 {}');
    expect(service.requests).toHaveLength(1);
    const { stdout, stderr } = await recording.stop();
    expect(stdout.match(/\tnot forwarded: Unexpected Host header/g)).toHaveLength(2);
    expect(stderr).toContain(`1 call in ${recording.file}\n`);
  });

  it('reports deviations of a response from the OpenAPI document', async () => {
    const answers = [
      [200, { pair: 1, amount: '1', exchangeRate: 1, receive: 1, minAmount: 1, networkFee: 2 }],
      [203, {}],
      [404, { statusCode: 404 }],
      [200, 'garbage'],
    ] as const;
    let next = 0;
    const service = await rawServer((_, response) => {
      const [status, body] = answers[next++] ?? [500, {}];
      sendJson(response, status, body);
    });
    const recording = await recordHere(profileEnv(service.url), '--json');
    for (const _ of answers) await fetch(`${recording.url}/api/private/exchange-coin`);
    await fetch(`${recording.url}/elsewhere`);
    const { stdout } = await recording.stop();
    const reported = reportedIn(stdout);
    expect(Object.keys(reported[0]).join(' ')).toBe(
      'at method endpoint status milliseconds refused lost deviations',
    );
    expect(reported[0].deviations).toEqual([
      { kind: 'missing-field', path: 'maxAmount', words: 'maxAmount is missing' },
      { kind: 'unknown-field', path: 'networkFee', words: 'networkFee is not in the document' },
      { kind: 'wrong-type', path: 'pair', words: 'pair is not of type string' },
      { kind: 'wrong-type', path: 'amount', words: 'amount is not of type number' },
    ]);
    const words = reported.map(({ deviations }) => deviations.map((each: Document) => each.words));
    expect(words.slice(1)).toEqual([
      ['the status 203 is not in the document'],
      ['message is missing'],
      ['the body is not JSON'],
      [],
    ]);
    expect(reported[4].endpoint).toBeNull();
  });

  it('forwards requests that change something only with --write', async () => {
    const careful = await recordHere(envOf(sandbox));
    const before = (await sandbox.operator.info()).orders;
    const post = await fetch(`${careful.url}/api/private/create-transaction`, { method: 'POST', body: '{}' });
    expect(post.status).toBe(405);
    expect(await post.json()).toEqual({
      statusCode: 405,
      message:
        'POST was not forwarded: start swapctl sandbox record with --write to forward requests that change something.',
    });
    expect((await careful.stop()).stdout).toContain('POST\tcreate-transaction\t405\t');
    expect(har(careful.file).log.entries).toEqual([]);
    const bold = await recordHere(envOf(sandbox), '--write');
    const place = { url: bold.url, credentials: sandbox.credentials };
    const made = await call(place, 'create-transaction', { ...NEW_SWAP, receiveAddress: ETH_ADDRESS });
    const { orderNumber: id } = made.json;
    const refund = await call(place, 'update-refund-address', { id, refundAddress: ETH_ADDRESS });
    expect([made.status, refund.status]).toEqual([201, 200]);
    expect((await sandbox.operator.info()).orders).toEqual(before + 1);
    await bold.stop();
    const [{ request }] = har(bold.file).log.entries;
    expect(JSON.parse(request.postData.text)).toMatchObject({ receiveAddress: ETH_ADDRESS });
  });

  it('closes the client connection if the service closes its connection', async () => {
    const service = await rawServer((seen, response) => {
      if (seen.url.includes('half')) response.writeHead(200, { 'content-length': '100' }).write('{"pair":');
      setImmediate(() => response.destroy());
    });
    const recording = await recordHere(profileEnv(service.url), '--json');
    const get = (path: string) => fetch(`${recording.url}/api/private/${path}`).then((each) => each.text());
    await expect(get('exchange-coin')).rejects.toThrow();
    await expect(get('exchange-coin?half')).rejects.toThrow();
    await service.close();
    await expect(get('exchange-coin')).rejects.toThrow();
    const { stdout } = await recording.stop();
    const reported = reportedIn(stdout);
    const ends = reported.map(({ lost, status }) => `${lost} ${status}`);
    expect(ends).toEqual(['broken null', 'broken 200', 'unreachable null']);
    expect(harProblems(har(recording.file))).toBe('');
  });

  it('does not follow redirects and forwards large and binary responses whole', async () => {
    const large = Buffer.alloc(6 * 1024 * 1024, 'x');
    const service = await rawServer((seen, response) => {
      if (seen.url.includes('large')) response.writeHead(200).end(large);
      else if (seen.url.includes('odd')) response.writeHead(200).end(Buffer.from([0xff, 0x00, 0xfe]));
      else response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
    });
    const recording = await recordHere(profileEnv(service.url));
    const get = (path: string) => fetch(`${recording.url}/${path}`, { redirect: 'manual' });
    expect((await get('x')).status).toBe(302);
    expect(Buffer.from(await (await get('large')).arrayBuffer()).equals(large)).toBe(true);
    expect([...new Uint8Array(await (await get('odd')).arrayBuffer())]).toEqual([0xff, 0x00, 0xfe]);
    await recording.stop();
    expect(service.requests).toHaveLength(3);
    const { entries } = har(recording.file).log;
    expect(entries.map(({ response }: Document) => response.content.comment)).toEqual([
      undefined,
      'no text, or too large to keep',
      'no text, or too large to keep',
    ]);
    expect(harProblems(har(recording.file))).toBe('');
  });

  it('uses the proxy from the environment', async () => {
    const proxy = await connectProxy();
    const env = { ...envOf(sandbox), HTTP_PROXY: `http://${proxy.host}` };
    const recording = await recordHere(env);
    const place = { url: recording.url, credentials: sandbox.credentials };
    expect((await call(place, 'exchange-coin', QUOTE)).status).toBe(200);
    expect(proxy.asked).toEqual([new URL(sandbox.url).host]);
    await recording.stop();
    await proxy.close();
  });

  it('does not overwrite a file and creates none if the port is in use', async () => {
    const home = await temporaryFolder();
    const file = join(home, 'old.har');
    writeFileSync(file, 'mine');
    const start = (...args: string[]) =>
      runHere(['sandbox', 'record', ...args], { home, env: envOf(sandbox) });
    expect((await start('--port', '0', '-o', file)).error).toMatchObject({ code: 'usage' });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const other = join(home, 'new.har');
    const { port } = new URL(sandbox.url);
    expect((await start('--port', port, '-o', other)).error?.message).toContain('the port is in use');
    expect(() => statSync(other)).toThrow('ENOENT');
  });
});
