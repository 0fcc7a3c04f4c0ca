import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { createBudget } from '../../../src/core/ledger/budget/budget.ts';
import { type Ledger, openLedger } from '../../../src/core/ledger/ledger.ts';
import type { SeenSwap } from '../../../src/core/ledger/swap-result.ts';
import type { Swap } from '../../../src/core/swap/swap.ts';
import { swapOf } from '../../core/ledger/entries.ts';
import { fillRows, rowOf } from '../../core/ledger/fill.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, type RunHere, runHere } from '../../helpers/run-here.ts';
import { ownerAt, profileAt } from '../../helpers/scene.ts';
import { type SwapService, startSwapService, wireSwapIn } from '../../helpers/swap-service.ts';

const START = Date.parse('2026-01-31T12:00:00.000Z');
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

const FROZEN = { status: 'frozen', statusCode: 11 } as const;

let home: string;
let service: SwapService;
let ledger: Ledger;
let clock: number;
/** The order and time of each request. */
let asked: { readonly order: string; readonly at: number }[];
/** Statuses that are not `new`; an HTTP status from 400 is a failure. */
let statuses: Map<string, number>;

beforeEach(async () => {
  home = await temporaryFolder();
  [clock, asked, statuses] = [START, [], new Map()];
  service = await startSwapService({
    'get-transaction': ({ query }, response) => {
      const order = query.get('id') ?? '';
      asked.push({ order, at: clock });
      const status = statuses.get(order) ?? 9;
      if (status >= 400) sendJson(response, status, { statusCode: status, message: 'No.' });
      else sendJson(response, 200, wireSwapIn(status, order));
    },
  });
  ledger = await openLedger(ledgerFile(), () => undefined);
});

afterEach(async () => {
  await ledger.close();
  await service.close();
});

const ledgerFile = () => join(home, '.local', 'state', 'swapctl', 'ledger.db');
const orderOf = (index: number) => `ORDER${String(index).padStart(4, '0')}`;

/** Writes open swaps into the ledger, the first last seen `age` ago, each next one a second later. */
async function fill(
  count: number,
  age: number,
  of: (index: number) => Partial<Swap> = () => ({}),
): Promise<void> {
  await fillRows(ledgerFile(), count, (index) => {
    const swap = { ...swapOf(orderOf(index)), ...of(index) };
    const snapshot = JSON.stringify(swap);
    return {
      ...rowOf(index, true),
      ...ownerAt(service.url),
      order_number: swap.order,
      snapshot,
      first_snapshot: snapshot,
      request: 'null',
      status_code: swap.statusCode,
      furthest: swap.status,
      seen_at: START - age + index * SECOND,
    };
  });
}

const run = (args: readonly string[], more: Partial<RunHere> = {}) =>
  runHere(args, {
    home,
    env: profileAt(service.url),
    now: () => clock,
    monotonic: () => clock,
    sleep: async (milliseconds) => {
      clock += milliseconds;
    },
    ...more,
  });

const swapsOf = (stdout: string) => JSON.parse(stdout) as readonly SeenSwap[];

/** Most requests in any minute. */
const mostInAMinute = () =>
  Math.max(...asked.map(({ at }) => asked.filter((each) => each.at > at - MINUTE && each.at <= at).length));

