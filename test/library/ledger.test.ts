import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSwapClient, type LedgerClientOptions } from '../../src/library/library.ts';
import { type Sandbox, startSandbox } from '../../src/library/testing.ts';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { profileEnv } from '../helpers/raw-server.ts';
import { type RunHere, runHere } from '../helpers/run-here.ts';
import { ADDRESSES } from '../helpers/swap-service.ts';

async function sandboxFor(): Promise<Sandbox> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function clientOf(sandbox: Sandbox, ledger: string, more: Partial<LedgerClientOptions> = {}) {
  const { baseUrl, publicKey, secret } = sandbox;
  const client = createSwapClient({ baseUrl, publicKey, secret, ledger, ...more });
  onTestFinished(() => client.close());
  return client;
}

const REQUEST = {
  from: { coin: 'BTC' },
  to: { coin: 'ETH', network: 'ETH' },
  amount: '0.1',
  address: ADDRESSES.eth,
} as const;

/** The command line on the same ledger with the same key pair. */
async function commandLine(sandbox: Sandbox, ledger: string) {
  const home = await temporaryFolder();
  const env = { ...profileEnv(sandbox.baseUrl, sandbox), SWAPCTL_LEDGER: ledger, SWAPCTL_ACTOR: 'desk' };
  return async (args: readonly string[], more: Partial<RunHere> = {}) => {
    const { stdout, error } = await runHere([...args, '--json'], { home, env, ...more });
    return { error, json: () => JSON.parse(stdout) };
  };
}

describe.each(BOTH_DATABASES)('a library client with a ledger on $kind', ({ fresh }) => {
  it('returns the swap of its key in a new client, and rejects another request with that key', async () => {
    const sandbox = await sandboxFor();
    const ledger = await fresh();
    const client = clientOf(sandbox, ledger);
    const request = { ...REQUEST, idempotencyKey: 'order-991', labels: { customer: '42' } };
    const created = await client.create(request);
    expect(created).toMatchObject({
      replayed: false,
      status: 'new',
      fundable: true,
      doubts: [],
      profile: 'env',
      labels: { customer: '42' },
    });
    await client.close();
    expect(await client.open()).toMatchObject([{ order: created.order }]);
    const again = await clientOf(sandbox, ledger).create(request);
    expect(again).toMatchObject({ order: created.order, replayed: true });
    await expect(clientOf(sandbox, ledger).create({ ...request, amount: '0.2' })).rejects.toMatchObject({
      code: 'usage',
    });
  });

  it('reports outcome_unknown for a lost response until it is resolved', async () => {
    const sandbox = await sandboxFor();
    const client = clientOf(sandbox, await fresh());
    await sandbox.fault({ endpoint: 'create-transaction', drop: 'after', times: 1 });
    const request = { ...REQUEST, idempotencyKey: 'order-1' };
    const lost = await client.create(request).catch((error) => error);
    expect(lost).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown' });
    await expect(client.create(request)).rejects.toMatchObject({ code: 'outcome_unknown' });
    const { id } = lost.details as { id: string };
    const other = await client.create({ ...REQUEST, amount: '0.3', idempotencyKey: 'order-2' });
    await expect(client.resolve(id, { order: other.order })).rejects.toMatchObject({ code: 'usage' });
    expect(await client.resolve(id, { dismissed: true })).toMatchObject({ id, outcome: 'dismissed' });
    expect(await client.create(request)).toMatchObject({ replayed: false });
  });

  it('shares swaps, policy stops and the audit chain with the command line', async () => {
    const sandbox = await sandboxFor();
    const ledger = await fresh();
    const client = clientOf(sandbox, ledger, { actor: 'shop' });
    const run = await commandLine(sandbox, ledger);
    const mine = await client.create({ ...REQUEST, idempotencyKey: 'a' });
    const history = (await run(['history'])).json();
    expect(history).toMatchObject([{ order: mine.order, profile: 'env', idempotencyKey: 'a' }]);
    const made = await run(['create', 'BTC', 'ETH', '0.2', '-a', ADDRESSES.eth, '--yes']);
    const theirs = made.json().order as string;
    const open = await client.open();
    expect(open.map(({ order }) => order).sort()).toEqual([mine.order, theirs].sort());
    for (const { ageMs } of open) expect(ageMs).toBeLessThan(60_000);
    expect((await run(['policy', 'stop', '--reason', 'drill'])).error).toBeNull();
    await expect(client.create(REQUEST)).rejects.toMatchObject({ code: 'stopped', exitCode: 12 });
    const refund = () => client.setRefundAddress(mine.order, ADDRESSES.btcRefund);
    await expect(refund()).rejects.toMatchObject({ code: 'stopped' });
    expect((await run(['policy', 'resume'])).error).toBeNull();
    expect(await refund()).toMatchObject({ refundAddress: ADDRESSES.btcRefund });
    const { swap } = (await run(['history', 'show', mine.order])).json();
    expect(swap.refundAddress).toBe(ADDRESSES.btcRefund);
    const links: { actor: string }[] = (await run(['policy', 'audit', 'list'])).json();
    expect(new Set(links.map(({ actor }) => actor))).toEqual(new Set(['shop', 'desk']));
    expect((await run(['policy', 'audit', 'verify'])).error).toBeNull();
  });

  it('records the status that it has waited for', async () => {
    const sandbox = await sandboxFor();
    const client = clientOf(sandbox, await fresh());
    const { order } = await client.create(REQUEST);
    await sandbox.deposit(order);
    await sandbox.advance('10m');
    expect(await client.waitFor(order)).toMatchObject({ status: 'success', doubts: [] });
    expect(await client.open()).toEqual([]);
  });

  it('records the outcome of the calls in progress before it closes', async () => {
    const client = clientOf(await sandboxFor(), await fresh());
    const { order } = await client.create(REQUEST);
    const waiting = expect(client.waitFor(order)).rejects.toMatchObject({ code: 'interrupted' });
    const following = client.follow(() => undefined, { name: 'shop' });
    const creating = client.create({ ...REQUEST, amount: '0.2', idempotencyKey: 'late' });
    await client.close();
    expect(await client.find('late')).toMatchObject([{ outcome: 'created' }]);
    await Promise.all([waiting, following, creating]);
  });

  it('finds the swaps of its key pair by order number, key, label or address, including those of the command line', async () => {
    const [sandbox, other] = [await sandboxFor(), await sandboxFor()];
    const ledger = await fresh();
    const client = clientOf(sandbox, ledger);
    const labels = { customer: '42' };
    const mine = await client.create({ ...REQUEST, idempotencyKey: 'order-991', labels });
    const run = await commandLine(sandbox, ledger);
    const made = await run(['create', 'BTC', 'ETH', '0.2', '-a', ADDRESSES.eth, '--yes']);
    const theirs: string = made.json().order;
    await clientOf(other, ledger).create({ ...REQUEST, labels });
    const orders = async (fact: string) => (await client.find(fact)).map(({ order }) => order);
    for (const fact of [mine.order, 'order-991', 'customer=42', String(mine.deposit.address)])
      expect(await orders(fact)).toEqual([mine.order]);
    expect(await orders(theirs)).toEqual([theirs]);
    expect((await orders(ADDRESSES.eth)).sort()).toEqual([mine.order, theirs].sort());
    expect(await orders('nothing')).toEqual([]);
    await expect(client.find(7 as never)).rejects.toMatchObject({ code: 'usage' });
  });

  it('delivers an event again if its handler throws, even to the next client of the same name', async () => {
    const sandbox = await sandboxFor();
    const ledger = await fresh();
    const client = clientOf(sandbox, ledger, { actor: 'shop' });
    const run = await commandLine(sandbox, ledger);
    const got: string[] = [];
    const first = new AbortController();
    const following = client.follow(
      ({ type, sequence }) => {
        got.push(`${sequence} ${type}`);
        first.abort();
        throw new Error('the database of the shop is down');
      },
      { name: 'shop', events: ['swap.*'], signal: first.signal },
    );
    // Only later events are delivered.
    await expect.poll(async () => (await run(['events', 'list'])).json()).toEqual([]);
    const made = await run(['create', 'BTC', 'ETH', '0.2', '-a', ADDRESSES.eth, '--yes']);
    const order: string = made.json().order;
    await following;
    expect(got).toEqual(['1 swap.new']);
    const [event] = (await run(['events', 'list'])).json();
    expect(event).toMatchObject({
      order,
      delivery: 'pending',
      attempts: 1,
      lastError: expect.stringContaining('the database of the shop is down'),
    });
    const shown = (await run(['events', 'show', event.id])).json();
    expect(JSON.stringify(shown)).toContain('"target":"shop"');
    await run(['events', 'resend', event.id]);
    await sandbox.deposit(order);
    await sandbox.advance('10m');
    // The command line polls the swap, and the client still gets the event.
    expect((await run(['status', order])).json()).toMatchObject({ status: 'success' });
    const second = new AbortController();
    await clientOf(sandbox, ledger).follow(
      ({ type, sequence }) => {
        got.push(`${sequence} ${type}`);
        if (type === 'swap.success') second.abort();
      },
      { name: 'shop', signal: second.signal },
    );
    expect(got.slice(1)).toEqual(['1 swap.new', '2 swap.success']);
    expect((await run(['history'])).json()[0]).toMatchObject({ order, status: 'success' });
  });
});

