import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';
import { ADDRESSES } from '../helpers/swap-service.ts';
import { tokensOf } from '../helpers/tokens.ts';
import { readPage } from './page.ts';

const SKILL = readPage('skills/swapctl/SKILL.md').text;
const LLMS = readPage('llms.txt').text;
const DOCS = join(import.meta.dirname, '..', '..', 'docs');

describe('the skill for agents', () => {
  it('has the agentskills.io format and at most 900 tokens', () => {
    const [, name, description] =
      /^---\nname: ([a-z0-9-]{1,64})\ndescription: (.{1,1024})\n---\n/.exec(SKILL) ?? [];
    expect({ name, length: description?.length }).toEqual({ name: 'swapctl', length: expect.any(Number) });
    expect(tokensOf(SKILL)).toBeLessThanOrEqual(900);
  });

  it('is printed by `swapctl help agents`', async () => {
    expect((await runHere(['help', 'agents'])).stdout).toBe(SKILL);
  });

  it('contains only commands that succeed in order on a fresh sandbox', async () => {
    const home = await temporaryFolder();
    const lines = [...SKILL.matchAll(/`(swapctl [^`]+)`/g)].map(([, line = '']) => line);
    expect(lines).toHaveLength(17);
    let order = '';
    const { stdout } = await runHere(
      ['create', 'BTC', 'ETH', '0.1', '--address', ADDRESSES.eth, '--yes', '--json'],
      { home },
    );
    order = (JSON.parse(stdout) as { order: string }).order;
    for (const line of lines.filter((each) => !['swapctl mcp'].includes(each))) {
      const words = line
        .replace('<order>', order)
        .replace('<refund-address>', ADDRESSES.btcRefund)
        .replace('<address>', ADDRESSES.xrp)
        .split(' ')
        .slice(1);
      const { error } = await runHere(words, { home });
      expect({ line, error: error?.message ?? null }).toEqual({ line, error: null });
    }
  });
});

it('llms.txt links only to pages that exist', () => {
  const links = [...LLMS.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(10);
  for (const link of links)
    expect({ link, exists: existsSync(join(DOCS, link)) }).toEqual({ link, exists: true });
});
