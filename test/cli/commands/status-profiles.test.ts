import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUTH_HEADERS } from '../../../src/core/partner-api/endpoints.ts';
import { writeConfig } from '../../helpers/config.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { jsonLines } from '../../helpers/lines.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { CREATE, SECRET } from '../../helpers/scene.ts';
import { ADDRESSES, createdAs, type SwapService, startSwapService } from '../../helpers/swap-service.ts';
import { deskWith } from './batch/desk.ts';

let home: string;
let services: Record<'one' | 'two', SwapService>;

/** Two profiles, each at a service of its own that has made one order. */
beforeEach(async () => {
  await begin('ORDERA', 'ORDERB');
});

async function begin(one: string, two: string): Promise<void> {
  home = await temporaryFolder();
  const making = (order: string) =>
    startSwapService({ 'create-transaction': createdAs((swap) => (swap.orderNumber = order)) });
  services = { one: await making(one), two: await making(two) };
  await store({ one: services.one.url, two: services.two.url });
  for (const name of ['one', 'two'] as const) expect((await run([...CREATE, '-p', name])).error).toBeNull();
}

afterEach(async () => {
  for (const service of Object.values(services)) await service.close();
});

async function store(places: Readonly<Record<string, string>>): Promise<void> {
  const profiles = Object.entries(places).map(([name, baseUrl]) => [
    name,
    { baseUrl, publicKey: `key-of-${name}`, secret: 'sk', environment: 'sandbox' },
  ]);
  await writeConfig(home, { current: 'one', profiles: Object.fromEntries(profiles) });
}

const run = (args: readonly string[], more: object = {}) => runHere(args, { home, ...more });

type Line = Readonly<{ type: string; swap: { order: string; profile: string } }>;

/** What a watch printed of each swap that it saw. */
const seenIn = (lines: readonly Line[]) =>
  lines.flatMap(({ type, swap }) => (type === 'status' ? [`${swap.order} ${swap.profile}`] : []));

/** Watches both swaps until each was seen, and the time is up then. */
async function watchUntilSeen() {
  let isSeen = false;
  return run(['status', '--watch', '--interval', '0.1', '--timeout', '1m', '--json'], {
    monotonic: () => (isSeen ? 60_000 : 0),
    onOutput: (stdout: string) => {
      isSeen = stdout.split('\n').length > 2;
    },
  });
}

const found = (stdout: string) =>
  (JSON.parse(stdout) as { order: string; profile: string }[]).map((swap) => `${swap.order} ${swap.profile}`);

/** The keys with which a service was asked for swaps. */
const keysAt = (service: SwapService) =>
  service.requests
    .filter(({ endpoint }) => endpoint === 'get-transaction')
    .map(({ headers, query }) => [headers[AUTH_HEADERS.publicKey], query.get('id')]);

