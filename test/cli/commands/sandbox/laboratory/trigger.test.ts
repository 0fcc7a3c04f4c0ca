import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { SwapctlError } from '../../../../../src/base/errors.ts';
import type { SwapResult } from '../../../../../src/core/ledger/swap-result.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../../../../../src/sandbox/orders/scenario-ends.ts';
import { startSandbox } from '../../../../../src/sandbox/server.ts';
import { folderOfFile, temporaryFolder } from '../../../../helpers/home.ts';
import { jsonLines } from '../../../../helpers/lines.ts';
import { profileEnv } from '../../../../helpers/raw-server.ts';
import { runHere } from '../../../../helpers/run-here.ts';
import { freshFile } from '../../../../sandbox/sandbox.ts';

/** Status, code and doubts of an end, its events, the case of a support desk, and what a person has to do. */
type Shown = readonly [swap: string, events: string, support: string, attention: string | null];

const doubted = (code: string) => `Mismatch (${code}): ask the service.`;
const ASK = 'ask the service about this order.';
const PAID = 'new confirmation exchanging success';
const CHANGED = 'new confirmation doubtful exchanging success';
const LATE = 'new overdue confirmation exchanging success doubtful';
const IN_QUESTION = 'payout_in_question';

const ENDS: Readonly<Record<Exclude<ScenarioName, 'lost-answer'>, Shown>> = {
  success: ['success 4', PAID, IN_QUESTION, null],
  overdue: ['overdue 5', 'new overdue', 'deposit_not_seen', null],
  'late-deposit': ['success 4 deposit_after_window', LATE, IN_QUESTION, doubted('deposit_after_window')],
  underpaid: ['success 4 amount_changed', CHANGED, IN_QUESTION, doubted('amount_changed')],
  overpaid: ['success 4 amount_changed', CHANGED, IN_QUESTION, doubted('amount_changed')],
  frozen: ['frozen 11', 'new confirmation exchanging frozen', 'frozen', `Frozen: ${ASK}`],
  paused: ['pause 10', 'new confirmation exchanging pause', 'on_hold', `On hold: ${ASK}`],
  error: [
    'error 6',
    'new confirmation exchanging error',
    'error_without_refund_address',
    'Failed without a refund address: swapctl refund ORDER',
  ],
  refund: [
    'refund 13',
    'new confirmation exchanging pause refund',
    'refund_without_transaction',
    'No refund address is recorded here: swapctl refund ORDER',
  ],
  'success-without-payout': [
    'success 4 success_without_payout_tx',
    `${PAID} doubtful`,
    'success_without_payout',
    doubted('success_without_payout_tx'),
  ],
  'unknown-status': ['unknown 77', 'new confirmation exchanging unknown', 'unknown_status', null],
};

const homeOfAll = await folderOfFile();

describe('swapctl after sandbox trigger', () => {
  const home = homeOfAll;
  const swaps = new Map<string, SwapResult>();
  const read = async <T>(...args: string[]): Promise<T> =>
    JSON.parse((await runHere([...args, '--json'], { home })).stdout) as T;
  let events: readonly { order: string | null; type: string; data: object }[];
  let lost: SwapctlError | null;
  let attention: readonly { order: string | null; id: string | null; attention: string }[];

  beforeAll(async () => {
    for (const scenario of SCENARIO_NAMES) {
      const { stdout, error } = await runHere(['sandbox', 'trigger', scenario, '--json'], { home });
      if (scenario === 'lost-answer') lost = error;
      else swaps.set(scenario, JSON.parse(stdout) as SwapResult);
    }
    events = (await read<typeof events>('events', 'list', '-L', '1000')).toReversed();
    attention = await read('status', '--attention');
  });

  const eventsOf = (order: string | null) =>
    events.filter((event) => event.order === order).map(({ type }) => type);
  const attentionOf = (order: string | null) =>
    attention.find((each) => each.order === order)?.attention.replace(order ?? 'none', 'ORDER') ?? null;

  test.each(Object.entries(ENDS))('reports the swap and next action for %s', async (scenario, expected) => {
    const swap = swaps.get(scenario);
    const order = swap?.order ?? '';
    expect([
      [swap?.status, swap?.statusCode, ...(swap?.doubts ?? [])].join(' '),
      eventsOf(order)
        .map((type) => type.replace(/^swap\./, ''))
        .join(' '),
      (await read<{ case: string }>('history', 'support', order)).case,
      attentionOf(order),
    ]).toEqual(expected);
    expect(await read('status', order)).toMatchObject({ ...swap });
  });

  it('reports an unknown outcome for lost-answer', async () => {
    expect(lost).toMatchObject({ code: 'outcome_unknown', exitCode: 7, outcome: 'unknown' });
    expect(eventsOf(null)).toEqual(['create.unknown']);
    expect(attentionOf(null)).toMatch(/^Unknown outcome: .* then run swapctl history resolve \S+$/);
    const [first] = await read<readonly { outcome: string; order: string | null }[]>('history');
    expect(first).toMatchObject({ outcome: 'unknown', order: null });
  });

  it('lists open orders with listen, and status --watch ends with the final status', async () => {
    const snapshots = (await runHere(['listen', '--once', '--sandbox', '--json'], { home })).stdout;
    const open = ['frozen', 'paused', 'unknown-status'].map((name) => swaps.get(name)?.order);
    expect(jsonLines(snapshots).map(({ order }) => order)).toEqual(open);
    const order = swaps.get('error')?.order ?? '';
    const watch = ['status', order, '--watch', '--exit-status', '--json'];
    const { stdout, error } = await runHere(watch, { home });
    expect(jsonLines(stdout)).toMatchObject([
      { type: 'status', swap: { status: 'error' } },
      { type: 'end', order, status: 'error', statusCode: 6 },
    ]);
    expect(error).toMatchObject({ code: 'swap_failed', exitCode: 9 });
  });
});

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

