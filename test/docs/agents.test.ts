import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../cli/commands/mcp/agent.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';
import { ADDRESSES, startSwapService } from '../helpers/swap-service.ts';
import { tokensOf } from '../helpers/tokens.ts';
import { readPage } from './page.ts';

const [BEGIN, END] = ['<!-- transcript -->', '<!-- /transcript -->'];
const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'agents.md');

const ETH = '0x52908400098527886E0F7030069857D2E4169EE7';
const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

type Result = Readonly<Record<string, unknown>>;

/** A scripted agent that uses only the tools and the skill, and a person who answers its forms. */
class ScriptedAgent {
  readonly lines: string[] = [];
  readonly home: string;
  readonly #orders: string[] = [];
  readonly #agent: Awaited<ReturnType<typeof startAgent>>;

  constructor(home: string, agent: Awaited<ReturnType<typeof startAgent>>) {
    this.home = home;
    this.#agent = agent;
  }

  static async start(): Promise<ScriptedAgent> {
    const home = await temporaryFolder();
    // The person compares the address in the form with their own, and types its last six characters.
    const onForm = ({ message }: { readonly message: string }) => {
      const [, address = ''] = /Payout address: (\S+)/.exec(message) ?? [];
      const isTheirs = [ETH, XRP].includes(address);
      return isTheirs ? { action: 'accept', content: { lastSix: address.slice(-6) } } : { action: 'decline' };
    };
    return new ScriptedAgent(home, await startAgent({ home, onForm, now: Date.now }));
  }

  task(words: string): void {
    this.lines.push(`${this.lines.length === 0 ? '' : '\n'}# ${words}`);
  }

  /** Calls a tool and adds these keys of its result to the transcript. */
  async call(name: string, args: Result, ...keys: readonly string[]): Promise<Result> {
    const { result, isError } = await this.#agent.call(name, args);
    const shown = Object.fromEntries(keys.map((key) => [key, result[key]]));
    this.#line(`> ${name} ${JSON.stringify(args)}`);
    this.#line(`< ${isError ? 'error ' : ''}${JSON.stringify(shown)}`);
    if (typeof result['order'] === 'string' && !this.#orders.includes(result['order']))
      this.#orders.push(result['order']);
    return result;
  }

  /** A command that a person runs on their own machine. */
  async person(...words: readonly string[]): Promise<void> {
    this.#line(`$ swapctl ${words.join(' ')}`);
    expect((await runHere(words, { home: this.home })).error).toBeNull();
  }

  async loseTheNextAnswer(): Promise<void> {
    const operator = await this.#agent.context.operator();
    await operator.faults.add({ endpoint: 'create-transaction', drop: 'after', times: 1 });
  }

  /** The transcript, with placeholders for values that differ between runs. */
  text(): string {
    return this.lines
      .join('\n')
      .replace(/apr_[0-9a-f]{20}/g, 'apr_1')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/\b[A-Z0-9]{6}\b/g, (word) => {
        const index = this.#orders.indexOf(word);
        return index < 0 ? word : `ORDER${index + 1}`;
      });
  }

  #line(text: string): void {
    this.lines.push(text);
  }
}

async function setPolicy({ home }: ScriptedAgent, rules: readonly object[]): Promise<void> {
  const input = JSON.stringify({ version: 1, rules });
  expect((await runHere(['policy', 'set', '-', '--yes', '--sandbox'], { home, input })).error).toBeNull();
}

/** The eight tasks, in which every step follows the skill. */
async function eightTasks(): Promise<ScriptedAgent> {
  const agent = await ScriptedAgent.start();
  agent.task('What would I get for 0.1 BTC in ETH?');
  const pair = { from: 'BTC', to: 'ETH', amount: '0.1' };
  expect(await agent.call('quote', pair, 'pair', 'amount', 'environment')).toMatchObject({ pair: 'BTC_ETH' });

  agent.task('Swap 0.1 BTC to XRP, to my exchange account with tag 12345.');
  const account = { address: XRP, memo: '12345' };
  const checked = await agent.call(
    'check_address',
    { network: 'XRP', ...account },
    'verdict',
    'memo',
    'warnings',
  );
  expect(checked).toMatchObject({ verdict: 'valid' });
  const toXrp = { from: 'BTC', to: 'XRP', amount: '0.1', ...account, idempotencyKey: 'xrp-1' };
  const { order } = await agent.call('create_swap', toXrp, 'order', 'status', 'fundable', 'doubts', 'next');

  agent.task('I have paid. Tell me when it is done.');
  await agent.call('sandbox_deposit', { order }, 'status');
  await agent.call('sandbox_advance', { duration: '2h' }, 'now');
  const done = await agent.call('swap_status', { order }, 'order', 'status', 'final');
  expect(done).toMatchObject({ status: 'success', final: true });

  agent.task('My other order has been on hold for hours. What do I tell the service?');
  const { order: held } = await agent.call(
    'create_swap',
    { ...pair, address: ETH, idempotencyKey: 'eth-1' },
    'order',
  );
  await agent.call('sandbox_deposit', { order: held }, 'status');
  await agent.person('sandbox', 'move', String(held), 'pause');
  await agent.call('swap_status', { order: held }, 'status');
  expect(await agent.call('needs_attention', {}, 'total')).toMatchObject({ total: 1 });
  expect(await agent.call('support_case', { order: held }, 'case', 'questions')).toMatchObject({
    case: 'on_hold',
  });

  agent.task('Where does my money go if that fails? Send it back to my BTC address.');
  const refund = await agent.call(
    'set_refund_address',
    { order: held, address: BTC },
    'order',
    'refundAddress',
  );
  expect(refund).toMatchObject({ refundAddress: BTC });

  agent.task('Swap 2 BTC to ETH.');
  const { stdout } = await runHere(['policy', 'approvals', 'key', '--json'], { home: agent.home });
  const { publicKey } = JSON.parse(stdout) as { publicKey: string };
  await setPolicy(agent, [
    { cap: { coin: 'BTC', amount: '1', per: 'order' } },
    { approve: { coin: 'BTC', above: '0.5', by: [publicKey], within: '15m' } },
  ]);
  const big = { ...pair, amount: '2', address: ETH, idempotencyKey: 'eth-2' };
  expect(await agent.call('create_swap', big, 'code', 'message', 'outcome')).toMatchObject({
    code: 'policy_refused',
  });

  agent.task('Then 0.8 BTC.');
  const less = { ...big, amount: '0.8', idempotencyKey: 'eth-3' };
  const { approval } = (await agent.call('create_swap', less, 'approval')) as { approval: { id: string } };
  await agent.person('policy', 'approvals', 'grant', approval.id, '--yes');
  const granted = await agent.call(
    'create_swap',
    { ...less, approval: approval.id },
    'order',
    'status',
    'replayed',
  );
  expect(granted).toMatchObject({ status: 'new', replayed: false });

  agent.task('And 0.1 BTC to ETH once more. (The response is lost.)');
  await agent.loseTheNextAnswer();
  const again = { ...pair, address: ETH, idempotencyKey: 'eth-4' };
  for (let tries = 0; tries < 2; tries += 1)
    expect(await agent.call('create_swap', again, 'code', 'outcome')).toMatchObject({ outcome: 'unknown' });
  expect(await agent.call('needs_attention', {}, 'total')).toMatchObject({ total: 2 });
  const made = JSON.parse(
    (await runHere(['sandbox', 'orders', '--json'], { home: agent.home })).stdout,
  ) as object[];
  expect(made).toHaveLength(4);
  return agent;
}

