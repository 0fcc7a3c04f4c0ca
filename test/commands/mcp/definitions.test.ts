import { describe, expect, it } from 'vitest';
import { mcpCommand } from '../../../src/commands/mcp/mcp.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { tokensOf } from '../../helpers/tokens.ts';
import { optionsOf } from '../options.ts';
import { REVISIONS, SHAPES, startAgent } from './agent.ts';

const LIVE = {
  env: {
    SWAPCTL_PUBLIC_KEY: 'pk',
    SWAPCTL_SECRET: 'sk-1234567890',
    SWAPCTL_BASE_URL: 'https://swap.invalid',
  },
  flags: { profile: 'env' },
};

async function listed(options: Partial<Parameters<typeof startAgent>[0]> = {}) {
  const { client } = await startAgent({ home: await temporaryFolder(), ...options });
  return (await client.listTools()).tools;
}

const READING = [
  ...['find_coins', 'quote', 'check_address', 'swap_status'],
  ...['needs_attention', 'policy_left', 'support_case'],
];
const CHANGING = ['create_swap', 'set_refund_address'];

describe('the list of tools', () => {
  it('is the same at every start and in both revisions', async () => {
    const [first, ...others] = await Promise.all(
      [...REVISIONS, ...REVISIONS].map((revision) => listed({ revision })),
    );
    for (const other of others) expect(other).toEqual(first);
    const names = [...READING, ...CHANGING, 'sandbox_deposit', 'sandbox_advance'];
    expect(first?.map(({ name }) => name)).toEqual(names);
    // Each result of these tests is judged by the schema of its command.
    expect(Object.keys(SHAPES).toSorted()).toEqual(names.toSorted());
  });

  it('has nine tools at most on a live profile, and only what --allow names', async () => {
    const names = async (allowed: readonly ('create' | 'refund')[]) =>
      (await listed({ ...LIVE, choice: { allowed } })).map(({ name }) => name);
    expect(await names(['create', 'refund'])).toEqual([...READING, ...CHANGING]);
    expect(await names(['create'])).toEqual([...READING, 'create_swap']);
    expect(await names([])).toEqual(READING);
  });

  it('has all four hints, an output schema, and closed input schemas', async () => {
    for (const { annotations, outputSchema, inputSchema } of await listed()) {
      const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
      expect(Object.keys(annotations ?? {}).toSorted()).toEqual(hints.toSorted());
      expect(outputSchema?.['type']).toBe('object');
      expect(inputSchema['additionalProperties']).toBe(false);
    }
  });

  it('costs at most 3,000 tokens, with the instructions', async () => {
    const { client } = await startAgent({ home: await temporaryFolder() });
    const { tools } = await client.listTools();
    expect(tokensOf(JSON.stringify(tools) + client.getInstructions())).toBeLessThanOrEqual(3000);
  });

  it('can be cut to some by name, and refuses unknown ones', async () => {
    const cut = await listed({ choice: { named: ['swap_status', 'quote'] } });
    expect(cut.map(({ name }) => name)).toEqual(['quote', 'swap_status']);
    await expect(listed({ choice: { named: ['qoute'] } })).rejects.toThrow(/has no tool qoute/);
  });
});

describe('the options of mcp', () => {
  it.each([
    ['mcp', { allowed: [], tools: null }],
    [
      'mcp --allow create,refund --tools quote,swap_status',
      { allowed: ['create', 'refund'], tools: ['quote', 'swap_status'] },
    ],
    ['mcp --allow creat', 'usage: Unknown value creat for --allow.'],
  ])('are read from `%s`', async (line, options) => {
    expect(await optionsOf(mcpCommand, line.split(' '))).toEqual(options);
  });
});
