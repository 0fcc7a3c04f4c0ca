import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runProgram } from '../../helpers/program.ts';
import { runMain } from '../../helpers/run-main.ts';
import { hasHabit, onEachService } from '../../helpers/services.ts';
import { words } from '../../helpers/words.ts';

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const REFUND = 'tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h';
const createOf = (amount: string) => ['create', 'BTC', 'ETH', amount, '--address', ETH];
const CREATE = createOf('0.1');

const FIRST = [...CREATE, '--yes', '--refund-address', REFUND, '--idempotency-key', 'k-1'];

const SIDE = ['coin', 'name', 'network', 'amount', 'address', 'memo', 'txId'];
const KEYS = {
  swap: words(`order status statusCode final type deposit receive refundAddress riskScore createdAt startedAt
    endedAt duration expiresAt paymentUri fundable asked labels doubts profile environment`),
  deposit: [...SIDE, 'confirmations', 'receivedAt', 'confirmedAt', 'fee'],
  receive: [...SIDE, 'paidAmount', 'confirmations', 'fee', 'receivedAt', 'confirmedAt'],
  address: words('network address valid verdict testnet kind canonical memo warnings reason'),
} as const;

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

type Json = Record<string, unknown>;

let home: string;
const swapctl = (...args: string[]) => runMain(args, { home });

/** What a successful run with --json printed; its stderr must be empty but for the line that names the place. */
async function json<T = Json>(...args: string[]): Promise<T> {
  const run = await swapctl(...args, '--json');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr.replace(/^profile sandbox · sandbox · built-in service.*\n/, '')).toBe('');
  expect(run.stdout.endsWith('\n')).toBe(true);
  return run.json<T>();
}

const lines = (text: string) => text.trimEnd().split('\n');
const cells = (text: string) => lines(text).map((line) => line.split('\t'));

function expectStatus({ seenAt, ...swap }: Json): void {
  expect(seenAt).toMatch(RFC_3339);
  expectSwap(swap);
}

function expectSwap(swap: Json): void {
  expect(Object.keys(swap)).toEqual(KEYS.swap);
  expect(Object.keys(swap['deposit'] as Json)).toEqual(KEYS.deposit);
  expect(Object.keys(swap['receive'] as Json)).toEqual(KEYS.receive);
}

