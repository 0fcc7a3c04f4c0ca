import { afterAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runProgram } from '../helpers/program.ts';
import { scriptedPrompter } from '../helpers/prompter.ts';
import { AT_TERMINAL, runHere } from '../helpers/run-here.ts';
import { runMain } from '../helpers/run-main.ts';
import { words } from '../helpers/words.ts';
import { freshFile } from '../sandbox/sandbox.ts';
import { type Alteration, alteringServer } from './altering-server.ts';

const rateLimit = { count: 1_000_000, windowSeconds: 60 };
const sandbox = await startSandbox({ database: freshFile(), rateLimit });
afterAll(() => sandbox.close());

const honest: Alteration = (answer) => answer;
const otherLabel: Alteration = (answer) => ({
  ...answer,
  text: answer.text.replace('"ETH_USDT"', '"ETH-USDT"'),
});
const otherLimit: Alteration = (answer) => ({ ...answer, text: answer.text.replaceAll('"BSC"', '"BEP20"') });

async function place(alter: Alteration) {
  const home = await temporaryFolder();
  const server = await alteringServer(sandbox.url, alter);
  const { publicKey, secret } = sandbox.credentials;
  const env = { SWAPCTL_BASE_URL: server.url, SWAPCTL_PUBLIC_KEY: publicKey, SWAPCTL_SECRET: secret };
  return { home, server, env };
}

/** The place with its key pair stored as a live profile. */
async function livePlace(alter: Alteration = honest) {
  const { home, server, env } = await place(alter);
  const login = words(`auth login -p partner --base-url ${env.SWAPCTL_BASE_URL} --environment live`);
  const { code } = await runMain([...login, '--public-key', env.SWAPCTL_PUBLIC_KEY, '--with-secret'], {
    home,
    input: `${env.SWAPCTL_SECRET}\n`,
  });
  expect(code).toBe(0);
  return { home, server, before: server.requests.length };
}

describe('swapctl conformance', () => {
  it('reports that every check of the built-in service held, with and without --write', async () => {
    const home = await temporaryFolder();
    const read = await runProgram(['conformance', '--json'], { home });
    expect(read.code).toBe(0);
    const results = read.json<Record<string, unknown>[]>();
    expect(Object.keys(results[0] ?? {})).toEqual(
      'check endpoint basis decision result expected found habit affects'.split(' '),
    );
    expect(read.stderr).toMatch(/^[0-9]+ checks: [0-9]+ held, [0-9]+ skipped\.\n$/);
    const write = await runMain(['conformance', '--write'], { home });
    expect(write.code).toBe(0);
    expect(write.stdout).not.toMatch(/differs|skipped/);
    const [announced, ...rest] = write.stderr.trimEnd().split('\n');
    const [order, summary] = [rest[0], rest.at(-1)];
    expect(announced).toMatch(/^profile sandbox · sandbox · built-in service at 127\.0\.0\.1:[0-9]+$/);
    expect(order).toMatch(/^Order [A-Z]{6} was created for the checks\./);
    expect(summary).toMatch(/^([0-9]+) checks: \1 held\.$/);
  });

  it('exits with 5 if the service deviates from the API document', async () => {
    const { home, env } = await place(otherLabel);
    const run = await runMain(['conformance', '--json'], { home, env });
    expect(run.code).toBe(5);
    expect(
      run.json<{ check: string }[]>().filter((item) => 'result' in item && item.result === 'differs'),
    ).toEqual([
      {
        check: 'label of the pair',
        endpoint: 'exchange-coin',
        basis: 'document',
        decision: null,
        result: 'differs',
        expected: 'both codes, upper case, with an underscore',
        found: 'ETH-USDT',
        habit: null,
        affects: ['quote', 'create'],
      },
    ]);
    expect(run.error()).toMatchObject({
      code: 'rejected',
      message: `${new URL(env.SWAPCTL_BASE_URL).host} does not match the API document: label of the pair (exchange-coin).`,
      details: { checks: [{ check: 'label of the pair', endpoint: 'exchange-coin' }] },
    });
  });

  it('exits with 0 if the service only differs in an assumption', async () => {
    const { home, env } = await place(otherLimit);
    const run = await runMain(['conformance'], { home, env });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(
      "differs\tget-coin-network\tcodes of the networks\tassumed\tnetwork codes\tthe chain's own ticker, such as ETH\tBEP20 for BSC\t\t\n",
    );
  });

  it('requires --yes for --write on a live profile', async () => {
    const { home, server, before } = await livePlace();
    const run = await runMain(['conformance', '--write', '-p', 'partner', '--json'], { home });
    expect([run.code, run.error().code]).toEqual([2, 'usage']);
    expect(server.requests).toHaveLength(before);
    const yes = await runMain(['conformance', '--write', '-p', 'partner', '--yes'], { home });
    expect(yes.code).toBe(0);
    expect(yes.stderr).toContain(`profile partner · LIVE · ${new URL(server.url).host}\n`);
  });

  it('asks at a terminal before --write on a live profile', async () => {
    const { home, server, before } = await livePlace();
    const message = `Send POST and PATCH requests to ${new URL(server.url).host}?`;
    const answer = (yes: boolean) =>
      runHere(['conformance', '--write', '-p', 'partner'], {
        home,
        terminals: AT_TERMINAL,
        columns: 80,
        prompter: scriptedPrompter([{ confirm: message, answer: yes }]),
      });
    expect((await answer(false)).error).toMatchObject({ code: 'declined', exitCode: 10 });
    expect(server.requests).toHaveLength(before);
    const { error, stdout: screen } = await answer(true);
    expect(error).toBeNull();
    for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(screen).toMatch(/\n\n {9}exchange-coin\n held {4}a wrong signature +document\n/);
  });
});
