import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { listenCommand } from '../../../../src/cli/commands/listen/listen.ts';
import { LISTEN_SHAPE } from '../../../../src/cli/commands/listen/shape.ts';
import { rawServer } from '../../../helpers/raw-server.ts';
import { AT_TERMINAL, pausedClock } from '../../../helpers/run-here.ts';
import { SECRET } from '../../../helpers/scene.ts';
import { itReads, optionsOf } from '../options.ts';
import { linesOf, openShop, type Shop, tellTales } from './shop.ts';

async function shopWith(...orders: readonly string[]): Promise<Shop> {
  const shop = await openShop();
  for (const order of orders) await shop.create(order);
  return shop;
}

const ONCE = ['listen', '--once', '--json'];

describe('swapctl listen --once', () => {
  it.each([0, 2])('prints each open swap, then the changes; clock set back %i h', async (hours) => {
    const shop = await shopWith('AAAAAA', 'BBBBBB');
    shop.statuses.set('BBBBBB', 1);
    const setBack = () => (shop.service.count('get-transaction') > 0 ? hours * 3_600_000 : 0);
    const run = await shop.run(ONCE, { now: () => Date.now() - setBack() });
    expect(run.error).toBeNull();
    expect(tellTales(linesOf(run)).join(', ')).toBe(
      'AAAAAA 1 swap.snapshot, BBBBBB 1 swap.snapshot, BBBBBB 2 swap.confirmation',
    );
    const [snapshot, , event] = linesOf(run);
    expect(Object.keys(snapshot ?? {})).toEqual(Object.keys(event ?? {}));
    expect([snapshot?.id, snapshot?.data.swap?.status]).toEqual([null, 'new']);
    expect(shop.service.count('get-transaction')).toBe(2);
    const again = await shop.run(ONCE);
    expect(tellTales(linesOf(again))).toEqual(['AAAAAA 1 swap.snapshot', 'BBBBBB 2 swap.snapshot']);
  });

  it('exits with 8 if a named order is still open when --timeout ends', async () => {
    const shop = await shopWith('AAAAAA');
    const run = await shop.run(['listen', 'AAAAAA', '--json', '--timeout', '1m'], {
      monotonic: () => (shop.service.count('get-transaction') > 0 ? 60_000 : 0),
    });
    expect(run.error).toMatchObject({ code: 'still_open', exitCode: 8 });
  });

  it('exits with 6 if --timeout leaves no time to poll every swap', async () => {
    const shop = await shopWith('AAAAAA', 'BBBBBB');
    const run = await shop.run([...ONCE, '--timeout', '1m', '--budget', '1/10m'], pausedClock(Date.now()));
    expect(run.error).toMatchObject({ code: 'timeout', exitCode: 6 });
    expect(shop.service.count('get-transaction')).toBe(1);
  });

  it('reports an open swap as fundable only if last seen within thirty seconds', async () => {
    const shop = await shopWith('AAAAAA');
    const seenAgo = async (seconds: number) => {
      const run = await shop.run(ONCE, { now: () => Date.now() + seconds * 1000 });
      const { data } = linesOf(run)[0] ?? {};
      return [data?.swap?.fundable, data?.swap?.paymentUri];
    };
    expect(await seenAgo(20)).toEqual([true, expect.stringContaining('bitcoin:')]);
    expect(await seenAgo(20 + 31)).toEqual([false, null]);
  });

  it('prints tab-separated lines in a pipe and readable lines on a terminal', async () => {
    const shop = await shopWith('AAAAAA');
    shop.statuses.set('AAAAAA', 1);
    const pipe = await shop.run(['listen', '--once']);
    expect(pipe.stdout).toMatch(
      /^\S+\tAAAAAA\t1\tswap\.snapshot\tnew\t9\t\t.*\n\S+\tAAAAAA\t2\tswap\.confirmation\tconfirmation\t1\tnew\t.*\n$/,
    );
    shop.statuses.set('AAAAAA', 4);
    const screen = await shop.run(['listen', '--once'], { terminals: AT_TERMINAL, columns: 120 });
    expect(screen.stdout.split('\n').map((line) => line.replace(/\d\d:\d\d:\d\d|evt_\w+/, '…'))).toEqual([
      ' …  AAAAAA  swap.snapshot  confirmation  0.1 BTC → 2.5 ETH',
      expect.stringMatching(
        /^ …\s{2}AAAAAA\s{2}swap\.success\s{2}was confirmation\s{2}0\.1 BTC → 2\.5 ETH\s{2}evt_\w{24}$/,
      ),
      '',
    ]);
  });

  it('delivers signed webhooks only for events since it first ran', async () => {
    const shop = await shopWith('AAAAAA');
    const { url, requests } = await rawServer((_, response) => response.writeHead(204).end());
    const listen = [...ONCE, '--forward-to', `${url}/hook`];
    expect((await shop.run(listen)).error).toBeNull();
    expect(requests).toEqual([]);
    shop.statuses.set('AAAAAA', 1);
    await shop.create('BBBBBB');
    const run = await shop.run(listen);
    const secret = (await shop.run(['listen', '--print-secret'])).stdout.trimEnd();
    const received = requests.map(
      ({ body, headers }) =>
        new Webhook(secret).verify(body, headers as Record<string, string>) as { id: string },
    );
    const printed = linesOf(run).filter(({ id }) => id !== null);
    expect(tellTales(printed)).toEqual(['AAAAAA 2 swap.confirmation']);
    expect(received).toMatchObject([{ order: 'BBBBBB', sequence: 1, type: 'swap.new' }, { ...printed[0] }]);
    const listed = JSON.parse((await shop.run(['events', 'list', '--json'])).stdout);
    const states = listed.map(
      ({ order, sequence, delivery }: Record<string, unknown>) => `${order} ${sequence} ${delivery}`,
    );
    expect(states).toEqual(['AAAAAA 2 delivered', 'BBBBBB 1 delivered', 'AAAAAA 1 none']);
  });

  it('reports a rejected delivery and does not retry it before its delay is over', async () => {
    const shop = await shopWith('AAAAAA');
    const { url, requests } = await rawServer((_, response) => response.writeHead(500).end('\u001b[31m'));
    const listen = () => shop.run([...ONCE, '--forward-to', url]);
    await listen();
    shop.statuses.set('AAAAAA', 1);
    const refused = 'swap.confirmation of AAAAAA was not delivered: responded with 500.\n';
    expect((await listen()).stderr).toContain(`\n${refused}`);
    await listen();
    expect(requests).toHaveLength(1);
  });

  it('passes each event to the --exec command without the secret, and delivers it if that exits with 0', async () => {
    const shop = await shopWith('AAAAAA');
    const said = join(shop.home, 'said');
    const command = `env > ${said}.env; cat >> ${said}; [ "$SWAPCTL_EVENT_TYPE $SWAPCTL_ORDER $SWAPCTL_STATUS" = "swap.confirmation AAAAAA confirmation" ]`;
    const listen = [...ONCE, '--exec', command];
    const env = { ...shop.env, PATH: process.env['PATH'] ?? '' };
    await shop.run(listen, { env });
    shop.statuses.set('AAAAAA', 1);
    const { stdout } = await shop.run(listen, { env });
    const event = linesOf({ stdout }).at(-1);
    expect(JSON.parse(readFileSync(said, 'utf8'))).toEqual(event);
    const seen = readFileSync(`${said}.env`, 'utf8');
    expect(seen).toContain(`SWAPCTL_EVENT_ID=${event?.id}\n`);
    expect(seen.includes(SECRET)).toBe(false);
    const shown = JSON.parse((await shop.run(['events', 'show', event?.id ?? '', '--json'])).stdout);
    expect(shown).toMatchObject({ delivery: 'delivered', deliveries: [{ target: 'exec', error: null }] });
    shop.statuses.set('AAAAAA', 3);
    const refused = 'swap.exchanging of AAAAAA was not delivered: the command ended with 1';
    expect((await shop.run(listen, { env })).stderr).toContain(refused);
  });

  it('prints and delivers only the types of --events and does not queue the others', async () => {
    const shop = await shopWith('AAAAAA');
    const { url, requests } = await rawServer((_, response) => response.writeHead(204).end());
    const listen = [...ONCE, '--forward-to', url, '--events', 'swap.s*,swap.error'];
    const lines: string[] = [];
    for (const status of [9, 1, 3, 4]) {
      shop.statuses.set('AAAAAA', status);
      lines.push(...tellTales(linesOf(await shop.run(listen))).filter((line) => !line.endsWith('snapshot')));
    }
    expect(lines).toEqual(['AAAAAA 4 swap.success']);
    expect(requests.map(({ body }) => JSON.parse(body).type)).toEqual(['swap.success']);
    const listed = JSON.parse((await shop.run(['events', 'list', '--undelivered', '--json'])).stdout);
    expect(listed).toEqual([]);
  });

  it('is limited to the named orders and records an order created elsewhere', async () => {
    const shop = await shopWith('AAAAAA', 'BBBBBB');
    for (const order of ['AAAAAA', 'BBBBBB', 'ELSEWHERE']) shop.statuses.set(order, 1);
    const run = await shop.run([...ONCE, 'BBBBBB', 'ELSEWHERE']);
    // The oldest first: the service says of the one made elsewhere when that was.
    expect(tellTales(linesOf(run)).join(', ')).toBe(
      'ELSEWHERE 1 swap.snapshot, BBBBBB 1 swap.snapshot, BBBBBB 2 swap.confirmation',
    );
    const unknown = await shop.run([...ONCE, 'NOTHERE']);
    expect([unknown.stdout, unknown.error?.code]).toEqual(['', 'not_found']);
  });

  it('polls and delivers the other swaps when a poll fails, and exits with 6', async () => {
    const shop = await shopWith('AAAAAA', 'BBBBBB');
    shop.statuses.set('AAAAAA', null).set('BBBBBB', 1);
    const run = await shop.run(ONCE, { sleep: () => new Promise(setImmediate) });
    expect(tellTales(linesOf(run)).at(-1)).toBe('BBBBBB 2 swap.confirmation');
    expect(run.error).toMatchObject({ code: 'service_error', exitCode: 6 });
  });
});

