import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../../src/base/errors.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { jsonLines } from '../../../helpers/lines.ts';
import { runHere } from '../../../helpers/run-here.ts';
import {
  call,
  ETH_ADDRESS,
  freshFile,
  NEW_SWAP,
  type TestSandbox,
  testSandbox,
} from '../../../sandbox/sandbox.ts';

const AT = '2026-01-01T00:00:00.000Z';

let sandbox: TestSandbox;
let home: string;

beforeAll(async () => {
  home = await temporaryFolder();
  const options = { database: freshFile(), keepsRequests: true };
  const first = await testSandbox(options);
  await call(first, 'get-transaction', { id: 'NOSUCH' });
  await call(first, 'create-transaction', { ...NEW_SWAP, memo: 'two\nlines' });
  // What it has noted is written as it stops.
  await first.stop();
  sandbox = await testSandbox(options);
});

afterAll(() => sandbox.stop());

const logs = (line: string, options: Partial<Parameters<typeof runHere>[1]> = {}) =>
  runHere(['sandbox', 'logs', '--database', sandbox.database, ...line.split(' ').filter(Boolean)], {
    home,
    now: sandbox.clock.now,
    ...options,
  });

describe('swapctl sandbox logs', () => {
  it('prints tab-separated fields in a pipe, newest last', async () => {
    expect((await logs('')).stdout).toBe(
      `${AT}\tdefault\tGET\t/api/private/get-transaction\tid=NOSUCH\t404\t0\t\n` +
        `${AT}\tdefault\tPOST\t/api/private/create-transaction\t\t201\t0\t\n`,
    );
  });

  it.each([
    ['--status 4xx', ['GET']],
    ['--status 201', ['POST']],
    ['--endpoint get-transaction', ['GET']],
    ['--partner nobody', []],
    ['-L 1', ['POST']],
  ])('filters by %s', async (line, methods) => {
    const { stdout } = await logs(`${line} --json`);
    expect(JSON.parse(stdout).map(({ method }: { method: string }) => method)).toEqual(methods);
  });

  it('includes bodies only with --body, and hides addresses with --no-addresses', async () => {
    const last = async (line: string) => JSON.parse((await logs(`${line} --json`)).stdout)[1];
    expect(Object.keys(await last(''))).toEqual(
      'id at partner method endpoint path query status ms fault'.split(' '),
    );
    expect((await last('--body')).body).toContain(ETH_ADDRESS);
    expect((await last('--body')).answer).toContain(ETH_ADDRESS);
    const hidden = await last('--body --no-addresses');
    expect(hidden.body).toContain('"receiveAddress":"<hidden>"');
    expect(JSON.stringify(hidden)).not.toContain(ETH_ADDRESS);
    expect((await logs('--body', { terminals: ['stdout'] })).stdout).toContain('two\\nlines');
  });

  it('rejects an invalid status and an unknown endpoint', async () => {
    expect((await logs('--status 4x')).error).toMatchObject({ code: 'usage', exitCode: 2 });
    expect((await logs('--endpoint quote')).error).toMatchObject({ code: 'usage', exitCode: 2 });
  });

  it('prints a note on standard error if no request matches', async () => {
    const { stdout, stderr, error } = await logs('--status 5xx');
    expect([stdout, error]).toEqual(['', null]);
    expect(stderr).toBe('No recorded request matches.\n');
  });

  it('-f prints each new request once as a JSON line until interrupted', async () => {
    const stopping = new AbortController();
    let polls = 0;
    const sleep = async () => {
      polls += 1;
      if (polls === 1) {
        await call(sandbox, 'get-coin-network', { coin: 'BTC' });
        await expect.poll(() => sandbox.operator.requests()).toHaveLength(3);
      }
      if (polls === 3) stopping.abort(new InterruptedError('SIGINT'));
      stopping.signal.throwIfAborted();
    };
    const { stdout, error } = await logs('-f -L 1 --json', { sleep, signal: stopping.signal });
    const requests = jsonLines(stdout).map(({ id, endpoint }) => `${id} ${endpoint}`);
    expect(requests).toEqual(['2 create-transaction', '3 get-coin-network']);
    expect(error).toMatchObject({ code: 'interrupted', exitCode: 130 });
  });
});

it('a request appears in sandbox logs right after its response', async () => {
  const recording = await testSandbox({ database: freshFile(), keepsRequests: true });
  const show = ['sandbox', 'logs', '--json', '--database', recording.database];
  const shown = async () => JSON.parse((await runHere(show, { home })).stdout);
  await call(recording, 'get-transaction', { id: 'FIRST' });
  expect(await shown()).toHaveLength(1);
  await call(recording, 'get-transaction', { id: 'SECOND' });
  expect(await shown()).toHaveLength(2);
  await recording.stop();
});
