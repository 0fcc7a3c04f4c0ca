import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/base/errors.ts';
import { runProgram } from '../../helpers/program.ts';
import { refusing, sendJson } from '../../helpers/raw-server.ts';
import type { Run } from '../../helpers/run.ts';
import { inScene, profileAt } from '../../helpers/scene.ts';
import { hasHabit, onEachService } from '../../helpers/services.ts';
import { ADDRESSES, type Answer, type Plan, wireSwapIn } from '../../helpers/swap-service.ts';

const ERROR_KEYS = 'code message hint httpStatus retryable outcome exitCode details actions'.split(' ');

/** Holds a failed run against what docs/command-line/output.md#json and #exit-codes say of every failure. */
function expectError(run: Run, exit: number, code: string): void {
  expect(run.code, run.stderr).toBe(exit);
  expect(run.stdout).toBe('');
  const error = run.error();
  expect(Object.keys(error)).toEqual(ERROR_KEYS);
  expect(error).toMatchObject({ code, exitCode: exit });
  expect(error.message.length).toBeGreaterThan(5);
  expect(error.hint === null || typeof error.hint === 'string').toBe(true);
  expect(['boolean', 'object']).toContain(typeof error['retryable']);
  expect(['nothing-sent', 'refused', 'unknown', 'done']).toContain(error.outcome);
  const last = run.stderr.trimEnd().split('\n').at(-1) ?? '';
  expect(Object.keys(JSON.parse(last))).toEqual(['error']);
}

const cut: Answer = (_seen, response) => response.destroy();
const status =
  (code: number): Answer =>
  ({ query }, response) =>
    sendJson(response, 200, wireSwapIn(code, query.get('id') ?? ''));

const QUOTE = ['quote', 'BTC', 'ETH', '0.1'];
const CREATE = ['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes'];
const XRP = ['create', 'BTC', 'XRP', '0.1', '-a', ADDRESSES.xrp, '--yes'];

type Case = Readonly<{ args: readonly string[]; plan?: Plan; env?: Record<string, string> }>;

const exchange = (answer: Answer): Plan => ({ 'exchange-coin': answer });
const creating = (answer: Answer): Plan => ({ 'create-transaction': answer });

const TOO_MUCH = 'Amount to swap is higher the possible max amount to swap';

/** One of each exit code; which cause has which code is tested where it is decided. */
const CASES: readonly (readonly [code: keyof typeof EXIT_CODES, Case])[] = [
  ['insecure_url', { args: QUOTE, env: { SWAPCTL_BASE_URL: 'http://api.example.com' } }],
  ['not_found', { args: ['status', 'NOSUCH'], plan: { 'get-transaction': refusing(404, 'Not found.') } }],
  ['no_credentials', { args: QUOTE, env: { SWAPCTL_SECRET: '' } }],
  ['amount_above_max', { args: CREATE, plan: creating(refusing(400, TOO_MUCH)) }],
  ['network_error', { args: QUOTE, plan: exchange(cut) }],
  ['outcome_unknown', { args: CREATE, plan: creating(cut) }],
  ['storage_failed', { args: CREATE, env: { SWAPCTL_LEDGER: '/dev/null/ledger.db' } }],
];

describe.concurrent('a failure with --json leaves stdout empty and ends stderr with its error object:', () => {
  it.for(CASES)('%s, %o', { timeout: 30_000 }, ([code, { args, plan = {}, env }]) =>
    inScene(plan, async (scene) => {
      expectError(await scene.start([...args, '--json'], env ?? {}).ended, EXIT_CODES[code], code);
    }),
  );
});

describe.concurrent('status --exit-status', () => {
  it.for([
    [9, 'still_open', 8],
    [10, 'still_open', 8],
    [77, 'still_open', 8],
    [5, 'swap_failed', 9],
    [6, 'swap_failed', 9],
    [13, 'swap_failed', 9],
  ] as const)('of status code %i ends with %s', ([code, errorCode, exit]) =>
    inScene({ 'get-transaction': status(code) }, async (scene) => {
      const args = ['status', 'A', '--exit-status', '--json'];
      // Of each exit code one is the built program's.
      const run = await (code === 9 || code === 5 ? scene.start(args).ended : scene.run(args));
      expect(run.code).toBe(exit);
      expect(run.json()).toMatchObject({ order: 'A', statusCode: code });
      expect(run.error()).toMatchObject({ code: errorCode, exitCode: exit, outcome: 'done' });
      expect(run.error()['details']).toMatchObject({ order: 'A', statusCode: code });
      expect(run.error()['actions']).toMatchObject([{ command: expect.arrayContaining(['status', 'A']) }]);
    }),
  );

  it.for([4, 12])('of status code %i exits with 0', (code) =>
    inScene({ 'get-transaction': status(code) }, async (scene) => {
      const run = await scene.run(['status', 'A', '--exit-status', '--json']);
      expect([run.code, run.stderr]).toEqual([0, '']);
    }),
  );

  it('is needed for a failed swap to change the exit code', () =>
    inScene({ 'get-transaction': status(6) }, async (scene) => {
      expect((await scene.run(['status', 'A', '--json'])).code).toBe(0);
    }));
});