describe('an existing order in sandbox trigger', () => {
  const run = (line: string) => runHere(['sandbox', ...line.split(' ')], { home });
  const json = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout);

  test.each([
    ['overdue', 'late-deposit', 'success'],
    ['frozen', 'refund', 'refund'],
    ['frozen', 'success', 'success'],
    ['paused', 'success', 'success'],
    ['error', 'refund', 'refund'],
  ])('that is %s can be moved on by %s to %s', async (first, then, status) => {
    const { order } = await json(`trigger ${first}`);
    const { stdout, stderr } = await run(`trigger ${then} --order ${order} --json`);
    expect(JSON.parse(stdout)).toMatchObject({ order, status });
    expect(stderr).not.toContain('profile sandbox');
    const [entry, ...others] = JSON.parse((await runHere(['history', '--json'], { home })).stdout);
    expect([entry.status, others]).toEqual([status, []]);
  });

  test.each([
    ['success', 'frozen', 'it is success (4), and it can no longer get there'],
    ['success', 'success', 'it is success (4), and it can no longer get there'],
    ['overdue', 'refund', 'it is overdue (5), and there is no deposit to refund'],
    ['overdue', 'lost-answer', 'it is overdue (5), and its create already got a response'],
    ['paused', 'overdue', 'it is pause (10), and it can no longer get there'],
    ['unknown-status', 'success', 'it is unknown (77), and it can no longer get there'],
  ])('that is %s cannot be moved to %s', async (first, then, why) => {
    const { order } = await json(`trigger ${first}`);
    const { offsetSeconds } = await json('clock');
    const { stdout, error } = await run(`trigger ${then} --order ${order}`);
    expect(stdout).toBe('');
    expect(error).toMatchObject({
      code: 'usage',
      message: `Order ${order} cannot be driven to "${then}": ${why}.`,
    });
    expect(await json('clock')).toMatchObject({ offsetSeconds });
  });

  it('is required by --order, which cannot be combined with --to', async () => {
    expect((await run('trigger success --order NOSUCH')).error).toMatchObject({ code: 'not_found' });
    const { order } = await json('trigger overdue');
    expect((await run(`trigger success --order ${order} --to ETH`)).error).toMatchObject({
      message: '--from and --to apply only to a new order, and cannot be combined with --order.',
    });
  });
});

describe('a new order of sandbox trigger', () => {
  const trigger = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runHere(['sandbox', 'trigger', ...args, '--json'], { home, env });

  it('has the given coins on their usual networks, with a memo if needed', async () => {
    const { stdout } = await trigger(['success', '--from', 'usdt:trx', '--to', 'XRP']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'success',
      deposit: { coin: 'USDT', network: 'TRX' },
      receive: { coin: 'XRP' },
    });
    expect((await trigger(['success', '--from', 'NOPE'])).error).toMatchObject({ code: 'unknown_coin' });
    expect((await trigger(['success', '--from', 'ETH:ETH'])).error).toMatchObject({ code: 'usage' });
  });

  it('belongs to the current profile if its service is the sandbox', async () => {
    const database = freshFile();
    const { credentials, ...server } = await startSandbox({ database });
    const env = profileEnv(server.url, credentials);
    const { stdout } = await trigger(['frozen', '--database', database], env);
    const swap = JSON.parse(stdout) as SwapResult;
    expect(swap).toMatchObject({ profile: 'env', status: 'frozen' });
    const status = await runHere(['status', swap.order ?? '', '--json'], { home, env });
    expect(JSON.parse(status.stdout)).toMatchObject(swap);
    await server.close();
  });

  it('in another database is not recorded in the ledger and does not use a foreign key pair', async () => {
    const env = { SWAPCTL_BASE_URL: 'https://live.example', SWAPCTL_PUBLIC_KEY: 'pk', SWAPCTL_SECRET: 'sk' };
    const { stdout, stderr } = await trigger(['paused', '--database', freshFile()], env);
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'sandbox', status: 'pause' });
    expect(stderr).toContain('nothing is recorded in the ledger');
    expect((await runHere(['history', '--json'], { home })).stdout).toBe('[]\n');
    expect((await trigger(['paused', '--profile', 'env'], env)).error).toMatchObject({ code: 'usage' });
  });

  it('can be created while a server on the same database has a fixed clock', async () => {
    const database = freshFile();
    const fixed = { seed: 5, clockStart: Date.UTC(2026, 0, 1), clockTick: 1000 };
    const server = await startSandbox({ database, ...fixed });
    for (const scenario of ['success', 'refund', 'success-without-payout', 'late-deposit']) {
      const { stdout } = await trigger([scenario, '--database', database]);
      expect(JSON.parse(stdout)).toMatchObject({ status: scenario === 'refund' ? 'refund' : 'success' });
    }
    await server.close();
  });
});