describe('status', () => {
  it('polls every open order with the key of its own profile', async () => {
    const { stdout, error } = await run(['status', '--json', '--max-age', '0s']);
    expect(error).toBeNull();
    expect(found(stdout)).toEqual(['ORDERA one', 'ORDERB two']);
    expect(keysAt(services.one)).toEqual([['key-of-one', 'ORDERA']]);
    expect(keysAt(services.two)).toEqual([['key-of-two', 'ORDERB']]);
  });

  it('finds the profile of a named order, and --watch polls each order with its own profile', async () => {
    const { stdout } = await run(['status', 'ORDERB', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ order: 'ORDERB', profile: 'two' });
    const watched = await watchUntilSeen();
    expect(watched.error).toMatchObject({ code: 'still_open' });
    expect(seenIn(jsonLines<Line>(watched.stdout))).toEqual(['ORDERA one', 'ORDERB two']);
    expect(keysAt(services.one).every(([, order]) => order === 'ORDERA')).toBe(true);
    expect(keysAt(services.two).every(([, order]) => order === 'ORDERB')).toBe(true);
  });

  it('--watch follows two orders of the same number in two profiles', async () => {
    for (const service of Object.values(services)) await service.close();
    await begin('SAMEAB', 'SAMEAB');
    const watched = await watchUntilSeen();
    const lines = jsonLines<Line>(watched.stdout);
    expect(seenIn(lines)).toEqual(['SAMEAB one', 'SAMEAB two']);
    expect(lines.filter(({ type }) => type === 'end')).toHaveLength(2);
    expect(keysAt(services.one).every(([key]) => key === 'key-of-one')).toBe(true);
    expect(keysAt(services.two).every(([key]) => key === 'key-of-two')).toBe(true);
  });

  it('two key pairs of one profile name with an order of the same number are distinguished', async () => {
    for (const service of Object.values(services)) await service.close();
    await begin('SAMEAB', 'SAMEAB');
    await store({ one: services.one.url });
    const pair = (key: string, service: SwapService) => ({
      env: { SWAPCTL_BASE_URL: service.url, SWAPCTL_PUBLIC_KEY: key, SWAPCTL_SECRET: 'sk' },
    });
    const [before, now] = [pair('k1', services.one), pair('k2', services.two)];
    for (const each of [before, now]) expect((await run(CREATE, each)).error).toBeNull();
    expect((await run(['status', 'SAMEAB'], now)).error).toBeNull();
    expect(keysAt(services.two)).toEqual([['k2', 'SAMEAB']]);
    const [, earlier] = JSON.parse((await run(['history', '--json'], now)).stdout) as { id: string }[];
    expect((await run(['status', earlier?.id ?? ''], now)).error).toMatchObject({
      code: 'no_credentials',
      message: `Profile env now uses ${new URL(services.two.url).host}, but order SAMEAB was created at ${new URL(services.one.url).host}.`,
    });
    expect(keysAt(services.two)).toHaveLength(1);
    expect((await run(['history', 'show', CREATE[5] ?? ''], now)).error?.hint).not.toContain('-p');
  });

  it.each([
    [['-p', 'two'], {}, ['ORDERB two']],
    [['--sandbox'], {}, []],
    [[], { SWAPCTL_PROFILE: 'two' }, ['ORDERA one', 'ORDERB two']],
    [[], { SWAPCTL_BASE_URL: 'http://127.0.0.1:1', SWAPCTL_PUBLIC_KEY: 'k', SWAPCTL_SECRET: 's' }, []],
  ])('lists only one profile or environment with %j and %j', async (flags, env, wanted) => {
    const [status, history] = [
      await run(['status', '--json', ...flags], { env }),
      await run(['history', '--json', ...flags], { env }),
    ];
    expect([status.error, history.error]).toEqual([null, null]);
    expect(found(status.stdout)).toEqual(wanted);
    expect(found(history.stdout).toSorted()).toEqual(wanted);
  });

  it('exits with the error of a profile that cannot be polled and still shows other swaps', async () => {
    await store({ one: services.one.url });
    const gone = await run(['status', '--json']);
    expect(found(gone.stdout)).toEqual(['ORDERA one']);
    expect(gone.error).toMatchObject({
      code: 'no_credentials',
      exitCode: 4,
      message: 'Order ORDERB: Profile two does not exist.',
    });
    await store({ one: services.one.url, two: services.one.url });
    expect((await run(['status', '--json'])).error).toMatchObject({
      exitCode: 4,
      message: `Order ORDERB: Profile two now uses ${new URL(services.one.url).host}, but order ORDERB was created at ${new URL(services.two.url).host}.`,
    });
    await store({ one: services.one.url, two: services.two.url });
    await services.two.close();
    const away = await run(['status', '--json', '--timeout', '3s', '--max-age', '0s']);
    // A service that is down hides nothing: its swaps are shown as last seen, and never as fundable.
    expect(found(away.stdout)).toEqual(['ORDERA one', 'ORDERB two']);
    expect(JSON.parse(away.stdout)).toMatchObject([
      { fundable: true },
      { fundable: false, paymentUri: null },
    ]);
    expect(away.error).toMatchObject({
      code: 'network_error',
      exitCode: 6,
      details: { order: 'ORDERB', profile: 'two' },
      message: expect.stringMatching(/^Order ORDERB of profile two: /),
      actions: [{ command: ['swapctl', 'doctor', '-p', 'two'] }],
    });
  });
});

it('history shows a profile column only for several profiles and rejects an unknown profile', async () => {
  const screen = await run(['history'], { terminals: AT_TERMINAL, columns: 120 });
  expect(screen.stdout).toMatch(/PROFILE\n(.*\n)*?.*ORDERA .* one\n/);
  const one = await run(['history', '-p', 'one'], { terminals: AT_TERMINAL, columns: 120 });
  expect(one.stdout).not.toContain('PROFILE');
  expect((await run(['history', '-p', 'nope'])).error).toMatchObject({
    code: 'no_credentials',
    message: 'Profile nope does not exist.',
  });
  await store({ one: services.one.url });
  expect(found((await run(['history', '-p', 'two', '--json'])).stdout)).toEqual(['ORDERB two']);
});

const ORDER = 'ORDER1';

it('an order whose key pair now has another profile name is found, polled, refunded, repeated and counted', async () => {
  const { home, service, run } = await deskWith();
  const stored = (args: readonly string[], input = '') => runHere(args, { home, input });
  const made = await run(['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes', '--json']);
  expect(made.error).toBeNull();
  const pair = ['--base-url', service.url, '--public-key', 'pk-of-the-tests', '--with-secret'];
  expect((await stored(['auth', 'login', '-p', 'production', ...pair], SECRET)).error).toBeNull();
  const answered = async (...args: readonly string[]) => {
    const run = await stored([...args, '--json']);
    expect([args, run.error]).toEqual([args, null]);
    return JSON.parse(run.stdout) as unknown;
  };
  for (const name of [[], ['-p', 'production']]) {
    const isOurs = { order: ORDER, profile: 'production', asked: { deposit: '0.1' } };
    expect(await answered('status', ORDER, '--max-age', '0s', ...name)).toMatchObject(isOurs);
    expect(await answered('status', '--max-age', '0s', ...name)).toMatchObject([{ order: ORDER }]);
    expect(await answered('history', 'show', ORDER, ...name)).toMatchObject({ order: ORDER });
  }
  await answered('refund', ORDER, ADDRESSES.btcRefund, '--yes', '-p', 'production');
  expect(await answered('status', ORDER, '-p', 'production')).toMatchObject({
    refundAddress: ADDRESSES.btcRefund,
  });
  expect(await answered('create', '--like', ORDER, '--dry-run')).toMatchObject({ dryRun: true });
  const [event] = (await stored(['listen', '--once', '--json'])).stdout.split('\n');
  expect(JSON.parse(event ?? '')).toMatchObject({ type: 'swap.snapshot', order: ORDER });
  expect(await answered('history')).toHaveLength(1);
});
