import { afterAll, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../src/base/errors.ts';
import { callsAt, readConnection } from '../../src/library/connection.ts';
import { createWithoutLedger } from '../../src/library/create.ts';
import { createSwapClient } from '../../src/library/swap-client.ts';
import { startSandbox } from '../../src/library/testing.ts';
import type { CreateRequest, SwapDescription } from '../../src/library/types.ts';
import { rawServer, sendJson } from '../helpers/raw-server.ts';
import { rewriting, tamperingProxy } from '../helpers/tampering-proxy.ts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const OTHER_BTC = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const REFUND = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

const BTC_ETH = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' }, amount: '0.1' } as const;
const CREATE: CreateRequest = { ...BTC_ETH, address: ADDRESS };

const OTHER_DEPOSIT = rewriting(({ pairs }) => (pairs.deposit.address = OTHER_BTC));
const LOW_PAYOUT = rewriting(({ pairs }) => (pairs.receive.coin.value = 0.5));

const sandbox = await startSandbox();
const proxy = await tamperingProxy(sandbox.baseUrl);
const client = createSwapClient({ ...sandbox, baseUrl: proxy.url });

afterAll(async () => {
  await proxy.close();
  await sandbox.close();
});

/** The error that a promise is rejected with, as `--json` would show it. */
async function refusal(promise: Promise<unknown>) {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SwapctlError)) throw new Error(`no SwapctlError: ${error}`);
  return error.toJSON();
}