it('an agent that uses only the tools and the skill completes eight tasks with the transcript in docs/agents.md', async () => {
  const transcript = `${BEGIN}\n\n\`\`\`text\n${(await eightTasks()).text()}\n\`\`\`\n\n${END}`;
  const { text } = readPage('agents.md');
  // Written with SWAPCTL_WRITE_DOCS=1 npm run vitest test/docs/agents.test.ts
  if (process.env['SWAPCTL_WRITE_DOCS'] === '1')
    writeFileSync(
      PAGE,
      `${text.slice(0, text.indexOf(BEGIN))}${transcript}${text.slice(text.indexOf(END) + END.length)}`,
    );
  else expect(text).toContain(transcript);
});

it('docs/agents.md contains only commands that succeed', async () => {
  const home = await temporaryFolder();
  const service = await startSwapService();
  onTestFinished(() => service.close());
  const run = async (words: readonly string[], input = '') => {
    const { stdout, error } = await runHere(words, { home, input });
    expect({ words, error: error?.message ?? null }).toEqual({ words, error: null });
    return stdout;
  };
  const limits = join(home, 'limits.json');
  const { publicKey } = JSON.parse(await run(['policy', 'approvals', 'key', '--json'])) as {
    publicKey: string;
  };
  const approve = { coin: 'BTC', above: '0.05', by: [publicKey], within: '15m' };
  writeFileSync(limits, JSON.stringify({ version: 1, rules: [{ approve }] }));
  await run(['policy', 'set', limits, '--yes', '--sandbox']);
  const login = ['auth', 'login', '-p', 'prod', '--base-url', service.url, '--public-key', 'pk'];
  await run([...login, '--environment', 'live', '--with-secret'], 'sk-1234567890');
  const create = ['create', 'BTC', 'ETH', '--address', ETH, '--yes', '--json', '--sandbox'];
  const { order } = JSON.parse(await run([...create, '0.01']));
  const { error: wanted } = await runHere([...create, '0.1'], { home });
  const approval = wanted?.details?.['approval'] as { id: string } | undefined;
  await run(['sandbox', 'fault', 'add', 'create-transaction', '--drop', 'after', '--times', '1']);
  await runHere([...create, '0.02'], { home });
  const [unknown] = JSON.parse(await run(['history', '--status', 'unknown', '--json']));
  const orders = JSON.parse(await run(['sandbox', 'orders', '--json'])) as { order: string }[];
  const made = orders.find((each) => each.order !== order);
  const names: Readonly<Record<string, string>> = {
    'limits.json': `${limits} --yes`,
    '<approval>': `${approval?.id} --yes`,
    '<id> --order <order>': `${unknown.id} --order ${made?.order}`,
    '<order>': order,
    'create --input -': 'create --input - --yes',
  };
  const { text } = readPage('agents.md');
  const prose = `${text.slice(0, text.indexOf(BEGIN))}${text.slice(text.indexOf(END))}`;
  const lines = [...prose.matchAll(/`(swapctl [^`]+)`|^(swapctl .+)$/gm)].map(
    ([, inline, block]) => inline ?? block ?? '',
  );
  expect(lines.length).toBeGreaterThan(10);
  for (const line of new Set(lines)) {
    let words = line;
    for (const [name, value] of Object.entries(names)) words = words.replace(name, value);
    const swap = { from: 'BTC', to: 'ETH', amount: '0.03', address: ETH };
    const place = /-p |mcp|help|commands/.test(line) ? [] : ['--sandbox'];
    const input = line.includes('--input') ? JSON.stringify(swap) : '';
    await run([...words.split(' ').slice(1), ...place], input);
  }
});

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