onEachService({}, () => {
  let order: string;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'swapctl-shapes-'));
    const { replayed, ...swap } = await json(...FIRST);
    expect(replayed).toBe(false);
    expectSwap(swap);
    order = String(swap['order']);
  });

  describe('--json output', () => {
    it('of quote is one object, and a list with --compare', async () => {
      const quote = await json('quote', 'btc', 'usdt:trx', '0.10', '--fixed');
      expect(quote).toMatchObject({
        pair: 'BTC_USDT',
        type: 'fixed',
        lastSource: 'deposit',
        amount: '0.1',
        // A service that demands networks is asked once more, with the only one that the coin has.
        from: { coin: 'BTC', network: hasHabit('networks-required') ? 'BTC' : null },
        to: { coin: 'USDT', network: 'TRX' },
        profile: 'sandbox',
        environment: 'sandbox',
      });
      for (const key of ['receive', 'rate', 'min']) expect(quote[key]).toMatch(/^[0-9]+(\.[0-9]+)?$/);
      if (hasHabit('no-maximum')) expect(quote['max']).toBeNull();
      else expect(quote['max']).toMatch(/^[0-9]+(\.[0-9]+)?$/);
      const both = await json<Json[]>('quote', 'BTC', 'ETH', '1', '--compare');
      expect(both.map(({ type }) => type)).toEqual(['fixed', 'float']);
      const wanted = await json('quote', 'BTC', 'ETH', '2', '--receive');
      expect(wanted).toMatchObject({ lastSource: 'receive', receive: '2' });
    });

    it('of a swap has every key, null for absent values and strings for amounts', async () => {
      const { next, action, ...swap } = await json('status', order);
      expect({ next, action }).toEqual({ next: null, action: null });
      expectStatus(swap);
      expect(swap).toMatchObject({
        order,
        status: 'new',
        statusCode: 9,
        final: false,
        type: 'float',
        refundAddress: REFUND,
        riskScore: null,
        endedAt: null,
        duration: null,
        profile: 'sandbox',
        environment: 'sandbox',
        deposit: { coin: 'BTC', name: 'Bitcoin', network: 'BTC', amount: '0.1', memo: null, txId: null },
        receive: { coin: 'ETH', network: 'ETH', address: ETH, paidAmount: null, confirmations: null },
      });
      expect(swap['createdAt']).toMatch(RFC_3339);
      const { address } = swap['deposit'] as Json;
      expect(swap).toMatchObject({
        expiresAt: expect.stringMatching(RFC_3339),
        paymentUri: `bitcoin:${address}?amount=0.1`,
        fundable: true,
        doubts: [],
        asked: { deposit: '0.1', receive: (swap['receive'] as Json)['amount'] },
      });
    });

    it('of a dry run is the request with a redacted signature', async () => {
      const dry = await json<{ dryRun: boolean; request: Json }>(...CREATE, '--dry-run', '--fixed');
      expect(Object.keys(dry)).toEqual(['dryRun', 'request']);
      expect(Object.keys(dry.request)).toEqual(['method', 'url', 'headers', 'body']);
      expect(dry.request).toMatchObject({
        method: 'POST',
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/private\/create-transaction$/),
        headers: { 'x-api-signature': '<redacted>', 'x-api-payload': 'create-transaction' },
        body: {
          depositCoin: 'BTC',
          depositAmount: 0.1,
          receiveAddress: ETH,
          typeSwap: 1,
          lastSource: 'deposit',
        },
      });
    });
  });

  describe('tab-separated output in a pipe', () => {
    it('of quote has a name and a value per line', async () => {
      const rows = cells((await swapctl('quote', 'BTC', 'ETH', '0.1')).stdout);
      expect(rows.map(([name]) => name)).toEqual(
        words(`pair type lastSource from.coin from.network to.coin to.network amount receive rate min max fee
        at impact profile environment`),
      );
      expect(rows.every((row) => row.length === 2)).toBe(true);
    });

    it('of status has a name and a value per line for one order, and a line per order otherwise', async () => {
      const one = cells((await swapctl('status', order)).stdout);
      expect(one[0]).toEqual(['order', order]);
      expect(Object.fromEntries(one)['createdAt']).toMatch(RFC_3339);
      const many = cells((await swapctl('status')).stdout);
      expect(many[0]?.slice(0, 7)).toEqual([order, 'new', '9', 'float', '0.1', 'BTC', 'BTC']);
      expect(many[0]?.at(14)).toMatch(RFC_3339);
      expect(many[0]?.slice(15, 19)).toEqual(['0.1', many[0]?.[9], 'yes', '']);
      expect(many[0]?.at(19)).toMatch(RFC_3339);
    });

    it('of history has a line per entry with times in RFC 3339', async () => {
      const rows = cells((await swapctl('history')).stdout);
      expect(rows.every((row) => RFC_3339.test(row[0] ?? '') && row[1] === 'created')).toBe(true);
      expect(rows.at(-1)?.[2]).toBe(order);
    });
  });
});

describe('--json output of address', () => {
  it('is a verdict with the same keys for valid and invalid addresses', async () => {
    const good = await json('address', 'ETH', ETH);
    expect(Object.keys(good)).toEqual(KEYS.address);
    expect(good).toMatchObject({ valid: true, testnet: false, canonical: ETH, warnings: [], reason: null });
    const bad = await swapctl('address', 'ETH', '0xnope', '--json');
    expect([bad.code, bad.error().code]).toEqual([2, 'invalid_address']);
    expect(Object.keys(bad.json())).toEqual(KEYS.address);
    const testnet = await swapctl('address', 'BTC', REFUND, '--json');
    expect(testnet.code).toBe(2);
    expect(testnet.json()).toMatchObject({ valid: false, testnet: true });
  });

  it('has one verdict per line of standard input', async () => {
    const input = `ETH\t${ETH}\nBTC\tnope\nXRP\trHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh\t7`;
    const run = await runMain(['address', '-', '--json'], { home, input });
    expect(run.code).toBe(2);
    const verdicts = lines(run.stdout).map((line) => JSON.parse(line) as Json);
    const found = verdicts.map(({ valid, memo }) => JSON.stringify([valid, memo]));
    expect(found).toEqual(['[true,null]', '[false,null]', '[true,"7"]']);
    for (const verdict of verdicts) expect(Object.keys(verdict)).toEqual(KEYS.address);
  });
});

it('FORCE_COLOR does not color tab-separated output', async () => {
  const home = await temporaryFolder();
  const run = await runProgram(['coins', 'usdd'], { home, env: { FORCE_COLOR: '1' } });
  expect(run.stdout).toBe('USDD\tDecentralized USD\tTRX\t\t\n');
});
