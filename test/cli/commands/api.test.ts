import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { scriptedPrompter } from '../../helpers/prompter.ts';
import { profileEnv, rawServer } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, type RunHere, runHere } from '../../helpers/run-here.ts';
import { hasTool } from '../../helpers/tools.ts';

const CREATE = ['api', 'create-transaction', '-f', 'depositAmount=0.10', '-f', 'memo=007'];

/** Runs `swapctl api` against a service that gives one answer to everything. */
async function ask(args: readonly string[], status: number, body: string, more: Partial<RunHere> = {}) {
  const server = await rawServer((_seen, response) =>
    response.writeHead(status, { 'x-request': '7', 'content-type': 'application/json' }).end(body),
  );
  const run = await runHere(args, { env: profileEnv(server.url), ...more });
  return { ...run, requests: server.requests };
}

describe('swapctl api', () => {
  it('sends the fields of a GET as its query and prints the response body byte for byte', async () => {
    const body = '{"rate": 1.10,\r\n "n":123456789012345678901234567890}\n\n';
    const args = ['api', 'exchange-coin', '-f', 'amount=0.10', '-f', 'coinFrom=BTC&x'];
    const { stdout, stderr, error, requests } = await ask(args, 200, body);
    expect([stdout, stderr, error]).toEqual([body, '', null]);
    const [{ method, url, headers } = {} as never] = requests;
    expect([method, url]).toEqual(['GET', '/api/private/exchange-coin?amount=0.10&coinFrom=BTC%26x']);
    expect(headers['x-api-signature']).toBe(sign('exchange-coin', 'the-secret'));
  });

  it('escapes hidden characters of the response on a terminal', async () => {
    const { stdout } = await ask(['api', 'get-all-coins'], 200, '{"a":"\u202e"}', { terminals: ['stdout'] });
    expect(stdout).toBe('{"a":"<U+202E>"}\n');
  });

  it('builds a JSON body that keeps the digits of numbers and sends a numeric memo as a string', async () => {
    const { requests } = await ask([...CREATE, '-f', 'new=1e3', '-f', 'is=true', '--yes'], 400, '{}');
    expect(requests[0]?.body).toBe('{"depositAmount":0.10,"memo":"007","new":1e3,"is":true}');
  });

  it('sends a body from a file or from standard input unchanged', async () => {
    const body = '{ "depositAmount": 0.100 }';
    const file = join(await temporaryFolder(), 'body.json');
    writeFileSync(file, body);
    for (const input of [file, '-']) {
      const args = ['api', 'create-transaction', '--input', input, '--yes'];
      const { requests } = await ask(args, 400, '{}', { input: body });
      expect(requests[0]?.body).toBe(body);
    }
  });

  it('prints the status and headers with -i and redacts the signature in them', async () => {
    const server = await rawServer(({ headers }, response) =>
      response.writeHead(200, { 'x-echo': String(headers['x-api-signature']) }).end('{}'),
    );
    const run = await runHere(['api', 'get-all-coins', '-i'], { env: profileEnv(server.url) });
    expect(run.stdout).toMatch(/^HTTP 200\n(?:[a-z-]+: .*\n)*x-echo: <redacted>\n(?:[a-z-]+: .*\n)*\n\{\}$/);
  });

  it.each([
    ['get-all-coins', 403, 4],
    ['update-refund-address', 404, 3],
    ['create-transaction', 400, 5],
    ['create-transaction', 502, 7],
  ])(
    'prints the whole response of a rejected %s (%i) with -i and exits with %i',
    async (endpoint, status, exit) => {
      const server = await rawServer(({ headers }, response) => {
        const signature = String(headers['x-api-signature']);
        response
          .writeHead(status, { 'x-echo': signature })
          .end(`{"message":"Invalid signature. ${signature} the-secret"}`);
      });
      const options = { home: await temporaryFolder(), env: profileEnv(server.url) };
      const { stdout, stderr, error } = await runHere(['api', endpoint, '-i', '--yes'], options);
      expect(stdout).toMatch(
        new RegExp(
          `^HTTP ${status}\n(?:.+\n)*x-echo: <redacted>\n(?:.+\n)*\n\\{"message":"Invalid signature. `,
        ),
      );
      expect(error?.exitCode).toBe(exit);
      for (const text of [stdout, stderr, JSON.stringify(error)])
        expect(text).not.toMatch(/the-secret|[0-9a-f]{128}/i);
    },
  );

  it('prints no response from an earlier attempt when the last attempt gets none', async () => {
    let count = 0;
    const server = await rawServer((_seen, response) => {
      count += 1;
      if (count === 1) response.writeHead(503).end('busy');
      else response.destroy();
    });
    const options = { env: profileEnv(server.url), sleep: async () => undefined };
    const { stdout, error } = await runHere(['api', 'get-all-coins', '-i'], options);
    expect([stdout, error?.code, count]).toEqual(['', 'network_error', 3]);
  });

  it.each([
    ['get-transaction', 404, '{"message":"Transaction not found or access denied"}', 3, 'not_found'],
    ['get-all-coins', 403, '{"message":"Invalid signature."}', 4, 'invalid_signature'],
    ['exchange-coin', 400, '{"message":["amount must be"]}', 5, 'validation_failed'],
    ['exchange-coin', 200, 'no JSON', 6, 'bad_response'],
    ['create-transaction', 400, '{"message":"no"}', 5, 'rejected'],
    ['create-transaction', 502, '', 7, 'outcome_unknown'],
    ['create-transaction', 201, '{"status":9}', 7, 'outcome_unknown'],
    ['update-refund-address', 404, '{"message":"none"}', 3, 'not_found'],
  ])('%s with response %i %s prints it and exits with %i', async (endpoint, status, body, exit, code) => {
    const { stdout, error, requests } = await ask(['api', endpoint, '--yes'], status, body);
    expect([stdout, error?.exitCode, error?.code]).toEqual([body, exit, code]);
    expect((await ask(['api', endpoint, '--yes', '--json'], status, body)).stdout).toBe('');
    if (endpoint === 'create-transaction') expect(requests).toHaveLength(1);
  });

  it('asks before a request that changes something and requires --yes without a terminal', async () => {
    const refused = await ask(CREATE, 201, '{}');
    expect([refused.error?.code, refused.requests.length]).toEqual(['usage', 0]);
    const prompter = scriptedPrompter([{ confirm: 'Send this request?', answer: false }]);
    const declined = await ask([...CREATE, '--quiet'], 201, '{}', { prompter, terminals: AT_TERMINAL });
    expect([declined.error?.code, declined.requests.length]).toEqual(['declined', 0]);
    expect(declined.stderr).toContain('POST create-transaction {"depositAmount":0.10,"memo":"007"}');
  });

  it.each([
    [['api', 'get-all-coins', '-f', 'page'], 'Invalid field page.'],
    [['api', 'create-transaction', '--input', '/nowhere', '--yes'], 'File /nowhere does not exist.'],
  ])('%j is rejected without a request', async (args, words) => {
    const { error, requests } = await ask(args, 200, '{}');
    expect([error?.exitCode, requests.length]).toEqual([2, 0]);
    expect(error?.message).toContain(words);
  });
});

