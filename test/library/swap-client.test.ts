import { getEventListeners } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../src/base/errors.ts';
import { type CallRunner, callRunner, readConnection } from '../../src/library/connection.ts';
import { agreementFromDescription, createWithoutLedger } from '../../src/library/create.ts';
import { waitForSwap } from '../../src/library/status.ts';
import { createSwapClient } from '../../src/library/swap-client.ts';
import { startSandbox } from '../../src/library/testing.ts';
import type { CreateRequest, SwapDescription } from '../../src/library/types.ts';
import { rawServer, sendJson } from '../helpers/raw-server.ts';
import { tamperingProxy } from '../helpers/tampering-proxy.ts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const REFUND = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

const BTC_ETH = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' }, amount: '0.1' } as const;
const CREATE: CreateRequest = { ...BTC_ETH, address: ADDRESS };

const sandbox = await startSandbox();
const proxy = await tamperingProxy(sandbox.baseUrl);
const client = createSwapClient({ ...sandbox, baseUrl: proxy.url });

afterAll(async () => {
  await proxy.close();
  await sandbox.close();
});

/** The JSON of the SwapctlError that a promise is rejected with. */
async function refusal(promise: Promise<unknown>) {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SwapctlError)) throw new Error(`no SwapctlError: ${error}`);
  return error.toJSON();
}