describe('status with more open swaps than the request budget allows to poll', () => {
  const SMALL = ['--budget', '12/60s'];

  it('polls the swaps seen longest ago and shows the others as last seen', async () => {
    await fill(200, 3 * HOUR);
    const { stdout, stderr, error } = await run(['status', '--json', ...SMALL]);
    expect(error).toBeNull();
    const swaps = swapsOf(stdout);
    expect(swaps.map(({ order }) => order)).toEqual(
      Array.from({ length: 200 }, (_, index) => orderOf(index)),
    );
    expect(new Set(asked.map(({ order }) => order))).toEqual(
      new Set(swaps.slice(0, 10).map(({ order }) => order)),
    );
    expect(swaps[0]).toMatchObject({ seenAt: new Date(START).toISOString(), fundable: true });
    expect(swaps[10]).toMatchObject({
      seenAt: new Date(START - 3 * HOUR + 10 * SECOND).toISOString(),
      fundable: false,
      paymentUri: null,
    });
    expect(stderr).toBe(
      "190 of 200 swaps are shown as last polled, up to 2 hours ago: the request budget (12 per 60 s) and the service's limit left no time to poll them. Set a --timeout longer than 60s, raise the budget with --budget, or keep the ledger current with swapctl listen.\n",
    );
    // The next run goes on with the others, with what has come back of the budget.
    clock += MINUTE;
    const screen = await run(['status', ...SMALL], { terminals: AT_TERMINAL, columns: 100 });
    expect(screen.stdout).toMatch(/ CHECKED +CREATED\n.* 1 min .*\n(?:.*\n)* ORDER0199 .* 2 h\n$/);
    expect(new Set(asked.map(({ order }) => order)).size).toBe(20);
    expect(mostInAMinute()).toBeLessThanOrEqual(12);
  });

  it('shows the last known status when the service responds with 429', async () => {
    await fill(3, HOUR, () => FROZEN);
    for (let index = 0; index < 3; index += 1) statuses.set(orderOf(index), 429);
    const list = await run(['status', '--json']);
    expect(list.error).toBeNull();
    expect(swapsOf(list.stdout).map(({ status }) => status)).toEqual(Array(3).fill('frozen'));
    const attention = await run(['status', '--attention', '--json']);
    expect([attention.error?.exitCode, swapsOf(attention.stdout).length]).toEqual([8, 3]);
  });
});

describe('status --attention with more open swaps than it can poll in time', () => {
  const attention = (count: number, more: readonly string[] = []) =>
    run(['status', '--attention', '--budget', `${count}/60s`, '--json', ...more]);

  it('reports how many swaps were not polled, and exits with 6 if they are more than a tenth', async () => {
    await fill(100, 2 * HOUR + 2 * MINUTE);
    const { stdout, stderr, error } = await attention(60);
    expect([asked.length, swapsOf(stdout)]).toEqual([54, []]);
    expect(error).toMatchObject({ exitCode: 6, message: '46 swaps could not be polled in time.' });
    expect(stderr).toContain(
      'Nothing known needs attention; 46 of 100 swaps were last seen up to 2 hours ago.\n',
    );
  });

  it('exits with 0 if no more than a tenth of the swaps were not polled', async () => {
    await fill(60, 2 * HOUR + 2 * MINUTE);
    const { stderr, error } = await attention(60);
    expect([error, asked.length]).toEqual([null, 54]);
    expect(stderr).toBe('Nothing known needs attention; 6 of 60 swaps were last seen up to 2 hours ago.\n');
  });

  it('exits with 8 if a swap that could not be polled is known to need attention', async () => {
    await fill(100, 2 * HOUR + 2 * MINUTE, (index) => (index === 99 ? FROZEN : {}));
    const { stdout, stderr, error } = await attention(60);
    expect(error?.exitCode).toBe(8);
    const seenAt = new Date(START - 2 * HOUR - 2 * MINUTE + 99 * SECOND).toISOString();
    expect(swapsOf(stdout)).toMatchObject([{ order: orderOf(99), seenAt }]);
    expect(stderr).toContain('46 of 100 swaps are shown as last polled, up to 2 hours ago');
  });
});

it('an observation in the ledger is used by --attention for up to 5 minutes; an older observation is never fundable', async () => {
  const expiresAt = new Date(START + 4 * MINUTE).toISOString();
  await fill(1, 4 * MINUTE, () => ({ expiresAt }));
  const recent = await run(['status', '--attention', '--json']);
  expect([recent.error?.exitCode, asked]).toEqual([8, []]);
  expect(JSON.parse(recent.stdout)).toMatchObject([
    { attention: 'Its window ends in 4 minutes: pay now, or not at all.', fundable: true },
  ]);
  statuses.set(orderOf(0), 503);
  const old = await run(['status', '--attention', '--json', '--max-age', '1m']);
  expect(JSON.parse(old.stdout)).toMatchObject([
    {
      attention: expect.stringMatching(
        /^Its window ends in [34] minutes: check it before you pay: swapctl status ORDER0000$/,
      ),
      fundable: false,
    },
  ]);
  expect(old.error?.exitCode).toBe(8);
});

