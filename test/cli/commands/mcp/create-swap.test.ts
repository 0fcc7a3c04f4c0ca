import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { REVISIONS, rawHost, startAgent } from './agent.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const WANTED = { from: 'BTC', to: 'ETH', amount: '0.1', address: ADDRESS, idempotencyKey: 'pay-1' };

const typing = (lastSix: string) => () => ({ action: 'accept', content: { lastSix } });

async function ordersOf(home: string): Promise<readonly string[]> {
  const { stdout } = await runHere(['sandbox', 'orders', '--json'], { home });
  return (JSON.parse(stdout) as { order: string }[]).map(({ order }) => order);
}

describe.each(REVISIONS)('create_swap with a form, in revision %s', (revision) => {
  it('creates one swap per idempotency key and shows the form only once', async () => {
    const home = await temporaryFolder();
    const forms: string[] = [];
    const onForm = ({ message }: { readonly message: string }) => {
      forms.push(message);
      return typing('169ee7')();
    };
    const { call } = await startAgent({ home, revision, onForm });
    const { result } = await call('create_swap', WANTED);
    expect(result).toMatchObject({ status: 'new', fundable: true, replayed: false });
    expect(result['next']).toContain(`compare the deposit address`);
    expect(result['next']).toContain(`have the person run \`swapctl status ${result['order']} --sandbox\``);
    expect((await call('create_swap', WANTED)).result).toMatchObject({
      order: result['order'],
      replayed: true,
    });
    expect(forms).toEqual([expect.stringContaining(`Payout address: ${ADDRESS}`)]);
    expect(await ordersOf(home)).toEqual([result['order']]);
    const { stdout } = await runHere(['policy', 'audit', 'list', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject([
      { type: 'outcome' },
      { type: 'create', actor: 'mcp:scripted-agent' },
    ]);
  });

  it('warns in the form about a duplicate order with another idempotency key', async () => {
    const forms: string[] = [];
    const onForm = ({ message }: { readonly message: string }) => {
      forms.push(message);
      return typing('169ee7')();
    };
    const { call } = await startAgent({ revision, onForm });
    await call('create_swap', WANTED);
    const { result } = await call('create_swap', { ...WANTED, idempotencyKey: 'pay-2' });
    expect(forms[0]).not.toContain('duplicate');
    expect(forms[1]).toContain('\nWarning: Order ');
    expect(result['notes']).toEqual([expect.stringContaining('You would be creating a duplicate.')]);
  });
});

it('create_swap after a lost response reports outcome_unknown and never sends the same key again', async () => {
  const home = await temporaryFolder();
  const { call, context } = await startAgent({ home, onForm: typing('169ee7') });
  await (await context.operator()).faults.add({ endpoint: 'create-transaction', drop: 'after', times: 1 });
  expect((await call('create_swap', WANTED)).result).toMatchObject({
    code: 'outcome_unknown',
    outcome: 'unknown',
  });
  expect((await call('create_swap', WANTED)).result).toMatchObject({
    code: 'outcome_unknown',
    outcome: 'unknown',
  });
  expect(await ordersOf(home)).toHaveLength(1);
  const { result } = await call('needs_attention');
  expect(result).toMatchObject({ total: 1, swaps: [{ order: null }] });
  // The id of the entry is no order number, and must not read as if no order were there.
  const [{ id: order } = { id: '' }] = result['swaps'] as { id: string }[];
  expect((await call('swap_status', { order })).result).toMatchObject({ code: 'outcome_unknown' });
});

it('the other MCP tools that change something set a refund address and take a sandbox swap to success', async () => {
  const { call } = await startAgent({ onForm: typing('169ee7') });
  const { order } = (await call('create_swap', WANTED)).result as { order: string };
  const refundAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  expect((await call('set_refund_address', { order, address: refundAddress })).result).toMatchObject({
    refundAddress,
  });
  expect((await call('sandbox_deposit', { order: WANTED.idempotencyKey })).result).toMatchObject({
    order,
    status: 'confirmation',
  });
  expect((await call('sandbox_advance', { duration: '2h' })).result).toMatchObject({ standsStill: false });
  expect((await call('swap_status', { order })).result).toMatchObject({ status: 'success', refundAddress });
});

it('an MCP host gets a protocol error for malformed calls and can still make valid ones', async () => {
  const request = await rawHost();
  const call = (params: object) => request('tools/call', params);
  expect((await call({ name: 'no_such_tool', arguments: {} })).error).toMatchObject({ code: -32602 });
  expect((await call({ arguments: {} })).error).toMatchObject({ code: -32602 });
  expect((await request('tools/explode', {})).error).toMatchObject({ code: -32601 });
  const huge = { ...WANTED, address: 'x'.repeat(10_000_000) };
  expect((await call({ name: 'create_swap', arguments: huge })).result).toMatchObject({ isError: true });
  const many = {
    ...WANTED,
    labels: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 'v'])),
  };
  expect(JSON.stringify(await call({ name: 'create_swap', arguments: many }))).toContain('rror');
  expect((await call({ name: 'policy_left', arguments: {} })).result).toMatchObject({
    structuredContent: {},
  });
});
