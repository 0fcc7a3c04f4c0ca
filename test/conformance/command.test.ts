import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runConformance } from '../../src/cli/commands/conformance/conformance.ts';
import { createContext } from '../../src/cli/wiring.ts';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runProgram } from '../helpers/program.ts';
import { runMain } from '../helpers/run-main.ts';
import { freshFile } from '../sandbox/sandbox.ts';
import type { Lie } from './lying-server.ts';
import { lyingServer } from './lying-server.ts';

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ database: freshFile(), rateLimit: { count: 1_000_000, windowSeconds: 60 } });
});

afterAll(() => sandbox.close());

const honest: Lie = (answer) => answer;
const otherLabel: Lie = (answer) => ({ ...answer, text: answer.text.replace('"ETH_USDT"', '"ETH-USDT"') });
const otherLimit: Lie = (answer) => ({ ...answer, text: answer.text.replaceAll('"BSC"', '"BEP20"') });

async function place(lie: Lie) {
  const home = await temporaryFolder();
  const server = await lyingServer(sandbox.url, lie);
  const { publicKey, secret } = sandbox.credentials;
  const env = { SWAPCTL_BASE_URL: server.url, SWAPCTL_PUBLIC_KEY: publicKey, SWAPCTL_SECRET: secret };
  return { home, server, env };
}

/** The same key pair, stored as one of a live service. */
async function livePlace(lie: Lie = honest) {
  const { home, server, env } = await place(lie);
  const login = [
    'auth',
    'login',
    '-p',
    'partner',
    '--base-url',
    env.SWAPCTL_BASE_URL,
    '--environment',
    'live',
  ];
  const { code } = await runMain([...login, '--public-key', env.SWAPCTL_PUBLIC_KEY, '--with-secret'], {
    home,
    input: `${env.SWAPCTL_SECRET}\n`,
  });
  expect(code).toBe(0);
  return { home, server, before: server.requests.length };
}

describe('swapctl conformance', () => {
  it('finds that the built-in service holds, with and without --write', async () => {
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

  it('exits with 5 after the table where the API document does not hold', async () => {
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

  it('exits with 0 where only a decision differs', async () => {
    const { home, env } = await place(otherLimit);
    const run = await runMain(['conformance'], { home, env });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(
      "differs\tget-coin-network\tcodes of the networks\tassumed\tnetwork codes\tthe chain's own ticker, such as ETH\tBEP20 for BSC\t\t\n",
    );
  });

  it('fails as other commands do without a service or a key pair', async () => {
    const { home, env, server } = await place(honest);
    const refused = await runMain(['conformance', '--json'], {
      home,
      env: { ...env, SWAPCTL_PUBLIC_KEY: 'another' },
    });
    expect([refused.code, refused.error().code, refused.stdout]).toEqual([4, 'invalid_public_key', '']);
    await server.close();
    const gone = await runMain(['conformance', '--json'], { home, env });
    expect([gone.code, gone.error().code, gone.stdout]).toEqual([6, 'network_error', '']);
  });

  it('sends nothing with --write to a live service without a yes', async () => {
    const { home, server, before } = await livePlace();
    const run = await runMain(['conformance', '--write', '-p', 'partner', '--json'], { home });
    expect([run.code, run.error().code]).toEqual([2, 'usage']);
    expect(server.requests).toHaveLength(before);
    const yes = await runMain(['conformance', '--write', '-p', 'partner', '--yes'], { home });
    expect(yes.code).toBe(0);
    expect(yes.stderr).toContain(`profile partner · LIVE · ${new URL(server.url).host}\n`);
  });

  it('asks a person before --write on a live service', async () => {
    const { home, server, before } = await livePlace();
    const asked: string[] = [];
    const answer = async (yes: boolean) => {
      const stream = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
      const streams = { stdin: stream(), stdout: stream(), stderr: stream() };
      const unexpected = () => Promise.reject(new Error('an unexpected question'));
      const context = createContext(
        {
          streams,
          env: { HOME: home, TERM: 'dumb', NO_COLOR: '1' },
          platform: process.platform,
          processId: process.pid,
          signal: new AbortController().signal,
          prompter: {
            select: unexpected,
            search: unexpected,
            input: unexpected,
            password: unexpected,
            confirm: async ({ message, default: usual }) => {
              asked.push(`${message} ${usual}`);
              return yes;
            },
          },
        },
        { profile: 'partner' },
      );
      try {
        await runConformance(context, { write: true, yes: false });
      } finally {
        await context.close();
      }
      return String(streams.stdout.read());
    };
    await expect(answer(false)).rejects.toMatchObject({ code: 'declined', exitCode: 10 });
    expect(server.requests).toHaveLength(before);
    expect(asked).toEqual([`Send POST and PATCH requests to ${new URL(server.url).host}? false`]);
    const screen = await answer(true);
    for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(screen).toMatch(/\n\n {9}exchange-coin\n held {4}a wrong signature +document\n/);
  });
});