describe('an order named on the command line', () => {
  it('is polled immediately even if programs have used their share of the budget', async () => {
    await fill(200, HOUR);
    const time = { now: () => clock, sleep: async () => undefined };
    const program = createBudget(
      ownerAt(service.url).account,
      { requests: 60, durationMs: MINUTE },
      ledger.buckets,
      time,
    );
    for (const end = clock + MINUTE - SECOND; clock < end; ) clock += Math.max(1, await program.tryTake());
    const before = clock;
    const one = await run(['status', orderOf(7), '--json']);
    expect([one.error, clock - before]).toEqual([null, 0]);
    expect(JSON.parse(one.stdout).seenAt).toBe(new Date(before).toISOString());
    const five = await run(['status', ...[1, 2, 3, 4, 5].map(orderOf), '--json']);
    expect([five.error, clock - before]).toEqual([null, 0]);
  });

  it('is shown as last seen if the budget leaves no time, or fails with timeout if never seen', async () => {
    await fill(3, HOUR);
    const budget = ['--budget', '1/10m'];
    await run(['status', orderOf(0), ...budget]);
    const known = await run(['status', orderOf(1), '--json', ...budget]);
    expect(known.error).toBeNull();
    expect(JSON.parse(known.stdout)).toMatchObject({ order: orderOf(1), fundable: false });
    expect(known.stderr).toContain('The swap is shown as last polled, up to 59 minutes ago');
    const screen = await run(['status', orderOf(1), ...budget], { terminals: AT_TERMINAL });
    expect(screen.stdout).toContain('Last polled  59 minutes ago');
    const unknown = await run(['status', 'OTHERS', '--json', ...budget]);
    expect([unknown.stdout, unknown.error]).toMatchObject([
      '',
      {
        code: 'timeout',
        exitCode: 6,
        message: 'Order OTHERS was not polled: the request budget left no time for it.',
      },
    ]);
    expect(asked).toHaveLength(1);
  });
});

it('status prints nothing on standard output when interrupted', async () => {
  await fill(20, HOUR);
  const stop = new AbortController();
  const sleep = async () => {
    stop.abort(new InterruptedError('SIGINT'));
    throw stop.signal.reason;
  };
  const { stdout, error } = await run(['status', '--timeout', '10m', '--budget', '12/60s'], {
    signal: stop.signal,
    sleep,
  });
  expect([stdout, error?.exitCode]).toEqual(['', 130]);
});

it('status --watch that times out does not suggest running the same command again', async () => {
  await fill(1, HOUR);
  const { error } = await run(['status', '--watch', '--timeout', '5s', '--json']);
  expect(error).toMatchObject({ code: 'still_open', exitCode: 8, actions: [] });
  expect(error?.hint).toBe('Use a longer --timeout, or none to watch until every swap is final.');
});

it('status --watch first polls swaps that need attention or whose window ends soon', async () => {
  const expiresAt = new Date(START + 2 * MINUTE).toISOString();
  const special: Readonly<Record<number, Partial<Swap>>> = {
    50: { status: 'pause', statusCode: 10 },
    51: FROZEN,
    52: { expiresAt },
  };
  await fill(60, HOUR, (index) => special[index] ?? {});
  await run(['status', '--watch', '--timeout', '2s', '--json']);
  expect(asked.length).toBeGreaterThan(3);
  expect(new Set(asked.slice(0, 3).map(({ order }) => order))).toEqual(new Set([50, 51, 52].map(orderOf)));
});