describe('a library client without a ledger', () => {
  it('lists coins, and the networks of a coin with their aliases', async () => {
    const coins = await client.coins();
    expect(coins.find(({ code }) => code === 'BTC')).toEqual({
      code: 'BTC',
      name: 'Bitcoin',
      image: '/coins/btc.svg',
      deposit: [{ network: 'BTC', memoRequired: false }],
      receive: [{ network: 'BTC', memoRequired: false }],
    });
    const usdt = await client.networks('usdt');
    expect(usdt.coin).toBe('USDT');
    expect(usdt.networks.find(({ network }) => network === 'TRX')).toMatchObject({
      network: 'TRX',
      deposit: true,
      receive: true,
      memoRequired: false,
      aliases: expect.arrayContaining(['TRC20']),
    });
  });

  it('returns a quote with the keys of the command except profile, and accepts network aliases', async () => {
    const quote = await client.quote({
      from: { coin: 'btc' },
      to: { coin: 'USDT', network: 'TRC20' },
      amount: '1000',
      lastSource: 'receive',
      type: 'fixed',
    });
    expect(quote).toMatchObject({
      type: 'fixed',
      lastSource: 'receive',
      receive: '1000',
      environment: 'sandbox',
      from: { coin: 'BTC', network: null },
      to: { coin: 'USDT', network: 'TRX' },
    });
    expect(Object.keys(quote).sort().join(' ')).toBe(
      'amount at environment fee from lastSource max min pair rate receive to type',
    );
  });

  it('creates a fundable swap and reports its success without doubts', async () => {
    const created = await client.create({ ...CREATE, refundAddress: REFUND, minReceive: '0.5' });
    expect(created).toMatchObject({
      status: 'new',
      statusCode: 9,
      final: false,
      fundable: true,
      doubts: [],
      warnings: [],
      deposit: { coin: 'BTC', network: 'BTC', amount: '0.1' },
      receive: { coin: 'ETH', network: 'ETH', address: ADDRESS },
      refundAddress: REFUND,
      asked: { deposit: '0.1', receive: created.receive.amount },
      paymentUri: `bitcoin:${created.deposit.address}?amount=0.1`,
    });
    expect(Object.keys(created)).not.toContain('profile');
    // A status that is not listed says nothing about the progress; a deposit does.
    const unlisted: SwapDescription = { ...created, status: 'unknown' };
    const sent = { ...unlisted, deposit: { ...created.deposit, txId: 'f00d' } };
    const furthest = [unlisted, sent].map((earlier) => agreementFromDescription(earlier, created).furthest);
    expect(furthest).toEqual([null, 'confirmation']);
    await sandbox.deposit(created.order);
    await sandbox.advance('10m');
    const ended = await client.status(JSON.parse(JSON.stringify(created)) as SwapDescription);
    expect(ended).toMatchObject({ status: 'success', final: true, fundable: false, doubts: [] });
    expect(await client.status(created.order)).toMatchObject({ status: 'success', asked: null });
  });

  it('throws outcome_unknown with the order if it fails after the response to a create', async () => {
    const before = proxy.count('create-transaction');
    const now = () => {
      if (proxy.count('create-transaction') > before) throw new Error('Cannot find module');
      return Date.now();
    };
    const within = callRunner(readConnection({ ...sandbox, baseUrl: proxy.url }));
    const error = await refusal(within({}, (ports) => createWithoutLedger({ ...ports, now }, CREATE)));
    expect(error).toMatchObject({
      code: 'outcome_unknown',
      outcome: 'unknown',
      retryable: false,
      details: { order: expect.stringMatching(/^[A-Z]{6}$/) },
    });
    expect(error.message).toContain(`Order ${error.details?.['order']} exists`);
  });

  it.each<[string, object, string]>([
    ['an unknown network', { to: { coin: 'ETH', network: 'NOPE' } }, 'unknown_network'],
    ['a missing network', { to: { coin: 'USDT' } }, 'network_required'],
  ])('rejects a create with %s before anything is sent', async (_, change, code) => {
    const before = proxy.count('create-transaction');
    const error = await refusal(client.create({ ...CREATE, ...change }));
    expect(error).toMatchObject({ code, outcome: error.httpStatus === null ? 'nothing-sent' : 'refused' });
    expect(proxy.count('create-transaction')).toBe(before);
  });

  it('requires a memo on a network that needs one, unless noMemo is set', async () => {
    const xrp = { ...CREATE, to: { coin: 'XRP' }, address: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH' };
    // The command has a hint with its flags.
    expect(await refusal(client.create(xrp))).toMatchObject({ code: 'memo_required', hint: null });
    expect(await client.create({ ...xrp, noMemo: true })).toMatchObject({ receive: { memo: null } });
    expect(await client.create({ ...xrp, memo: '7' })).toMatchObject({ receive: { memo: '7' } });
  });

  it('returns the refund address that it has set', async () => {
    const { order } = await client.create(CREATE);
    expect(await client.setRefundAddress(order, REFUND)).toMatchObject({
      order,
      refundAddress: REFUND,
      environment: 'sandbox',
      warnings: [],
    });
  });

  it.each<[string, object, string]>([
    ['http to another machine', { baseUrl: 'http://api.example.com' }, 'insecure_url'],
    ['no URL', { baseUrl: undefined }, 'usage'],
    ['a base URL with the path of the API', { baseUrl: 'https://api.example.com/api/private' }, 'usage'],
    ['an empty secret', { secret: '' }, 'no_credentials'],
    ['a time limit as text', { timeoutMs: '5' }, 'usage'],
    ['a time limit of 0', { timeoutMs: 0 }, 'usage'],
  ])('cannot be created with %s', async (_, change, code) => {
    const options = { baseUrl: 'https://api.example.com', publicKey: 'public-key', secret: 'the-secret' };
    const made = async () => createSwapClient({ ...options, ...change });
    expect(await refusal(made())).toMatchObject({ code });
  });

  it('throws timeout if the service does not respond within timeoutMs', async () => {
    const server = await rawServer(() => undefined);
    const own = createSwapClient({ baseUrl: server.url, publicKey: 'k', secret: 's', timeoutMs: 50 });
    expect(await refusal(own.setRefundAddress('ABCDEF', REFUND))).toMatchObject({ code: 'timeout' });
  });
});

const INTERRUPTED = { name: 'InterruptedError', code: 'interrupted', outcome: 'nothing-sent' };

/** A connection that records its pauses and runs a function instead of waiting. */
function withoutPauses(during: (pause: number) => unknown) {
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
    await during(pauses.length);
  };
  const settings = readConnection({ ...sandbox, baseUrl: proxy.url });
  const connection: CallRunner = (call, work) =>
    callRunner(settings)(call, (ports) => work({ ...ports, sleep }));
  return { pauses, connection };
}

