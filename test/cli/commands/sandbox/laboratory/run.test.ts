import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { startSandbox } from '../../../../../src/sandbox/server.ts';
import { temporaryFolder } from '../../../../helpers/home.ts';
import { profileEnv } from '../../../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../../../helpers/run-here.ts';
import { ADDRESSES, BTC_TO_ETH } from '../../../../helpers/swap-service.ts';
import { ETH_ADDRESS, freshFile } from '../../../../sandbox/sandbox.ts';

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

/** Writes a scenario and runs it. */
function run(scenario: unknown, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const file = join(home, 'own.json');
  writeFileSync(file, typeof scenario === 'string' ? scenario : JSON.stringify(scenario));
  return runHere(['sandbox', 'run', file, ...args], { home, env });
}

const CREATE = { create: { as: 'a', from: 'BTC', to: 'ETH:ETH', amount: '0.1', address: ETH_ADDRESS } };
const ORDER = '${' + 'a.order}';
const steps = (...all: readonly object[]) => ({ seed: 7, steps: all });

test('a regular expression with catastrophic backtracking fails its step after half a second', async () => {
  const slow = { expect: { order: ORDER, 'receive.address': { matches: '^([0-9a-zA-Z]+)+!$' } } };
  const { stdout, error } = await run(steps(CREATE, slow), ['--json']);
  expect(error).toMatchObject({ code: 'differs' });
  expect(JSON.parse(stdout).steps[1].message).toContain(
    'The regular expression for "receive.address" gave no result within 500 ms.',
  );
});