describe('a client of the library', () => {
  it('lists coins, and the networks of one with their other names', async () => {
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
      ...{ network: 'TRX', deposit: true, receive: true, memoRequired: false },
      aliases: expect.arrayContaining(['TRC20']),
    });
  });

  it('quotes a pair with the keys of the command but for the profile, and reads other names of a network', async () => {
    const quote = await client.quote({
      from: { coin: 'btc' },
      to: { coin: 'USDT', network: 'TRC20' },
      amount: '1000',
      lastSource: 'receive',
      type: 'fixed',
    });
    expect(quote).toMatchObject({
      ...{ type: 'fixed', lastSource: 'receive', receive: '1000', environment: 'sandbox' },
      from: { coin: 'BTC', network: null },
      to: { coin: 'USDT', network: 'TRX' },
    });
    expect(Object.keys(quote).sort().join(' ')).toBe(
      'amount at environment fee from lastSource max min pair rate receive to type',
    );
  });

  it('creates a swap to fund, follows it to its end, and finds nothing to doubt', async () => {
    const created = await client.create({ ...CREATE, refundAddress: REFUND, minReceive: '0.5' });
    expect(created).toMatchObject({
      ...{ status: 'new', statusCode: 9, final: false, fundable: true, doubts: [], warnings: [] },
      deposit: { coin: 'BTC', network: 'BTC', amount: '0.1' },
      receive: { coin: 'ETH', network: 'ETH', address: ADDRESS },
      refundAddress: REFUND,
      asked: { deposit: '0.1', receive: created.receive.amount },
      paymentUri: `bitcoin:${created.deposit.address}?amount=0.1`,
    });
    expect(Object.keys(created)).not.toContain('profile');
    await sandbox.deposit(created.order);
    await sandbox.advance('10m');
    const ended = await client.status(created);
    expect(ended).toMatchObject({ status: 'success', final: true, fundable: false, doubts: [] });
    expect(await client.status(created.order)).toMatchObject({ status: 'success', asked: null });
  });

  it('reports as doubts what contradicts an earlier description, which an order number alone cannot', async () => {
    const created = await client.create(CREATE);
    const stored = JSON.parse(JSON.stringify(created)) as SwapDescription;
    proxy.tamper('get-transaction', OTHER_DEPOSIT);
    const [compared, alone] = [await client.status(stored), await client.status(created.order)];
    proxy.leaveAll();
    expect(compared).toMatchObject({ doubts: ['deposit_changed'], fundable: false, paymentUri: null });
    expect(alone).toMatchObject({ doubts: [] });
  });

  it('keeps the doubts of an earlier poll, whose description contains what was doubted', async () => {
    const created = await client.create(CREATE);
    proxy.tamper('get-transaction', OTHER_DEPOSIT);
    const first = await client.status(created);
    const second = await client.status(first);
    proxy.leaveAll();
    const third = await client.status(second);
    const doubted = { doubts: ['deposit_changed'], fundable: false, paymentUri: null };
    expect([first, second, third]).toMatchObject([doubted, doubted, doubted]);
    expect(await client.status(created)).toMatchObject({ doubts: [], fundable: true });
  });

  it('warns of an order that pays less than its quote by more than the tolerance', async () => {
    const { receive } = await client.quote(BTC_ETH);
    proxy.tamper('create-transaction', LOW_PAYOUT);
    const created = await client.create(CREATE);
    proxy.leaveAll();
    expect(receive).toMatch(/^[1-9]/);
    expect(created).toMatchObject({ fundable: true, doubts: [], receive: { amount: '0.5' } });
    expect(created.warnings).toEqual([
      expect.stringMatching(
        /^The order pays 0\.5 ETH instead of the [\d.]+ ETH in the quote \(−[\d.]+ %\)\. Leaving it unfunded costs nothing\.$/,
      ),
    ]);
  });

  it('doubts an order that pays less than its quote at a fixed rate, and keeps doubting it', async () => {
    proxy.tamper('create-transaction', LOW_PAYOUT);
    const created = await client.create({ ...CREATE, type: 'fixed' });
    const doubted = { doubts: ['amount_changed'], fundable: false, paymentUri: null };
    expect(created).toMatchObject(doubted);
    expect((await client.status(created)).doubts).toContain('amount_changed');
    proxy.leaveAll();
  });

  it('names the order where something goes wrong after the answer to a create', async () => {
    const before = proxy.count('create-transaction');
    const now = () => {
      if (proxy.count('create-transaction') > before) throw new Error('Cannot find module');
      return Date.now();
    };
    const within = callsAt(readConnection({ ...sandbox, baseUrl: proxy.url }));
    const error = await refusal(within({}, (ports) => createWithoutLedger({ ...ports, now }, CREATE)));
    expect(error).toMatchObject({
      ...{ code: 'outcome_unknown', outcome: 'unknown', retryable: false },
      details: { order: expect.stringMatching(/^[A-Z]{6}$/) },
    });
    expect(error.message).toContain(`Order ${error.details?.['order']} exists`);
  });

  it.each<[string, object, string]>([
    ['a number as amount', { amount: 0.1 }, 'invalid_amount'],
    ['an amount with a comma', { amount: '0,1' }, 'invalid_amount'],
    ['a number as least payout', { minReceive: 2 }, 'invalid_amount'],
    ['no address', { address: undefined }, 'usage'],
    ['a number as memo', { memo: 7 }, 'usage'],
    ['an unknown network', { to: { coin: 'ETH', network: 'NOPE' } }, 'unknown_network'],
    ['a coin as bare text', { from: 'BTC' }, 'usage'],
    ['a coin with its network inside', { from: { coin: 'BTC:BTC' } }, 'usage'],
    ['a number as network', { to: { coin: 'ETH', network: 1 } }, 'usage'],
    ['a missing network', { to: { coin: 'USDT' } }, 'network_required'],
    ['an unknown rate type', { type: 'fixd' }, 'usage'],
    ['an unknown side', { lastSource: 'both' }, 'usage'],
  ])('refuses %s before it sends anything', async (_, change, code) => {
    const before = proxy.count('create-transaction');
    const error = await refusal(client.create({ ...CREATE, ...change }));
    expect(error).toMatchObject({ code, outcome: error.httpStatus === null ? 'nothing-sent' : 'refused' });
    expect(proxy.count('create-transaction')).toBe(before);
  });

  it('explains why a number is not an amount', async () => {
    const request: object = { ...BTC_ETH, amount: 0.1 };
    expect(await refusal(client.quote(request as typeof BTC_ETH))).toMatchObject({
      code: 'invalid_amount',
      message: "Invalid amount: pass a string such as '0.1', because JavaScript numbers are not exact.",
    });
  });

  it('demands a memo where the network needs one, unless it is waived', async () => {
    const xrp = { ...CREATE, to: { coin: 'XRP' }, address: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH' };
    // The hint of the command names its flags.
    expect(await refusal(client.create(xrp))).toMatchObject({ code: 'memo_required', hint: null });
    expect(await client.create({ ...xrp, noMemo: true })).toMatchObject({ receive: { memo: null } });
    expect(await client.create({ ...xrp, memo: '7' })).toMatchObject({ receive: { memo: '7' } });
  });

  it('sets a refund address, and refuses an answer that confirms another', async () => {
    const { order } = await client.create(CREATE);
    expect(await client.setRefundAddress(order, REFUND)).toMatchObject({
      ...{ order, refundAddress: REFUND, environment: 'sandbox', warnings: [] },
    });
    expect(await refusal(client.setRefundAddress(order, ADDRESS))).toMatchObject({ code: 'invalid_address' });
    proxy.tamper(
      'update-refund-address',
      rewriting((body) => (body.newRefundAddress = OTHER_BTC)),
    );
    const error = await refusal(client.setRefundAddress(order, REFUND));
    proxy.leaveAll();
    expect(error).toMatchObject({ code: 'bad_response', outcome: 'unknown' });
  });

  it('never has secret or signature in an error', async () => {
    const server = await rawServer(({ headers }, response) =>
      sendJson(response, 403, { statusCode: 403, message: `no ${headers['x-api-signature']} of the-secret` }),
    );
    const own = createSwapClient({ baseUrl: server.url, publicKey: 'public-key', secret: 'the-secret' });
    const error = await refusal(own.status('ABCDEF'));
    const signature = String(server.requests[0]?.headers['x-api-signature']);
    expect(signature).toHaveLength(128);
    expect(JSON.stringify(error)).not.toContain(signature);
    expect(JSON.stringify(error)).not.toContain('the-secret');
  });

  it.each<[string, object, string]>([
    ['plain http', { baseUrl: 'http://api.example.com' }, 'insecure_url'],
    ['no URL', { baseUrl: undefined }, 'usage'],
    ['a path that the client adds', { baseUrl: 'https://api.example.com/api/private' }, 'usage'],
    ['an empty secret', { secret: '' }, 'no_credentials'],
    ['a time limit as text', { timeoutMs: '5' }, 'usage'],
    ['no time at all', { timeoutMs: 0 }, 'usage'],
  ])('refuses %s', async (_, change, code) => {
    const options = { baseUrl: 'https://api.example.com', publicKey: 'public-key', secret: 'the-secret' };
    const made = async () => createSwapClient({ ...options, ...change });
    expect(await refusal(made())).toMatchObject({ code });
  });

  it('gives up on a service that does not answer within its time limit', async () => {
    const server = await rawServer(() => undefined);
    const own = createSwapClient({ baseUrl: server.url, publicKey: 'k', secret: 's', timeoutMs: 50 });
    expect(await refusal(own.setRefundAddress('ABCDEF', REFUND))).toMatchObject({ code: 'timeout' });
  });
});