describe('waitFor', () => {
  it('polls as often as the command until the swap has ended', async () => {
    const created = await client.create(CREATE);
    const { connection, pauses } = withoutPauses(async (pause) => {
      if (pause === 2) await sandbox.deposit(created.order);
      if (pause >= 2) await sandbox.advance('2s');
    });
    const ended = await waitForSwap(connection, created);
    expect(ended).toMatchObject({ status: 'success', final: true, doubts: [], asked: created.asked });
    expect(pauses.slice(0, 3)).toEqual([30_000, 30_000, 10_000]);
  });

  it('ends at an `until` status, or when the swap ends without it', async () => {
    const created = await client.create(CREATE);
    await sandbox.deposit(created.order);
    const { connection } = withoutPauses(() => sandbox.advance('1s'));
    expect(await waitForSwap(connection, created.order, { until: ['exchanging', 'pause'] })).toMatchObject({
      status: 'exchanging',
      final: false,
    });
    expect(await waitForSwap(connection, created.order, { until: 'refund' })).toMatchObject({
      status: 'success',
    });
  });

  it('continues after a temporary failure and throws a permanent one', async () => {
    const created = await client.create(CREATE);
    await sandbox.deposit(created.order);
    await sandbox.advance('10m');
    proxy.tamper('get-transaction', () => ({ bytes: '' }));
    const { connection, pauses } = withoutPauses(() => proxy.leaveAll());
    expect(await waitForSwap(connection, created.order)).toMatchObject({ status: 'success' });
    expect(pauses).toEqual([10_000]);
    await expect(waitForSwap(connection, 'NO-SUCH-ORDER')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([{ until: 'paid' }, { until: ['success', 1] }, { until: 4 }, { signal: {} }, { timeout: 5 }])(
    'rejects the options %j',
    async (options) => {
      const given = options as object;
      await expect(client.waitFor('A1', given)).rejects.toMatchObject({ code: 'usage' });
    },
  );
});

describe('the signal of a library call', () => {
  it('ends every call before anything is sent if it is already aborted', async () => {
    const server = await rawServer((_, response) => sendJson(response, 200, {}));
    const own = createSwapClient({ ...sandbox, baseUrl: server.url });
    const options = { signal: AbortSignal.abort() };
    const calls = [
      own.coins(options),
      own.networks('BTC', options),
      own.quote(BTC_ETH, options),
      own.create(CREATE, options),
      own.status('A1', options),
      own.waitFor('A1', options),
      own.setRefundAddress('A1', 'bc1', options),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject(INTERRUPTED);
    expect(server.requests).toEqual([]);
  });

  it('ends a request in progress and a pause between polls', async () => {
    const during = new AbortController();
    const server = await rawServer(() => during.abort());
    const own = createSwapClient({ ...sandbox, baseUrl: server.url });
    await expect(own.status('A1', during)).rejects.toMatchObject(INTERRUPTED);
    const created = await client.create(CREATE);
    const between = new AbortController();
    const waiting = client.waitFor(created, between);
    await expect.poll(() => getEventListeners(between.signal, 'abort').length).toBe(1);
    between.abort();
    await expect(waiting).rejects.toMatchObject(INTERRUPTED);
    expect(getEventListeners(between.signal, 'abort')).toEqual([]);
  });

  it('makes a create that has been sent throw outcome_unknown', async () => {
    const during = new AbortController();
    proxy.tamper('create-transaction', (answer) => {
      during.abort();
      return answer;
    });
    const created = client.create(CREATE, { signal: during.signal });
    await expect(created).rejects.toMatchObject({ code: 'outcome_unknown', outcome: 'unknown' });
    proxy.leaveAll();
  });
});