describe('an invalid scenario file', () => {
  test.each([
    ['{', /^Scenario file: the file is not JSON, line 1: The text ends too early\.$/],
    ['[]', /^Scenario file: the file must be an object with any of the keys name, .*, steps \(line 1\)\.$/],
    [{ steps: 1 }, /^Scenario file: steps must be a list with at least one entry \(line 1\)\.$/],
    [{ step: [] }, /^Scenario file: the file has no key "step" \(line 1\)\.$/],
    [
      { seed: -1, steps: [] },
      /^Scenario file: seed must be a whole number from 0 to 999999999, or null \(line 1\)\.$/,
    ],
    [{ scenario: 'sucess', steps: [CREATE] }, /^Unknown scenario sucess\. Did you mean success\?$/],
    [{ magic: 1, steps: [] }, /^Scenario file: magic must be true or false \(line 1\)\.$/],
    [steps(), /^Scenario file: steps must be a list with at least one entry \(line 1\)\.$/],
    [steps({ wait: '1s' }), /^Step 1 is unknown: "wait" is not a step\.$/],
    [
      steps(CREATE, { expects: {} }),
      /^Step 2 is unknown: "expects" is not a step\. Did you mean "expect"\?$/,
    ],
    [steps({ '\u001b[2J': {} }), /^Step 1 is unknown: "<U\+001B>\[2J" is not a step\.$/],
    [steps({ advance: '1s', deposit: {} }), /^Step 1 has 2 keys/],
    [steps({}), /^Step 1 has 0 keys/],
    [steps({ advance: '1 hour' }), /^Step 1 \(advance\) must be a duration such as/],
    [steps({ create: { from: 'BTC', to: 'ETH' } }), /^Step 1 \(create\) needs "amount"\.$/],
    [
      steps({ create: { ...CREATE.create, adress: 'x' } }),
      /^Step 1 \(create\) has an unknown key "adress"\. Did you mean "address"\?$/,
    ],
    [steps({ move: { order: 'A', verb: 'melt' } }), /^"verb" of step 1 \(move\) must be one of pause, /],
    [steps({ fault: { endpoint: 'nope', status: 500 } }), /^The fault's "endpoint" must be one of/],
    [steps({ expect: { status: 'new' } }), /^Step 1 \(expect\) needs either "order", or "of"/],
    [
      steps({ expect: { order: 'A', x: { gt: 'much' } } }),
      /^"gt" of "x" of step 1 \(expect\) must be a number\.$/,
    ],
    [steps({ expect: { order: 'A', x: { matches: '(' } } }), /is not a regular expression\.$/],
    [
      steps({ expect: { order: 'A', x: { gt: '1', less: '2' } } }),
      /has "less", which is not a comparison\.$/,
    ],
    [steps({ deposit: { order: ORDER } }, CREATE), /^Step 1 \(deposit\) refers to "a", but no earlier step/],
    [steps({ create: { ...CREATE.create, as: 'a b' } }), /^"as" of step 1 \(create\) must be a word/],
  ])('%j is rejected as a usage error', async (scenario, message) => {
    const { stdout, error } = await run(scenario);
    expect(stdout).toBe('');
    expect(error).toMatchObject({ code: 'usage', exitCode: 2 });
    expect(error?.message).toMatch(message);
  });

  it('that does not exist is reported with the nearest scenario name', async () => {
    const { error } = await runHere(['sandbox', 'run', 'sucess'], { home });
    expect(error).toMatchObject({ exitCode: 2, message: 'File sucess does not exist.' });
    expect(error?.hint).toBe('Did you mean success?');
  });
});

describe('swapctl sandbox run', () => {
  it('resolves references to earlier results and compares amounts as decimals', async () => {
    const { error, stdout } = await run(
      steps(
        CREATE,
        { deposit: { order: ORDER, amount: 0.2 } },
        { advance: '10m' },
        {
          expect: {
            order: ORDER,
            status: { ne: 'new' },
            'deposit.amount': { gt: '0.1', gte: '0.20', lt: 1, lte: 0.2, ne: '0.1' },
            deposit: { coin: 'BTC', amount: '0.200' },
            'receive.paidAmount': { gt: '${' + 'a.receive.amount}' },
            refundAddress: null,
            'receive.memo': { exists: false },
            'receive.txId': { exists: true, matches: '^0x[0-9a-f]{64}$' },
          },
        },
        {
          request: {
            endpoint: 'get-transaction',
            query: { id: ORDER },
            expect: { status: 200, 'body.status': 4 },
          },
        },
        {
          request: { endpoint: 'create-transaction', body: { depositCoin: 'BTC' }, expect: { status: 400 } },
        },
        { request: { endpoint: 'create-transaction', expect: { status: 400 } } },
        { quote: { from: 'BTC', to: 'ETH:ETH', amount: '0.0000001', fails: { code: 'amount_below_min' } } },
        { create: { ...CREATE.create, as: 'b', address: 'nowhere', fails: { code: 'invalid_address' } } },
      ),
      ['--json'],
    );
    expect(error).toBeNull();
    const { steps: results, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ name: 'own', passed: true });
    expect(stdout).not.toContain('isLosslessNumber');
    expect(results[0].result).toMatchObject({ status: 'new', statusCode: 9 });
  });

  it('writes numbers as JSON numbers in results and differences', async () => {
    const { stdout, error } = await run(steps(CREATE, { expect: { order: ORDER, statusCode: 10 } }), [
      '--json',
    ]);
    const { steps: reported } = JSON.parse(stdout) as { steps: { result: unknown; differences: unknown }[] };
    expect(reported[0]?.result).toMatchObject({ status: 'new', statusCode: 9 });
    const differences = [{ path: 'statusCode', expected: 10, seen: 9 }];
    expect(reported[1]?.differences).toEqual(differences);
    expect(error?.details).toEqual({ step: 2, kind: 'expect', differences });
  });

  it('stops at the first failed step, reports expected and actual values, and exits with 9', async () => {
    const file = join(home, 'result.xml');
    const { stdout, error } = await run(
      {
        name: 'a <b> & "c"',
        ...steps(
          CREATE,
          { expect: { order: ORDER, status: 'success', 'deposit.amount': { lt: '0.1' } } },
          { advance: '1s' },
        ),
      },
      ['--junit', file, '--json'],
    );
    const message = 'status is "new", expected "success"; deposit.amount is "0.1", expected {"lt":"0.1"}.';
    expect(error).toMatchObject({
      code: 'differs',
      exitCode: 9,
      outcome: 'done',
      message: `Step 2 (expect) of a <b> & "c": ${message}`,
    });
    const { passed, steps: reported } = JSON.parse(stdout) as { passed: boolean; steps: { state: string }[] };
    expect([passed, ...reported.map(({ state }) => state)]).toEqual([false, 'passed', 'failed', 'skipped']);
    expect(reported[1]).toMatchObject({
      message,
      differences: [
        { path: 'status', expected: 'success', seen: 'new' },
        { path: 'deposit.amount', expected: { lt: '0.1' }, seen: '0.1' },
      ],
    });
    const xml = spawnSync(
      'python3',
      [
        '-c',
        'import sys, json, xml.etree.ElementTree as e\nr = e.parse(sys.argv[1]).getroot()\ns = r[0]\nprint(json.dumps([r.tag, s.tag, s.attrib, [[c.tag, c.get("name"), [[f.tag, f.get("message")] for f in c]] for c in s]]))',
        file,
      ],
      { encoding: 'utf8' },
    );
    expect(JSON.parse(xml.stdout)).toEqual([
      'testsuites',
      'testsuite',
      {
        name: 'a <b> & "c"',
        tests: '3',
        failures: '1',
        errors: '0',
        skipped: '1',
        time: '5.000',
        timestamp: '2026-01-01T00:00:00',
      },
      [
        ['testcase', '1 create a', []],
        ['testcase', '2 expect', [['failure', message]]],
        ['testcase', '3 advance', [['skipped', null]]],
      ],
    ]);
    const first = readFileSync(file, 'utf8');
    await run(JSON.parse(readFileSync(join(home, 'own.json'), 'utf8')), ['--junit', file]);
    expect(readFileSync(file, 'utf8')).toBe(first);
  });

  it('reports a JUnit file that could not be written', async () => {
    const { stdout, error } = await run(steps(CREATE), ['--junit', join(home, 'none', 'result.xml')]);
    expect(stdout).toBe('');
    expect(error).toMatchObject({ code: 'write_failed', exitCode: 1, outcome: 'done' });
  });

  it('treats a request without a response as an error that a step may expect', async () => {
    const lost = (endpoint: string, code: string) => [
      { fault: { endpoint, drop: 'before', times: 1 } },
      { request: { endpoint, fails: { code }, ...(endpoint === 'create-transaction' ? { body: {} } : {}) } },
    ];
    const both = [
      ...lost('get-all-coins', 'network_error'),
      ...lost('create-transaction', 'outcome_unknown'),
    ];
    const { error } = await run(steps(...both));
    expect(error).toBeNull();
    const [fault] = lost('get-all-coins', '');
    const unexpected = await run(steps(fault ?? {}, { request: { endpoint: 'get-all-coins' } }));
    expect(unexpected.error).toMatchObject({ code: 'differs', exitCode: 9 });
    expect(unexpected.error?.message).toMatch(
      /^Step 2 \(request\) of own: It failed with network_error: the sandbox closed the connection before the response was complete/,
    );
  });

  it('fails a step if a request fails unexpectedly or an expected failure does not occur', async () => {
    const refused = await run(steps({ create: { ...CREATE.create, amount: '9999' } }));
    expect(refused.error).toMatchObject({ code: 'differs' });
    expect(refused.error?.message).toMatch(/^Step 1 \(create\) of own: It failed with amount_above_max: /);
    const accepted = await run(steps({ create: { ...CREATE.create, fails: { code: 'rejected' } } }));
    expect(accepted.error?.message).toBe('Step 1 (create) of own: Expected a failure, but it succeeded.');
    const missing = await run(steps(CREATE, { deposit: { order: '${' + 'a.number}' } }));
    expect(missing.error?.message).toMatch(/It failed with usage: The result "a" has no number\.$/);
  });

  it('needs an empty sandbox and records nothing in the ledger', async () => {
    const database = freshFile();
    expect((await run(steps(CREATE), ['--database', database])).error).toBeNull();
    const again = await run(steps(CREATE), ['--database', database]);
    expect(again.error).toMatchObject({ code: 'usage' });
    expect(again.error?.message).toMatch(/^A scenario needs an empty sandbox, but .* is not empty\.$/);
    const other = await run(steps(CREATE), ['--database', database, '--seed', '8']);
    expect(other.error?.message).toMatch(/was created with seed 7, not 8\.$/);
    expect((await runHere(['history', '--json'], { home })).stdout).toBe('[]\n');
    expect(JSON.parse((await runHere(['sandbox', 'orders', '--json'], { home })).stdout)).toEqual([]);
  });

  it('prints a line per step on a terminal and leaves the cause of a failure to the error', async () => {
    const file = join(home, 'own.json');
    writeFileSync(
      file,
      JSON.stringify(steps(CREATE, { expect: { order: ORDER, status: 'error' } }, { advance: '1s' })),
    );
    const { stdout, error } = await runHere(['sandbox', 'run', file], { home, terminals: AT_TERMINAL });
    expect(error?.message).toBe('Step 2 (expect) of own: status is "new", expected "error".');
    expect(stdout.replaceAll(/[A-Z]{6}/g, 'ORDER')).toBe(
      ['✓  1  create   a  ORDER new', '✗  2  expect', '-  3  advance', ''].join('\n'),
    );
    writeFileSync(file, JSON.stringify(steps(CREATE)));
    const passed = await runHere(['sandbox', 'run', file], { home, terminals: AT_TERMINAL, columns: 60 });
    expect(passed.stdout.split('\n').slice(1)).toEqual(['own: 1 step passed', '']);
  });
});