describe.concurrent('an error on standard error', () => {
  it('is a sentence without color in a pipe', () =>
    inScene({}, async (scene) => {
      const run = await scene.run(['quote', 'BTC', 'ETH', 'x']);
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toBe('error: Invalid amount x: it is not a plain decimal number such as 0.1.\n');
    }));

  it.for<readonly [args: readonly string[], words: string]>([
    [
      ['create', 'BTC', 'ETH', '0.1', '-a', '0xnope', '--yes'],
      'error: Invalid payout address. After 0x only hexadecimal digits may follow.\n' +
        'Nothing was sent. Check an address with `swapctl address ETH <address>`.\n',
    ],
    [
      XRP,
      'error: Missing memo for XRP. This network needs a memo to credit a payment to the right recipient.\n' +
        'Pass it with --memo, or pass --no-memo if the recipient needs none.\n',
    ],
    [
      [...CREATE, '--memo', '5'],
      'error: Invalid memo for ETH. Ethereum has no memo.\n' +
        'Nothing was sent. Check it with `swapctl address ETH <address> --memo <memo>`.\n',
    ],
    [
      ['create', 'BTC', 'ETH', '0.123456789', '-a', ADDRESSES.eth, '--yes'],
      'error: BTC has 8 decimals, so 0.123456789 cannot be paid exactly.\nUse 0.12345678 instead.\n',
    ],
    [
      ['create', 'BTC', 'ETH', '0.000000001', '-a', ADDRESSES.eth, '--yes'],
      'error: BTC has 8 decimals, so 0.000000001 cannot be paid exactly.\n' +
        'Use a larger amount, with at most 8 decimals.\n',
    ],
    [
      ['create', 'BTC:LN', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes'],
      'error: BTC cannot be deposited on the network LN.\nPass BTC:BTC.\n',
    ],
    [
      [...QUOTE, '-p', 'nope'],
      'error: Profile nope does not exist.\nNo profiles are stored. To add it, run `swapctl auth login -p nope`.\n',
    ],
  ])('consists of full sentences with a hint: %j', ([args, words]) =>
    inScene({}, async (scene) => {
      const run = await scene.run(args);
      expect([run.code, run.stderr]).toEqual([args.includes('nope') ? 4 : 2, words]);
    }),
  );

  it("adds a full stop to the service's message if another sentence follows", () =>
    inScene(exchange(refusing(500, 'Too busy')), async (scene) => {
      const run = await scene.run([...QUOTE, '--debug']);
      expect(run.stderr).toMatch(
        /^debug: GET \/api\/private\/exchange-coin 500 \d+ ms, attempt 1\ndebug: The service answered 500: Too busy\. Trying again in \d\.\d s\.\n(?:.*\n)*debug: GET \/api\/private\/exchange-coin \d+ \d+ ms, attempt 2\n/,
      );
      expect(run.stderr).toContain(
        'error: The service answered 500: Too busy\nNothing changed; try again later.\n',
      );
    }));

  it('names amount and pair if the limits are unknown', () =>
    inScene(
      exchange(refusing(400, 'Amount to swap is below the possible min amount to swap.')),
      async (scene) => {
        expect((await scene.run(QUOTE)).stderr).toMatch(
          /^error: 0\.1 BTC is below the minimum for BTC → ETH\.\n/,
        );
      },
    ));
});

it('declining a create at a terminal exits with 10 and sends nothing', () =>
  inScene({}, async (scene) => {
    const args = [...CREATE.filter((word) => word !== '--yes'), '--float', '--json'];
    const answer = `(for try in {1..30}; do sleep 0.4; printf 'n\\r'; done)`;
    const shell = `${answer} | script -qec "$(printf '%q ' "$0" "$@")" /dev/null`;
    const run = await runProgram(args, { home: scene.home, env: profileAt(scene.service.url), shell });
    expect(run.code, run.stdout).toBe(10);
    expect(run.stdout).toContain('"code":"declined"');
    expect(scene.service.posts()).toBe(0);
  }));

onEachService({}, () => {
  describe.concurrent('a failure with --json leaves stdout empty and ends stderr with its error object:', () => {
    it.for([
      ['network_required', ['create', 'BTC', 'USDT', '0.1', '-a', ADDRESSES.eth, '--yes', '--sandbox']],
      ['amount_below_min', ['create', 'BTC', 'ETH', '0.00001', '-a', ADDRESSES.eth, '--yes', '--sandbox']],
      ['not_found', ['status', 'NOSUCH', '--sandbox']],
      ['unknown_network', ['quote', 'BTC', 'USDT:NOPE', '0.1', '--sandbox']],
      ['unknown_coin', ['quote', 'NOPE', 'BTC', '0.1', '--sandbox']],
    ] as const)('%s, %j', { timeout: 30_000 }, ([code, args]) =>
      inScene({}, async (scene) => expectError(await scene.run([...args, '--json']), EXIT_CODES[code], code)),
    );

    it('amount_above_max, unless the service has no maximum', { timeout: 30_000 }, () =>
      inScene({}, async (scene) => {
        const run = await scene.run(['quote', 'BTC', 'ETH', '1000000', '--sandbox', '--json']);
        if (hasHabit('no-maximum')) {
          expect([run.code, run.stderr]).toEqual([0, '']);
          expect(run.json()).toMatchObject({ amount: '1000000', max: null });
        } else expectError(run, EXIT_CODES.amount_above_max, 'amount_above_max');
      }),
    );
  });
});
