import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { IN_LONG_RUN } from '../../../helpers/random-runs.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { REVISIONS, startAgent } from './agent.ts';

const CREATE = 'create BTC USDT:TRX 0.1 --address TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE --yes --json'.split(' ');

describe.each(REVISIONS)('the read-only MCP tools, in revision %s', (revision) => {
  it('return the JSON of their commands', async () => {
    const home = await temporaryFolder();
    const created = JSON.parse((await runHere([...CREATE, '--sandbox'], { home })).stdout);
    const { call, context } = await startAgent({ home, revision });
    const json = async (...args: string[]) =>
      JSON.parse((await runHere([...args, '--json', '--sandbox'], { home, now: context.now })).stdout);
    const { at: _, ...quote } = await json('quote', 'BTC', 'ETH', '0.1', '--fixed');
    expect(
      (await call('quote', { from: 'BTC', to: 'ETH', amount: '0.1', type: 'fixed' })).result,
    ).toMatchObject(quote);
    const { seenAt: __, ...status } = await json('status', created.order);
    expect((await call('swap_status', { order: created.order })).result).toMatchObject(status);
    const [coin] = await json('coins', 'monero');
    expect((await call('find_coins', { search: 'monero' })).result).toEqual({
      coins: [{ ...coin, image: null }],
      total: 1,
    });
    expect((await call('policy_left')).result).toEqual(await json('policy', 'show'));
    expect((await call('needs_attention')).result).toEqual({ swaps: [], total: 0 });
    const { writtenAt, lastSeenAt, ...ticket } = await json('history', 'support', created.order);
    expect((await call('support_case', { order: created.order })).result).toMatchObject(ticket);
  });

  it('report an invalid address as a result, not as an error', async () => {
    const { call } = await startAgent({ revision });
    const { isError, result } = await call('check_address', {
      network: 'XPR',
      address: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH',
    });
    expect(isError).toBe(false);
    expect(result).toMatchObject({ verdict: 'invalid', reason: expect.stringContaining('XRP Ledger (XRP)') });
  });

  it('return the error object of a failed command', async () => {
    const { call } = await startAgent({ revision });
    const { isError, result } = await call('quote', { from: 'BTC', to: 'ETH', amount: '1,5' });
    expect(isError).toBe(true);
    expect(result).toMatchObject({ code: 'invalid_amount', outcome: 'nothing-sent', exitCode: 2 });
  });

  it('reject invalid arguments and unknown tools', async () => {
    const { call } = await startAgent({ revision });
    expect((await call('quote', { from: 'BTC' })).isError).toBe(true);
    expect((await call('quote', { from: 'BTC', to: 'ETH', amount: '1', evil: '1' })).isError).toBe(true);
    await expect(call('drain_wallet')).rejects.toMatchObject({ code: -32602 });
  });
});

it('the MCP server reloads the coin list after an hour', async () => {
  let now = Date.now();
  const { call, context } = await startAgent({ now: () => now });
  await call('find_coins', { search: 'BTC' });
  const { fetchedAt } = await context.coinList();
  now += 3_600_001;
  await call('find_coins', { search: 'BTC' });
  expect((await context.coinList()).fetchedAt).toBeGreaterThan(fetchedAt);
});

it('the MCP server retries after a while to open a ledger that it could not open', async () => {
  const home = await temporaryFolder();
  const folder = join(home, 'folder');
  await writeFile(folder, '');
  let now = Date.now();
  const env = { SWAPCTL_LEDGER: join(folder, 'ledger.db') };
  const { call } = await startAgent({ home, env, now: () => now });
  expect((await call('needs_attention')).result).toMatchObject({ code: 'storage_failed' });
  await rm(folder);
  await mkdir(folder, { mode: 0o700 });
  expect((await call('needs_attention')).result).toMatchObject({ code: 'storage_failed' });
  now += 10_000;
  expect(await call('needs_attention')).toMatchObject({ isError: false });
});

it.runIf(IN_LONG_RUN)(
  'needs_attention stops polling before hosts time out and reports swaps it could not poll',
  async () => {
    const home = await temporaryFolder();
    const file = join(home, 'rows.csv');
    const row = 'BTC,USDT:TRX,0.1,TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE\n';
    await writeFile(file, `from,to,amount,address\n${row.repeat(60)}`);
    expect((await runHere(['batch', file, '--yes', '--sandbox'], { home })).error).toBeNull();
    let [now, step] = [Date.now(), 0];
    const { call } = await startAgent({ home, now: () => (now += step) });
    const started = now;
    step = 100;
    const { text } = await call('needs_attention');
    expect(text).toContain('could not be polled in time');
    expect(now - started).toBeLessThan(50_000);
  },
);