describe('swapctl sandbox run --against', () => {
  const scenario = steps(
    CREATE,
    { deposit: { order: ORDER } },
    { advance: '10m' },
    { expect: { order: ORDER, status: 'success' } },
  );

  it('uses the keys and the operator of the given database', async () => {
    const database = freshFile();
    const server = await startSandbox({ database });
    const against = ['--against', server.url, '--database', database];
    const { stdout, stderr, error } = await run(scenario, [...against, '--json']);
    expect(error).toBeNull();
    expect(stderr).toBe(`profile sandbox-run · sandbox · ${new URL(server.url).host}\n`);
    expect(JSON.parse(stdout)).toMatchObject({ passed: true });
    await server.close();
    for (const gone of [scenario, steps({ request: { endpoint: 'get-all-coins' } })])
      expect((await run(gone, against)).error).toMatchObject({ code: 'network_error', exitCode: 6 });
  });

  it('obeys policy stop in every kind of step', async () => {
    const database = freshFile();
    const server = await startSandbox({ database });
    const env = profileEnv(server.url, server.credentials);
    const against = ['--against', server.url, '--database', database, '--json'];
    const { stdout, error } = await run(steps(CREATE), against, env);
    expect(error).toBeNull();
    const order = JSON.parse(stdout).steps[0].result.order as string;
    const recorded = await runHere(['history', '--json'], { home, env });
    expect(JSON.parse(recorded.stdout)).toMatchObject([{ order, outcome: 'created' }]);
    expect((await runHere(['policy', 'stop'], { home, env })).error).toBeNull();
    const fails = { code: 'stopped', outcome: 'nothing-sent' };
    const stopped = await run(
      steps(
        { create: { ...CREATE.create, as: 'b', fails } },
        { refund: { order, address: ADDRESSES.btcRefund, fails } },
        { request: { endpoint: 'create-transaction', method: 'POST', body: BTC_TO_ETH, fails } },
        {
          request: {
            endpoint: 'update-refund-address',
            method: 'PATCH',
            fails,
            body: { id: order, refundAddress: ADDRESSES.btcRefund },
          },
        },
        { request: { endpoint: 'get-all-coins', expect: { status: 200 } } },
      ),
      against,
      env,
    );
    expect([stopped.error, stopped.stdout]).toMatchObject([null, expect.stringContaining('"passed":true')]);
    await server.close();
  });

  it('rejects an unsuitable service or flag before it sends a request', async () => {
    const [here, away] = ['http://127.0.0.1:9', 'https://api.example.com'];
    const other = await run(scenario, ['--against', here], profileEnv(here));
    expect(other.error).toMatchObject({ code: 'usage' });
    expect(other.error?.message).toMatch(
      /^Step 2 \(deposit\) needs the database of the sandbox at http:\/\/127\.0\.0\.1:9, and .* does not know the key pair of profile env\.$/,
    );
    expect((await run(scenario, ['--against', away], profileEnv(away))).error?.message).toBe(
      'Profile env is live, but scenarios create orders and run only against sandboxes.',
    );
    expect((await run(scenario, ['--against', away])).error?.message).toMatch(
      /needs the database .*, and none was given\.$/,
    );
    expect((await run(steps(CREATE), ['--against', away])).error).toMatchObject({ code: 'no_credentials' });
    const magic = await run({ ...scenario, magic: true }, ['--against', here]);
    expect(magic.error?.message).toMatch(/cannot be combined with --against/);
    expect((await run(scenario, ['--against', here, '--seed', '1'])).error?.message).toMatch(
      /^--seed and --against cannot be combined/,
    );
  });
});
