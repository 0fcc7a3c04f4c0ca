import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { HistoryResult, SwapResult } from '../../src/core/ledger/swap-result.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { AT_TERMINAL, type RanHere, type RunHere, runHere } from '../helpers/run-here.ts';
import { ADDRESSES } from '../helpers/swap-service.ts';
import { rewriting, tamperingProxy, wireBytes } from '../helpers/tampering-proxy.ts';
import { CHANGED, UNUSABLE, UNUSABLE_READS, XLM } from './tampering-rules.ts';

/** A create with a memo on both sides, so that a proxy can change either. */
const CREATE = ['create', 'XRP', 'XLM', '100', '--fixed', '-a', XLM, '-m', '12345', '--yes'];

const folder = await mkdtemp(join(tmpdir(), 'swapctl-tampering-'));
const rateLimit = { count: 1_000_000, windowSeconds: 60 };
// With a fixed clock, prices do not change and raise no doubt about a fixed order.
const opened = Date.now();
const sandbox = await startSandbox({ database: join(folder, 'sandbox.db'), rateLimit, now: () => opened });
const proxy = await tamperingProxy(sandbox.url);

afterAll(async () => {
  await proxy.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** One swap at the real sandbox, behind a proxy that may change its responses. */
interface Scene {
  /** The create of this swap, by its own idempotency key. */
  readonly create: readonly string[];
  /** How many creates the sandbox saw since the scene began. */
  posts(): number;
  run(args: readonly string[], more?: Partial<RunHere>): Promise<RanHere>;
  /** The same at a terminal, in one line of text. */
  screen(args: readonly string[]): Promise<string>;
  swap(args: readonly string[]): Promise<SwapResult>;
  /** The ledger entry of this swap. */
  history(): Promise<readonly HistoryResult[]>;
}

let scenes = 0;

/** Runs a scene, by default in the home that all scenes share with its ledger and coin list. */
async function inScene(
  act: (scene: Scene) => Promise<void>,
  {
    home = folder,
    env = () => ({}),
  }: { readonly home?: string; readonly env?: () => Record<string, string> } = {},
): Promise<void> {
  scenes += 1;
  const key = `k-${scenes}`;
  const { publicKey, secret } = sandbox.credentials;
  const profile = { SWAPCTL_BASE_URL: proxy.url, SWAPCTL_PUBLIC_KEY: publicKey, SWAPCTL_SECRET: secret };
  const run: Scene['run'] = async (args, more = {}) => {
    const all = { home, env: { ...profile, ...env() }, sleep: async () => undefined, ...more };
    const ran = await runHere(args, all);
    expect(`${ran.stdout}${ran.stderr}${ran.error?.message}`).not.toContain(secret);
    return ran;
  };
  const swap: Scene['swap'] = async (args) => {
    const { error, stdout } = await run([...args, '--json']);
    expect(error).toBeNull();
    return JSON.parse(stdout) as SwapResult;
  };
  const screen: Scene['screen'] = async (args) => {
    const { error, stdout } = await run(args, { terminals: AT_TERMINAL });
    expect(error).toBeNull();
    return stdout.replace(/\s+/g, ' ');
  };
  const history: Scene['history'] = async () => {
    const newest = JSON.parse((await run(['history', '--json', '--limit', '1'])).stdout) as HistoryResult[];
    return newest.filter(({ idempotencyKey }) => idempotencyKey === key);
  };
  const before = proxy.count('create-transaction');
  const posts = () => proxy.count('create-transaction') - before;
  try {
    await act({ create: [...CREATE, '--idempotency-key', key], posts, run, screen, swap, history });
  } finally {
    proxy.leaveAll();
  }
}

/** Fails if the screen tells a person to pay. */
function expectNoInstructions(screen: string): void {
  expect(screen).not.toContain('Send exactly');
  expect(screen).not.toMatch(/[▀▄█]/);
}

/** A home of its own, because creates of unknown outcome are listed first. */
const ofUnknowns = () => ({ home: join(folder, 'unknowns') });

const cases = [
  ...CHANGED,
  ...UNUSABLE.map(([name, rule]) => [name, rule, /The outcome is unknown: an order may exist/] as const),
];
it.each(cases)('a create answered with %s has an unknown outcome and is sent once', (_name, rule, says) =>
  inScene(async ({ create, run, history, posts }) => {
    proxy.tamper('create-transaction', rule);
    const { error, stdout } = await run(create, { terminals: AT_TERMINAL });
    expect([error?.code, error?.exitCode, stdout]).toEqual(['outcome_unknown', 7, '']);
    expect(error?.message).toMatch(says);
    expect(error?.hint).toMatch(/costs nothing/);

    proxy.tamper('create-transaction', null);
    const again = await run([...create, '--json']);
    expect([again.error?.exitCode, again.stdout]).toEqual([7, '']);
    expect(await history()).toMatchObject([{ outcome: 'unknown', fundable: false, paymentUri: null }]);
    expect(posts()).toBe(1);
  }, ofUnknowns()),
);

describe('an order whose later responses a proxy changes to', () => {
  it.each(CHANGED)('%s is not fundable, and the ledger keeps the agreed swap', (_name, rule, says) =>
    inScene(async ({ create, run, screen, swap, history, posts }) => {
      const made = await swap(create);
      expect(made).toMatchObject({ fundable: true, doubts: [] });
      const order = made.order ?? '';
      proxy.tamper('get-transaction', rule);

      const status = await run(['status', order, '--json']);
      expect(status.stderr).toMatch(says);
      expect(status.stderr).toContain('Do not fund it. Ask the service.');
      expect(JSON.parse(status.stdout)).toMatchObject({ fundable: false, paymentUri: null });
      expect(await screen(['status', order])).toMatch(/^ Mismatch: [a-z_, ]+\. Do not send anything\./);

      const watched = await onePoll(run, order);
      expect(watched.stderr).toMatch(says);
      expect(JSON.parse(watched.stdout.split('\n')[0] ?? '').swap).toMatchObject({ fundable: false });

      expectNoInstructions(await screen(create));
      expect(await swap(create)).toMatchObject({ order, replayed: true, fundable: false, paymentUri: null });
      expect((await run(['refund', order, ADDRESSES.xrp, '--yes', '--json'])).stderr).toMatch(says);

      const { address, memo, amount } = made.deposit;
      expect(await history()).toMatchObject([
        { outcome: 'created', fundable: false, deposit: { address, memo, amount }, receive: made.receive },
      ]);
      expect(posts()).toBe(1);
    }),
  );

  it.each([
    ...UNUSABLE_READS,
    ['another order number', rewriting((seen) => Object.assign(seen, { orderNumber: 'OTHERS' }))] as const,
  ])('%s cannot be polled and is not fundable', (_name, rule) =>
    inScene(async ({ create, run, screen, swap, history, posts }) => {
      const made = await swap(create);
      proxy.tamper('get-transaction', rule);
      const status = await run(['status', made.order ?? '', '--json']);
      expect([status.error?.exitCode, status.stdout]).toEqual([6, '']);
      expectNoInstructions(await screen(create));
      expect(await swap(create)).toMatchObject({ order: made.order, replayed: true, fundable: false });
      expect(await history()).toMatchObject([{ outcome: 'created', deposit: made.deposit }]);
      expect(posts()).toBe(1);
    }),
  );
});

/** Watches an order until its first output, when the timeout ends. */
function onePoll(run: Scene['run'], order: string): Promise<RanHere> {
  let elapsed = 0;
  return run(['status', order, '--watch', '--timeout', '1h', '--budget', '9999/60s', '--json'], {
    monotonic: () => elapsed,
    sleep: () => new Promise(setImmediate),
    onOutput: () => (elapsed = 3_600_000),
  });
}

it.each([...UNUSABLE_READS, ['another rate', rewriting((quote) => (quote.exchangeRate *= 10))] as const])(
  'a quote that a proxy changes to %s is rejected, and no create is sent',
  (_name, rule) =>
    inScene(async ({ create, run, history, posts }) => {
      proxy.tamper('exchange-coin', rule);
      for (const args of [['quote', 'XRP', 'XLM', '100', '--json'], create]) {
        const { error, stdout } = await run(args);
        expect([error?.exitCode, stdout]).toEqual([6, '']);
      }
      expect(posts()).toBe(0);
      expect(await history()).toEqual([]);
    }),
);

it.each(UNUSABLE_READS)('a coin list that becomes %s is rejected', async (_name, rule) =>
  inScene(
    async ({ create, run, posts }) => {
      proxy.tamper('get-all-coins', rule);
      for (const args of [['coins', '--json'], create]) {
        const { error, stdout } = await run(args);
        expect([error?.exitCode, stdout]).toEqual([6, '']);
      }
      expect(posts()).toBe(0);
    },
    { home: await temporaryFolder() },
  ),
);

describe('the response to a create', () => {
  it('sent twice by a proxy makes one swap', () =>
    inScene(async ({ create, swap, history, posts }) => {
      proxy.tamper('create-transaction', (answer) => ({ bytes: wireBytes(answer) + wireBytes(answer) }));
      const made = await swap(create);
      expect(made.fundable).toBe(true);
      expect(await history()).toMatchObject([{ outcome: 'created', order: made.order }]);
      expect(posts()).toBe(1);
    }));

  it('with another valid deposit address is detected only by a poll without the proxy', () =>
    inScene(async ({ create, run, swap }) => {
      proxy.tamper(
        'create-transaction',
        rewriting(({ pairs }) => (pairs.deposit.address = ADDRESSES.xrpDeposit)),
      );
      const made = await swap(create);
      expect(made).toMatchObject({ fundable: true, deposit: { address: ADDRESSES.xrpDeposit } });
      const { stderr, stdout } = await run(['status', made.order ?? '', '--json']);
      expect(stderr).toMatch(/deposit address is now r\w+ instead of rN7n\w+/);
      expect(JSON.parse(stdout)).toMatchObject({ fundable: false, doubts: ['deposit_changed'] });
    }));
});

it('responses that a proxy from HTTP_PROXY changed are detected like those of a base URL', () =>
  inScene(
    async ({ create, run, swap, posts }) => {
      const made = await swap(create);
      expect(made.fundable).toBe(true);
      const [, changed] = CHANGED[0] ?? [];
      proxy.tamper('get-transaction', changed ?? null);
      expect(await swap(['status', made.order ?? ''])).toMatchObject({ fundable: false });
      proxy.tamper('create-transaction', changed ?? null);
      expect((await run(CREATE)).error?.exitCode).toBe(7);
      expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(sandbox.url).host]));
      expect(posts()).toBe(2);
    },
    { env: () => ({ SWAPCTL_BASE_URL: sandbox.url, HTTP_PROXY: proxy.url }) },
  ));
