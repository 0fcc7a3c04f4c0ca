import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../../src/base/errors.ts';
import { type McpOptions, mcpCommand } from '../../../../src/cli/commands/mcp/mcp.ts';
import { toolOf } from '../../../../src/cli/commands/mcp/tool.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { IN_LONG_RUN } from '../../../helpers/random-runs.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { tokensOf } from '../../../helpers/tokens.ts';
import { words } from '../../../helpers/words.ts';
import { type Declare, itReads } from '../options.ts';
import { input as inputAt, REVISIONS, startAgent, TOOLS, table } from './agent.ts';

const LIVE = {
  env: {
    SWAPCTL_PUBLIC_KEY: 'pk',
    SWAPCTL_SECRET: 'sk-1234567890',
    SWAPCTL_BASE_URL: 'https://swap.invalid',
  },
  flags: { profile: 'env' },
};

async function listed(options: Partial<Parameters<typeof startAgent>[0]> = {}) {
  const { client } = await startAgent({ ...options });
  return (await client.listTools()).tools;
}

const camelCase = (long: string) => long.slice(2).replace(/-./g, (part) => part.slice(1).toUpperCase());

const READING = words('find_coins quote check_address swap_status needs_attention policy_left support_case');
const CHANGING = ['create_swap', 'set_refund_address'];

describe('the list of MCP tools', () => {
  it('is the same at every start and in every protocol revision', async () => {
    const [first, ...others] = await Promise.all(
      [...REVISIONS, ...REVISIONS].map((revision) => listed({ revision })),
    );
    for (const other of others) expect(other).toEqual(first);
    const names = [...READING, ...CHANGING, 'sandbox_deposit', 'sandbox_advance'];
    expect(first?.map(({ name }) => name)).toEqual(names);
    expect([...TOOLS.keys()].toSorted()).toEqual(names.toSorted());
  });

  it('has at most nine tools on a live profile, and changing tools only with --allow', async () => {
    const names = async (allowed: readonly ('create' | 'refund')[]) =>
      (await listed({ ...LIVE, choice: { allowed } })).map(({ name }) => name);
    expect(await names(['create', 'refund'])).toEqual([...READING, ...CHANGING]);
    expect(await names(['create'])).toEqual([...READING, 'create_swap']);
    expect(await names([])).toEqual(READING);
  });

  it('has four annotations, an output schema and a closed input schema for each tool', async () => {
    for (const { annotations, outputSchema, inputSchema } of await listed()) {
      const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
      expect(Object.keys(annotations ?? {}).toSorted()).toEqual(hints.toSorted());
      expect(outputSchema?.['type']).toBe('object');
      expect(inputSchema['additionalProperties']).toBe(false);
    }
  });

  it('costs at most 3,000 tokens together with the instructions', async () => {
    const { client } = await startAgent();
    const { tools } = await client.listTools();
    expect(tokensOf(JSON.stringify(tools) + client.getInstructions())).toBeLessThanOrEqual(3000);
  });

  it('can be limited by name, and an unknown name is rejected', async () => {
    const cut = await listed({ choice: { named: ['swap_status', 'quote'] } });
    expect(cut.map(({ name }) => name)).toEqual(['quote', 'swap_status']);
    await expect(listed({ choice: { named: ['qoute'] } })).rejects.toThrow(/Unknown tool qoute/);
  });
});

/** What each tool takes: a new argument of a command is in its tool too, until it is left out there. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  find_coins: ['search', 'network', 'side'],
  quote: ['from', 'to', 'amount', 'receive', 'type'],
  check_address: ['network', 'address', 'memo'],
  swap_status: ['order'],
  needs_attention: [],
  policy_left: [],
  support_case: ['order'],
  create_swap:
    words(`from to amount receive type address memo noMemo refundAddress minReceive labels idempotencyKey
    approval`),
  set_refund_address: ['order', 'address', 'approval'],
  sandbox_deposit: ['order', 'amount'],
  sandbox_advance: ['duration'],
};

interface Schema {
  readonly properties: Readonly<Record<string, { readonly enum?: unknown; readonly description?: string }>>;
}

const declareMcp: Declare<McpOptions> = (command, context, run) =>
  mcpCommand(command, context, async () => table, run);

describe.each([...TOOLS.values()])('MCP tool $name and its command', (described) => {
  const { name, command, leaves, adds = {} } = described;
  const { arguments: args = [], options = [] } = inputAt(command) ?? {};
  const changes = table.operations.get(command)?.changes ?? 'nothing';
  const words = [
    ...args.map((each) => ({ ...each, word: each.name, key: each.name })),
    ...options.map((each) => ({ ...each, word: each.long, key: camelCase(each.long) })),
  ];
  const { annotations, ...tool } = toolOf(described, inputAt, table);
  const [input, output] = [tool.input, tool.output] as unknown as [Schema, Schema];

  it('have the same arguments except those the definition leaves out or adds', () => {
    const keys = Object.keys(input.properties);
    expect(keys.toSorted()).toEqual(TAKES[name]?.toSorted());
    expect(leaves.filter((left) => !words.some(({ word }) => word === left))).toEqual([]);
    const taken = words.filter(({ word }) => !leaves.includes(word));
    expect(new Set([...taken.map(({ key }) => key), ...Object.keys(adds)])).toEqual(new Set(keys));
    for (const { key, description, choices } of taken.filter((each) => !Object.hasOwn(adds, each.key)))
      expect({ enum: null, ...input.properties[key] }).toMatchObject({ description, enum: choices });
  });

  it('have the same result keys and the same read-only hint', () => {
    expect(annotations.readOnlyHint).toBe(changes === 'nothing');
    const [first] = Object.values(output.properties) as { items?: Schema }[];
    // A key that the command does not print would have no schema.
    for (const [key, schema] of Object.entries((first?.items ?? output).properties))
      expect({ key, size: Object.keys(schema).length }).toEqual({ key, size: 1 });
  });
});

itReads(declareMcp, 'mcp', [
  ['', { allowed: [], tools: null }],
  [
    '--allow create,refund --tools quote,swap_status',
    { allowed: ['create', 'refund'], tools: ['quote', 'swap_status'] },
  ],
  ['--allow creat', 'usage: Unknown value creat for --allow.'],
]);

it('swapctl mcp reports outcome done, not nothing-sent, when it is interrupted', async () => {
  const signal = AbortSignal.abort(new InterruptedError('SIGINT'));
  const { error } = await runHere(['mcp'], { signal });
  expect(error).toMatchObject({
    code: 'interrupted',
    outcome: 'done',
    message: expect.stringMatching(/^Stopped\./),
  });
});

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

it.runIf(IN_LONG_RUN)('needs_attention stops before hosts time out and reports unpolled swaps', async () => {
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
});
