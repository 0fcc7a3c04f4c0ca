import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../../src/base/errors.ts';
import { type McpOptions, mcpCommand } from '../../../../src/cli/commands/mcp/mcp.ts';
import { toolOf } from '../../../../src/cli/commands/mcp/tool.ts';
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