it('swapctl listen --print-secret prints the stable signing secret of the profile without a request', async () => {
  const shop = await shopWith();
  const first = await shop.run(['listen', '--print-secret']);
  expect(first.stdout).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
  const json = await shop.run(['listen', '--print-secret', '--json']);
  expect(JSON.parse(json.stdout)).toEqual({ profile: 'env', secret: first.stdout.trimEnd() });
  expect(shop.service.requests).toEqual([]);
});

describe('the flags of swapctl listen', () => {
  const nothing = {
    orders: [],
    forwardTo: null,
    exec: null,
    types: null,
    once: false,
    metricsPort: null,
    printSecret: false,
    intervalMs: null,
    budget: null,
  };
  itReads(listenCommand, 'listen', [
    ['', nothing],
    ['A B A', { ...nothing, orders: ['A', 'B'] }],
    ['--forward-to https://shop.example.com/h', { ...nothing, forwardTo: 'https://shop.example.com/h' }],
    ['--forward-to http://127.0.0.1:8080', { ...nothing, forwardTo: 'http://127.0.0.1:8080' }],
    ['--exec ./hook.sh --once', { ...nothing, exec: './hook.sh', once: true }],
    ['--events swap.*,create.unknown', { ...nothing, types: ['swap.*', 'create.unknown'] }],
    ['--metrics-port 0 -i 2.5', { ...nothing, metricsPort: 0, intervalMs: 2500 }],
    ['--budget 30/10s', { ...nothing, budget: { requests: 30, durationMs: 10_000 } }],
    ['--print-secret', { ...nothing, printSecret: true }],
    ['--print-secret --once', 'usage: --print-secret cannot be combined with other flags of listen.'],
    [
      '--forward-to http://shop.example.com/h',
      "error: option '--forward-to <url>' argument 'http://shop.example.com/h' is invalid. The URL must start with https: (http: is allowed only for loopback addresses).",
    ],
    [
      '--events swap.sucess',
      "error: option '--events <types>' argument 'swap.sucess' is invalid. Unknown event type swap.sucess. Choose from swap.new, swap.confirmation, swap.exchanging, swap.success, swap.overdue, swap.error, swap.pause, swap.frozen, swap.refund, swap.unknown, swap.doubtful, create.unknown, approval.requested, approval.granted.",
    ],
  ]);

  it('include every event type listed in the help', async () => {
    const types = LISTEN_SHAPE.operations['listen']?.values?.['--events'] ?? [];
    expect(types).toContain('approval.granted');
    expect(await optionsOf(listenCommand, ['listen', '--events', types.join(',')])).toMatchObject({ types });
  });

  it.each([
    ['--exec', ['', ' \t'], 'Use a shell command'],
    ['--events', ['', ' ', 'swap.success,', ',swap.new'], 'Use comma-separated event types'],
    ['--forward-to', ['', ' '], 'Use a URL'],
  ])('reject a blank %s', async (flag, blanks, words) => {
    for (const blank of blanks)
      expect(await optionsOf(listenCommand, ['listen', flag, blank])).toEqual(expect.stringContaining(words));
  });
});
