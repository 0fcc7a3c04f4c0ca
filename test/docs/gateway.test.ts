import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/library/testing.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';
import { ADDRESSES } from '../helpers/swap-service.ts';
import { hasTool } from '../helpers/tools.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const EXAMPLE = join(ROOT, 'docs', 'examples', 'gateway.mjs');
const FULL = 'full-key-full-key-full';
const READ = 'read-key-read-key-read';
const BODY = JSON.stringify({
  from: { coin: 'BTC' },
  to: { coin: 'ETH', network: 'ETH' },
  amount: '0.1',
  address: ADDRESSES.eth,
  labels: { invoice: '7' },
});

/** A response as the Python program prints it on one line. */
interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of a response
  readonly body: any;
}

/** Sends each request with urllib. */
const PYTHON = `
import json, sys, urllib.error, urllib.request
for method, url, headers, body in json.load(sys.stdin):
    request = urllib.request.Request(url, body and body.encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    print(json.dumps({"status": status, "body": json.loads(text)}))
`;

type Asked = readonly [method: string, path: string, headers?: Record<string, string>, body?: string];

const run = promisify(execFile);

async function send(requests: readonly Asked[], url: string): Promise<readonly Answer[]> {
  const input = requests.map(([method, path, headers = {}, body = null]) => [
    method,
    `${url}${path}`,
    headers,
    body,
  ]);
  const child = run('python3', ['-c', PYTHON]);
  child.child.stdin?.end(JSON.stringify(input));
  return (await child).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

/** The headers of a request. */
const by = (key: string, idempotencyKey?: string) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
  ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
});

describe.skipIf(!hasTool('python3'))('the example gateway', () => {
  let sandbox: Sandbox;
  let home: string;
  let url: string;
  let stop: () => Promise<unknown>;

  /** The ledger of the gateway, as the command line lists it. */
  const history = async () => {
    const env = { SWAPCTL_LEDGER: join(home, 'swaps.db') };
    return JSON.parse((await runHere(['history', '--json'], { home, env })).stdout);
  };

  beforeEach(async () => {
    sandbox = await startSandbox();
    home = await temporaryFolder();
    await copyFile(EXAMPLE, join(home, 'gateway.mjs'));
    await mkdir(join(home, 'node_modules'));
    await symlink(ROOT, join(home, 'node_modules', 'swapctl'));
    const child = spawn(process.execPath, ['gateway.mjs', '0'], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        GATEWAY_KEY: FULL,
        GATEWAY_READ_KEY: READ,
        SWAP_URL: sandbox.baseUrl,
        SWAP_KEY: sandbox.publicKey,
        SWAP_SECRET: sandbox.secret,
      },
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    url = /http:\S+/.exec(line.toString())?.[0] ?? '';
    stop = async () => {
      child.kill('SIGTERM');
      return once(child, 'exit');
    };
  });

  afterEach(async () => {
    expect(await stop()).toEqual([0, null]);
    await sandbox.close();
  });

  it('answers reads with the read-only key', async () => {
    const headers = by(READ);
    const quote = '/quote?from=BTC&to=USDT:TRC20&amount=0.1&type=fixed';
    const answers = await send(
      ['/coins', '/coins/usdt/networks', quote, '/swaps', '/swaps?q=nothing', '/swaps/NOSUCH', '/other'].map(
        (path) => ['GET', path, headers],
      ),
      url,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 404]);
    const [coins, networks, priced, open, found, missing] = answers.map(({ body }) => body);
    expect(coins).toContainEqual(expect.objectContaining({ code: 'BTC' }));
    expect(networks.networks).toContainEqual(expect.objectContaining({ network: 'TRX' }));
    expect(priced).toMatchObject({ to: { coin: 'USDT', network: 'TRX' }, amount: '0.1', type: 'fixed' });
    expect([open, found, missing.error.code]).toEqual([[], [], 'not_found']);
  });

  it('creates a swap once per idempotency key, finds it by order number, key, label or address, and sets its refund address', async () => {
    const create: Asked = ['POST', '/swaps', by(FULL, 'order-991'), BODY];
    const quoted: Asked = ['POST', '/swaps', by(FULL, '"order-991"'), BODY];
    const [made, again, inQuotes] = await send([create, create, quoted], url);
    const order: string = made?.body.order;
    expect([made?.status, again?.status, inQuotes?.status]).toEqual([201, 200, 200]);
    for (const answer of [again, inQuotes]) expect(answer?.body).toMatchObject({ order, replayed: true });
    const facts = ['order-991', order, 'invoice=7', made?.body.deposit.address];
    const looked = await send(
      [
        ...facts.map((fact): Asked => ['GET', `/swaps?q=${encodeURIComponent(fact)}`, by(READ)]),
        ['GET', `/swaps/${order}`, by(READ)],
        ['PATCH', `/swaps/${order}`, by(FULL), JSON.stringify({ refundAddress: ADDRESSES.btcRefund })],
      ],
      url,
    );
    for (const { body } of looked.slice(0, facts.length)) expect(body).toMatchObject([{ order }]);
    expect(looked.at(-2)?.body).toMatchObject({ order, status: 'new', labels: { invoice: '7' } });
    expect(looked.at(-1)?.body).toMatchObject({ order, refundAddress: ADDRESSES.btcRefund });
    expect(await history()).toMatchObject([{ order, refundAddress: ADDRESSES.btcRefund }]);
  });

  it('rejects invalid or unauthorized requests and records nothing', async () => {
    await send([['POST', '/swaps', by(FULL, 'order-991'), BODY]], url);
    const before = await history();
    expect(before).toHaveLength(1);
    const answers = await send(
      [
        ['GET', '/swaps'],
        ['GET', '/swaps', by('wrong-key-wrong-key-wrong')],
        ['POST', '/swaps', by(READ, 'a'), BODY],
        ['PATCH', '/swaps/KQWZPA', by(READ), '{}'],
        ['POST', '/swaps', by(FULL), BODY],
        ['POST', '/swaps', by(FULL, 'b'), 'not JSON'],
        ['POST', '/swaps', by(FULL, 'b'), BODY.replace('"0.1"', '0.1')],
        ['POST', '/swaps', by(FULL, 'b'), BODY.replace('amount', 'amuont')],
        ['POST', '/swaps', by(FULL, 'order-991'), BODY.replace('0.1', '0.2')],
        ['POST', '/swaps', by(FULL, 'b'), ' '.repeat(70_000)],
        ['GET', '/swaps/%', by(READ)],
      ],
      url,
    );
    expect(answers.map(({ status, body }) => `${status} ${body.error.code}`).join(', ')).toBe(
      '401 unauthorized, 401 unauthorized, 403 forbidden, 403 forbidden, 428 idempotency_key_required, 400 usage, 400 invalid_amount, 400 usage, 400 usage, 413 too_large, 400 usage',
    );
    expect(await history()).toEqual(before);
  });

  it('responds with 409 outcome_unknown to a lost create, and to its repetition', async () => {
    await sandbox.fault({ endpoint: 'create-transaction', drop: 'after', times: 1 });
    const create: Asked = ['POST', '/swaps', by(FULL, 'lost'), BODY.replace('0.1', '0.3')];
    const answers = await send([create, create], url);
    const lost = '409 outcome_unknown';
    expect(answers.map(({ status, body }) => `${status} ${body.error.code}`)).toEqual([lost, lost]);
    expect(await history()).toMatchObject([{ outcome: 'unknown', idempotencyKey: 'lost' }]);
  });
});

it('the example gateway has at most 150 lines', async () => {
  expect((await readFile(EXAMPLE, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});
