import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { profileAt } from '../../helpers/scene.ts';
import {
  ADDRESSES,
  createdAs,
  type SwapService,
  startSwapService,
  wireSwapIn,
} from '../../helpers/swap-service.ts';

const NOW = Date.parse('2026-01-31T12:10:00.000Z');
let home: string;

beforeEach(async () => {
  home = await temporaryFolder();
});

const run = (args: readonly string[], more: object = {}) =>
  runHere(args, { home, now: () => NOW, sleep: async () => undefined, ...more });

it('swapctl without arguments suggests commands and creates no file', async () => {
  const { stdout, stderr, error } = await run([], { terminals: AT_TERMINAL });
  expect([error, stderr]).toEqual([null, '']);
  expect(stdout).toContain('Profile         sandbox (the built-in service)');
  expect(stdout).toContain('Open swaps      0');
  expect(stdout).toMatch(/swapctl quote BTC ETH 0\.1 .*\n.*swapctl create .*\n.*swapctl auth login /);
  expect(stdout.split('\n').length).toBeLessThan(14);
  expect(readdirSync(home)).toEqual([]);
});

describe('swapctl without arguments but with a ledger', () => {
  let service: SwapService;
  let order: string | null;
  let status: number;

  beforeEach(async () => {
    status = 9;
    service = await startSwapService({
      'create-transaction': (seen, response, request) => {
        if (order === null) response.destroy();
        else createdAs((swap) => Object.assign(swap, { orderNumber: order }))(seen, response, request);
      },
      'get-transaction': ({ query }, response) =>
        sendJson(response, 200, { ...wireSwapIn(status, query.get('id') ?? ''), txId: 'd0' }),
    });
  });
  afterEach(() => service.close());

  async function create(made: string | null): Promise<void> {
    order = made;
    await run(['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes', '--no-qr'], {
      env: profileAt(service.url),
    });
  }

  it('counts open and unknown swaps and those needing attention, without a request', async () => {
    await create('OPEN');
    await create('PAUSED');
    status = 10;
    await run(['status', 'PAUSED'], { env: profileAt(service.url) });
    await create(null);
    const env = profileAt(service.url);
    const asked = service.requests.length;
    const { stdout, error } = await run(['--json'], { env });
    expect(error).toBeNull();
    expect(JSON.parse(stdout)).toMatchObject({
      profile: 'env',
      baseUrl: service.url,
      open: 2,
      needAttention: 1,
      unknown: 1,
      next: [
        { command: ['swapctl', 'status', '--attention'] },
        { command: ['swapctl', 'status', '--watch'] },
        { command: ['swapctl', 'quote', 'BTC', 'ETH', '0.1'] },
      ],
    });
    const sandbox = await run(['--sandbox', '--json']);
    expect(JSON.parse(sandbox.stdout)).toMatchObject({ profile: 'sandbox', open: 0, unknown: 0 });
    const all = await run([]);
    expect(all.stdout).toMatch(/^open\t2$/m);
    expect(all.stdout).toMatch(/^next\tswapctl status --attention$/m);
    const quiet = ['history', 'note', 'PAUSED', 'asked the service', '--until', '2026-02-02T00:00:00Z'];
    expect((await run(quiet, { env })).error).toBeNull();
    const noted = await run(['--json'], { env });
    expect(JSON.parse(noted.stdout)).toMatchObject({ open: 2, needAttention: 0, unknown: 1 });
    expect(service.requests.length).toBe(asked);
  });
});