describe('a library client with a ledger', () => {
  it.each([
    [{ ledger: '' }, 'usage'],
    [{ ledger: 7 }, 'usage'],
    [{ ledger: 'mysql://host/db' }, 'storage_failed'],
    [{ ledger: '/nowhere/at/all/swaps.db' }, 'storage_failed'],
    [{ ledger: undefined, actor: 'shop' }, 'usage'],
    [{ ledger: 'swaps.db', budget: '60' }, 'usage'],
  ])('with %j throws %s before anything is sent', async (options, code) => {
    const sandbox = await sandboxFor();
    const created = async () => clientOf(sandbox, '', options as object).create(REQUEST);
    await expect(created()).rejects.toMatchObject({ code });
  });

  it('throws storage_failed if its ledger cannot be written or has a newer version', async () => {
    const sandbox = await sandboxFor();
    const file = await BOTH_DATABASES[0].fresh();
    await clientOf(sandbox, file).open();
    execFileSync('sqlite3', [file, 'update swapctl_schema set version = 999']);
    await expect(clientOf(sandbox, file).create(REQUEST)).rejects.toMatchObject({ code: 'storage_failed' });
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'swaps.db'));
    const client = clientOf(sandbox, join(folder, 'swaps.db'));
    await expect(client.create(REQUEST)).rejects.toMatchObject({ code: 'storage_failed' });
    const full = await BOTH_DATABASES[0].fresh();
    const { order } = await clientOf(sandbox, full).create(REQUEST);
    execFileSync('sqlite3', [
      full,
      `create trigger full before update on intents begin select raise(fail, ''); end`,
    ]);
    // A status that could not be recorded is not returned as if it was.
    await expect(clientOf(sandbox, full).status(order)).rejects.toMatchObject({ code: 'storage_failed' });
  });
});