describe.skipIf(!['curl', 'openssl'].every(hasTool))('swapctl api --curl, run by a shell', () => {
  it.each([
    ['get-transaction', '-f', 'id=it\'s $HOME `id` "x"'],
    ['create-transaction', '-f', 'depositAmount=0.10', '-f', "memo=it's $HOME"],
  ])('sends the same request as swapctl: %s', async (...args) => {
    const sent = await ask(['api', ...args, '--yes'], 200, '{"orderNumber":"A","status":9}');
    const server = await rawServer((_seen, response) => response.writeHead(200).end('{"by":"curl"}'));
    const env = profileEnv(server.url);
    const { stdout: line } = await runHere(['api', ...args, '--curl'], { env });
    expect(line).not.toMatch(/the-secret|[0-9a-f]{128}/);
    const { stdout } = await promisify(execFile)('sh', ['-c', line], {
      env: { PATH: process.env['PATH'], SWAPCTL_SECRET: env['SWAPCTL_SECRET'] },
    });
    expect(stdout).toBe('{"by":"curl"}');
    const names = ['x-api-public-key', 'x-api-payload', 'x-api-signature', 'content-type', 'accept'];
    const facts = ([request]: typeof server.requests) => [
      request?.method,
      request?.url,
      request?.body,
      ...names.map((name) => request?.headers[name]),
    ];
    expect(facts(server.requests)).toEqual(facts(sent.requests));
  });

  it('is rejected for the built-in service, which stops with the command', async () => {
    const { error } = await runHere(['api', 'get-all-coins', '--curl']);
    expect([error?.code, error?.hint]).toEqual(['usage', expect.stringContaining('sandbox start')]);
  });
});
