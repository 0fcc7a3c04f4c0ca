import { decodeAccountID } from 'ripple-address-codec';
import { describe, expect, it } from 'vitest';
import { checkThrough } from '../../src/conformance/run.ts';
import { KEYLESS_XRP } from '../../src/conformance/test-swap.ts';
import { HABIT_NAMES, type HabitName } from '../../src/core/partner-api/habits.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';
import { sandboxForTest } from '../sandbox/sandbox.ts';
import { APP_URL, alteringTransport, sandboxApp } from './altering-app.ts';
import type { Alteration } from './altering-server.ts';

async function check(habits: readonly HabitName[], alter: Alteration = (answer) => answer) {
  const service = await sandboxApp(new Set(habits));
  const time = { at: 0 };
  const { results } = await checkThrough(alteringTransport(service, alter), {
    baseUrl: APP_URL,
    credentials: service.credentials,
    signal: new AbortController().signal,
    now: () => time.at,
    monotonic: () => time.at,
    sleep: async (milliseconds) => {
      time.at += milliseconds;
    },
    timeoutMs: null,
    write: true,
  });
  await service.close();
  return results.filter(({ result }) => result === 'differs');
}

/** The checks that find each habit, those with --write after the others. */
const FOUND_BY: Readonly<Record<HabitName, readonly string[]>> = {
  'text-amounts': ['exchange-coin: JSON numbers', 'create-transaction: JSON numbers'],
  doubles: ['exchange-coin: decimals of what is received'],
  'networks-required': ['exchange-coin: no networks'],
  'exact-case': ['create-transaction: codes in another case'],
  'no-maximum': ['exchange-coin: a largest amount'],
  'expired-at': ['all: no other fields'],
  'no-rate-headers': ['all: headers of the rate limit'],
  unprocessable: [
    'exchange-coin: an unknown coin',
    'exchange-coin: an unknown network',
    'exchange-coin: a coin for itself',
    'create-transaction: an unknown coin',
  ],
  'memo-required': ['create-transaction: no memo where one is needed'],
  'receive-amount': ['create-transaction: depositAmount under lastSource=receive'],
};

describe('conformance', () => {
  it.each(HABIT_NAMES)('finds only %s in a service with that habit alone', async (name) => {
    const found = await check([name]);
    expect(found.map(({ endpoint, check: what }) => `${endpoint}: ${what}`)).toEqual(FOUND_BY[name]);
    for (const { habit, basis } of found) expect([habit, basis]).toEqual([name, 'assumed']);
  });

  it('finds every habit in a service that has all, and none in a service without habits', async () => {
    const found = await check(HABIT_NAMES);
    expect(found.map(({ endpoint, check: what }) => `${endpoint}: ${what}`).sort()).toEqual(
      Object.values(FOUND_BY).flat().sort(),
    );
    expect(new Set(found.map(({ basis }) => basis))).toEqual(new Set(['assumed']));
    expect(await check([])).toEqual([]);
  });

  it.each<[string, (text: string) => string, string, string]>([
    [
      'a field that is not expiredAt',
      (text) => text.replace('{', '{"validFor":30,'),
      'all: no other fields',
      'exchange-coin: validFor',
    ],
    [
      'only some amounts as text',
      (text) => text.replace(/"amount":([0-9.]+)/, '"amount":"$1"'),
      'exchange-coin: JSON numbers',
      'amount is text',
    ],
  ])('finds %s and names no habit for it', async (_name, change, check_, words) => {
    const found = await check([], (answer, { url }) =>
      url.includes('/exchange-coin') && answer.status === 200
        ? { ...answer, text: change(answer.text) }
        : answer,
    );
    expect(found.map(({ endpoint, check: what, habit }) => [`${endpoint}: ${what}`, habit])).toEqual([
      [check_, null],
    ]);
    expect(found[0]?.found).toBe(words);
  });

  it('pays the order that needs a memo to an account without a key', () => {
    expect(Buffer.from(decodeAccountID(KEYLESS_XRP)).toString('latin1')).toBe('SANDBOXswapctlpayout');
  });

  it('prints the habits found, the affected commands, and how to emulate them', async () => {
    const sandbox = await sandboxForTest({ habits: new Set(['networks-required', 'expired-at']) });
    const { publicKey, secret } = sandbox.credentials;
    const home = await temporaryFolder();
    const env = { SWAPCTL_BASE_URL: sandbox.url, SWAPCTL_PUBLIC_KEY: publicKey, SWAPCTL_SECRET: secret };
    const run = await runHere(['conformance'], { home, env, terminals: ['stdout'], columns: 80 });
    expect(run.error).toBeNull();
    expect(run.stdout).toMatch(/\n +found: 422 Such exchange pair is\n +not available\n +affects: quote\n/);
    expect(run.stderr).toContain('swapctl sandbox start --rough networks-required\n');
    const written = await runHere(['conformance', '--write'], {
      home,
      env,
      terminals: ['stdout'],
      columns: 80,
    });
    expect(written.stdout).toMatch(/\n +affects: no swapctl command\n/);
    expect(written.stderr).toContain(
      'Habits of this service: networks-required (a quote without both networks is a 422); expired-at (a transaction has the undocumented field expiredAt). To emulate them, run: swapctl sandbox start --rough networks-required,expired-at\n',
    );
  });
});
