import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import { NO_MORE_ROOM, tamper } from '../../helpers/ledger-damage.ts';
import { startProgram } from '../../helpers/program.ts';
import { scriptedPrompter } from '../../helpers/prompter.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import type { RanHere } from '../../helpers/run-here.ts';
import { AT_TERMINAL } from '../../helpers/run-here.ts';
import { profileAt } from '../../helpers/scene.ts';
import type { Plan } from '../../helpers/swap-service.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';
import type { Desk } from './desk.ts';
import { amountOf, amounts, created, endsOf, openDesk, resultsOf } from './desk.ts';

const open: Desk[] = [];

afterEach(async () => {
  for (const desk of open.splice(0)) await desk.service.close();
});

async function deskWith(plan: Plan = {}): Promise<Desk> {
  const desk = await openDesk(plan);
  open.push(desk);
  return desk;
}

/** A plan whose creates of some amounts end otherwise. */
function except(ends: Readonly<Record<number, 'refused' | 'lost' | 'limited'>>): Plan {
  const well = created();
  return {
    'create-transaction': (seen, response, request) => {
      const end = ends[amountOf(seen)];
      if (end === 'lost') request.socket.destroy();
      else if (end === 'refused')
        sendJson(response, 400, { statusCode: 400, message: 'Invalid withdrawal address.' });
      else if (end === 'limited') sendJson(response, 429, { statusCode: 429, message: 'Too many.' });
      else well(seen, response, request);
    },
  };
}

const YES = ['--yes', '--json'];

function ledgerOf({ home }: Desk): string {
  return join(home, '.local', 'state', 'swapctl', 'ledger.db');
}

/** For files that would otherwise wait for their turns. */
const AT_ONCE = ['--budget', '9999/60s'];

describe('a batch', () => {
  it('creates a swap for each row, and the same file again creates none', async () => {
    const desk = await deskWith();
    const file = desk.file('rows.csv', amounts('0.1', '0.2', '0.1', '0.10'));
    const first = await desk.run(['batch', file, ...YES]);
    expect(first.error).toBeNull();
    expect(resultsOf(first).map(({ row, outcome, error }) => [row, outcome, error])).toEqual(
      [1, 2, 3, 4].map((row) => [row, 'created', null]),
    );
    expect(Object.keys(resultsOf(first)[0] ?? {})).toEqual([
      'row',
      'idempotencyKey',
      'outcome',
      'swap',
      'error',
    ]);
    expect(new Set(resultsOf(first).map(({ swap }) => swap?.order)).size).toBe(4);
    // Equal rows are told apart by their numbers.
    const keys = resultsOf(first).map(({ idempotencyKey }) => idempotencyKey);
    const content = keys[0]?.replace(/-1$/, '');
    expect([keys[2], keys[3]]).toEqual([`${content}-2`, `${content}-3`]);
    expect(content).toMatch(/^batch-[0-9a-f]{32}$/);
    const requests = desk.service.requests.length;
    const again = await desk.run(['batch', file, ...YES]);
    expect(again.error).toBeNull();
    expect(endsOf(again)).toEqual(endsOf(first));
    expect(desk.service.posts()).toBe(4);
    // Nothing is asked for a row that has its swap.
    expect(desk.service.requests.length).toBe(requests);
    expect(again.stderr).toContain('Created before  4, the last at ');
  });

  it('goes on with what is added, whatever else of a row is changed by then', async () => {
    const desk = await deskWith();
    const { eth } = ADDRESSES;
    const head = 'from,to,amount,address';
    await desk.run([
      'batch',
      desk.file('a.csv', `${head}\nBTC,ETH,0.1,${eth}\nBTC,ETH,0.2,${eth}\n`),
      ...YES,
    ]);
    const more = `${head},label.n,type,min_receive\nbtc,eth,0.20,${eth},1,float,9\n BTC ,ETH,0.1,${eth},2,,\nBTC,ETH,0.1,${eth},3,,\n`;
    const run = await desk.run(['batch', desk.file('b.csv', more), ...YES]);
    expect(run.error).toBeNull();
    expect(desk.service.posts()).toBe(3);
    expect(resultsOf(run).map(({ swap }) => swap?.labels)).toEqual([{}, {}, { n: '3' }]);
  });

  it('knows a row again however its coins, amount and address are written', async () => {
    const desk = await deskWith();
    const { eth } = ADDRESSES;
    const head = 'from,to,amount,address\n';
    const first = desk.file('a.csv', `${head}BTC,ETH:ERC20,0.1,${eth.toLowerCase()}\n`);
    expect((await desk.run(['batch', first, ...YES])).error).toBeNull();
    const again = `${head}btc:BTC,eth,0.100,${eth}\nBTC,ETH:ETH,0.1,${eth}\n`;
    const run = await desk.run(['batch', desk.file('b.csv', again), ...YES]);
    expect(endsOf(run)).toEqual([
      [1, 'created', 'ORDER1'],
      [2, 'created', 'ORDER2'],
    ]);
    expect(desk.service.posts()).toBe(2);
  });

  it('goes on with a file that the version before began, whose keys were made of the text of a row', async () => {
    const desk = await deskWith(except({ 0.3: 'lost' }));
    const { eth } = ADDRESSES;
    const keyOf = (network: string | null, amount: string, number: number) => {
      const text = JSON.stringify(['BTC', null, 'ETH', network, amount, 'deposit', eth, null]);
      return `batch-${createHash('sha256').update(text).digest('hex').slice(0, 32)}-${number}`;
    };
    const create = (amount: string, key: string) =>
      desk.run(['create', 'BTC', 'ETH', amount, '-a', eth, ...YES, '--idempotency-key', key]);
    const keys = [keyOf(null, '0.1', 1), keyOf('ERC20', '0.1', 1), keyOf(null, '0.3', 1)];
    await create('0.1', keys[0] ?? '');
    await create('0.1', keys[1] ?? '');
    await create('0.3', keys[2] ?? '');
    const rows = ['ETH,0.1', 'ETH:ERC20,0.1', 'ETH,0.3', 'ETH:ETH,0.1', 'ETH,0.1'];
    const text = rows.map((row) => `BTC,${row},${eth}\n`).join('');
    const file = desk.file('rows.csv', `from,to,amount,address\n${text}`);
    const run = await desk.run(['batch', file, ...YES]);
    expect(endsOf(run)).toEqual([
      [1, 'created', 'ORDER1'],
      [2, 'created', 'ORDER2'],
      [3, 'unknown', null],
      [4, 'created', 'ORDER3'],
      [5, 'created', 'ORDER4'],
    ]);
    expect(
      resultsOf(run)
        .map(({ idempotencyKey }) => idempotencyKey)
        .slice(0, 3),
    ).toEqual(keys);
    const again = await desk.run(['batch', file, ...YES]);
    expect(endsOf(again)).toEqual(endsOf(run));
    expect(desk.service.posts()).toBe(5);
    // However it is written by now, and in whatever order.
    const other = rows.toReversed().map((row) => `btc:BTC,${row.toLowerCase()}0,${eth.toLowerCase()}\n`);
    const respelled = `from,to,amount,address\n${other.join('').replaceAll('eth:eth', 'eth:eip155:1')}`;
    const last = await desk.run(['batch', desk.file('other.csv', respelled), ...YES]);
    expect(last.error?.exitCode).toBe(7);
    expect(endsOf(last).map(([, outcome, order]) => order ?? outcome)).toEqual([
      ...['ORDER1', 'ORDER2', 'unknown', 'ORDER3', 'ORDER4'],
    ]);
    expect(desk.service.posts()).toBe(5);
  });

  it('warns of a row that repeats a swap of the last ten minutes, and not of the rows of its own file', async () => {
    const desk = await deskWith();
    await desk.run(['create', 'BTC', 'ETH', '0.10', '-a', ADDRESSES.eth, ...YES]);
    const file = desk.file('rows.csv', amounts('0.1', '0.2'));
    const review = await desk.run(['batch', file, '--dry-run', '--json']);
    expect((JSON.parse(review.stdout) as { warnings: unknown }).warnings).toEqual([
      {
        row: 1,
        warning: expect.stringMatching(
          /^Order ORDER1 of .* is the same swap: the same coins, amount, address and memo\. This one would be a second\.$/,
        ),
      },
    ]);
    await desk.run(['batch', desk.file('two.csv', amounts('0.3')), ...YES]);
    const more = await desk.run([
      'batch',
      desk.file('two.csv', amounts('0.3', '0.3')),
      '--dry-run',
      '--json',
    ]);
    expect(JSON.parse(more.stdout)).toMatchObject({ createdBefore: 1, toCreate: 1, warnings: [] });
  });

  it('tells a refused row, an unknown one and those that were created, and exits with 7', async () => {
    const desk = await deskWith(except({ 0.2: 'refused', 0.3: 'lost' }));
    const file = desk.file('rows.csv', amounts('0.1', '0.2', '0.3', '0.4'));
    const run = await desk.run(['batch', file, ...YES]);
    expect(resultsOf(run).map(({ row, outcome, error }) => [row, outcome, error?.code ?? null])).toEqual([
      [1, 'created', null],
      [2, 'refused', 'invalid_withdrawal_address'],
      [3, 'unknown', 'outcome_unknown'],
      [4, 'created', null],
    ]);
    expect(run.error).toMatchObject({
      ...{ code: 'outcome_unknown', exitCode: 7, outcome: 'unknown', retryable: false },
      details: { rows: 4, created: 2, unknown: 1, refused: 1, notSent: 0 },
    });
    expect(`${run.error?.message} ${run.error?.hint}`).toMatch(
      /an order may exist.*costs nothing.*fund only an address that swapctl showed you/,
    );
    // The refused row is tried again, the unknown one never.
    expect(desk.service.posts()).toBe(4);
    const again = await desk.run(['batch', file, ...YES]);
    expect(endsOf(again).map(([, outcome]) => outcome)).toEqual(['created', 'refused', 'unknown', 'created']);
    expect(desk.service.posts()).toBe(5);
    expect(again.error?.exitCode).toBe(7);
  });

  it('exits with 5 where rows were not created and none is unknown', async () => {
    const desk = await deskWith(except({ 0.2: 'refused' }));
    const run = await desk.run(['batch', desk.file('rows.csv', amounts('0.1', '0.2')), ...YES]);
    expect(run.error).toMatchObject({
      ...{ code: 'rejected', exitCode: 5, retryable: true },
      message: '1 of 2 rows was not created. 1 created, 1 refused.',
      details: { rows: 2, created: 1, unknown: 0, refused: 1, notSent: 0 },
    });
  });

  it('stops after five unknown outcomes in a row', async () => {
    const lost = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [index + 1, 'lost'] as const));
    const desk = await deskWith(except(lost));
    const run = await desk.run([
      'batch',
      desk.file('rows.csv', amounts(...Object.keys(lost))),
      ...YES,
      ...AT_ONCE,
    ]);
    const outcomes = resultsOf(run).map(({ outcome }) => outcome);
    const sent = outcomes.filter((outcome) => outcome === 'unknown').length;
    // Those that were under way with the fifth are sent too.
    expect(sent).toBeGreaterThanOrEqual(5);
    expect(sent).toBeLessThanOrEqual(9);
    expect(desk.service.posts()).toBe(sent);
    expect(outcomes.slice(sent)).toEqual(Array.from({ length: 30 - sent }, () => 'not-sent'));
    expect(resultsOf(run).at(-1)?.error).toMatchObject({
      message: expect.stringMatching(/^Not tried, for the batch was stopped: The outcome is unknown/),
    });
    expect(run.error).toMatchObject({ exitCode: 7, details: { unknown: sent, notSent: 30 - sent } });
  });

  it('stops at once where the key pair is refused', async () => {
    const refused: Plan = {
      'create-transaction': (_, response) =>
        sendJson(response, 403, { statusCode: 403, message: 'Invalid signature.' }),
    };
    const desk = await deskWith(refused);
    const values = Array.from({ length: 40 }, (_, index) => index + 1);
    const run = await desk.run(['batch', desk.file('rows.csv', amounts(...values)), ...YES, ...AT_ONCE]);
    expect(desk.service.posts()).toBeLessThanOrEqual(9);
    expect(run.error).toMatchObject({ code: 'rejected', exitCode: 5, details: { created: 0 } });
  });

  it('sends nothing where the service cannot be reached, or the ledger not be opened', async () => {
    const desk = await deskWith({
      'exchange-coin': (_, response) =>
        sendJson(response, 500, { statusCode: 500, message: 'Server error.' }),
    });
    const file = desk.file('rows.csv', amounts('0.1'));
    const down = await desk.run(['batch', file, ...YES], { sleep: async () => undefined });
    expect(down.error).toMatchObject({ code: 'service_error', exitCode: 6 });
    const ledger = await desk.run(['batch', file, ...YES], {
      env: { SWAPCTL_LEDGER: '/dev/null/ledger.db' },
    });
    expect(ledger.error).toMatchObject({ code: 'storage_failed', exitCode: 11 });
    expect(desk.service.posts()).toBe(0);
  });

  it('leaves a row unsent whose price fell by more than the tolerance since the review', async () => {
    let rate = 25;
    let quotes = 0;
    const desk = await deskWith({
      'exchange-coin': ({ query }, response) => {
        quotes += 1;
        const amount = Number(query.get('amount'));
        // The first two are for the review.
        const exchangeRate = quotes <= 2 ? 25 : rate;
        const pair = `${query.get('coinFrom')}_${query.get('coinTo')}`;
        sendJson(response, 200, {
          pair,
          amount,
          exchangeRate,
          receive: amount * exchangeRate,
          minAmount: 0.001,
          maxAmount: 100,
        });
      },
    });
    const file = desk.file('rows.csv', amounts('0.1', '0.2'));
    rate = 24.7;
    const run = await desk.run(['batch', file, ...YES]);
    expect(desk.service.posts()).toBe(0);
    expect(resultsOf(run).map(({ outcome, error }) => [outcome, error?.message])).toEqual(
      ['reviewed 2.5 ETH, now 2.47 ETH', 'reviewed 5 ETH, now 4.94 ETH'].map((prices) => [
        'not-sent',
        `The price got worse by more than the 1 % of --tolerance while the swap was prepared: ${prices} (−1.2 %).`,
      ]),
    );
    expect(run.error?.exitCode).toBe(5);
    quotes = 0;
    const accepted = await desk.run(['batch', file, ...YES, '--tolerance', '2%']);
    expect(accepted.error).toBeNull();
    expect(desk.service.posts()).toBe(2);
  });

  it('holds a fixed rate, and an amount to receive, against a quote of its own', async () => {
    const quotes = new Map<string, number>();
    const desk = await deskWith({
      'exchange-coin': ({ query }, response) => {
        const asked = `${query.get('typeSwap')} ${query.get('lastSource')} ${query.get('amount')}`;
        quotes.set(asked, (quotes.get(asked) ?? 0) + 1);
        const later = quotes.get(asked) === 1 ? 1 : 1.001;
        const wanted = Number(query.get('amount'));
        const pair = 'BTC_ETH';
        const [amount, receive] =
          query.get('lastSource') === 'receive'
            ? [(wanted / 25) * later, wanted]
            : [wanted, (wanted * 25) / later];
        sendJson(response, 200, {
          pair,
          amount,
          receive,
          exchangeRate: receive / amount,
          minAmount: 0.001,
          maxAmount: 0,
        });
      },
    });
    const { eth } = ADDRESSES;
    const rows = [
      '{"type":"fixed","amount":0.1',
      '{"type":"fixed","amount":5,"receive":true',
      '{"amount":5,"receive":true',
    ];
    const text = rows.map((row) => `${row},"from":"BTC","to":"ETH","address":"${eth}"}\n`).join('');
    const run = await desk.run(['batch', desk.file('rows', text), ...YES]);
    expect(resultsOf(run).map(({ outcome, error }) => [outcome, error?.code ?? null])).toEqual([
      ['not-sent', 'invalid_amount'],
      ['not-sent', 'invalid_amount'],
      ['created', null],
    ]);
    expect(resultsOf(run)[0]?.error?.message).toMatch(
      /^The price got worse by more than the 0 % of --tolerance.*reviewed 2\.5 ETH, now 2\.4975/,
    );
    expect([...quotes.values()]).toEqual([2, 2, 2]);
  });

  it('asks on a terminal, and does nothing without a yes', async () => {
    const desk = await deskWith();
    const file = desk.file('rows.csv', amounts('0.1', '0.3'));
    const no = await desk.run(['batch', file], {
      terminals: AT_TERMINAL,
      prompter: scriptedPrompter([{ confirm: 'Create these 2 swaps?', answer: false }]),
    });
    expect(no.error).toMatchObject({ code: 'declined', exitCode: 10 });
    expect(desk.service.posts()).toBe(0);
    const yes = await desk.run(['batch', file], {
      ...{ terminals: AT_TERMINAL, columns: 160 },
      prompter: scriptedPrompter([{ confirm: 'Create these 2 swaps?', answer: true }]),
    });
    expect(yes.error).toBeNull();
    const screen = yes.stderr.replaceAll(/ +/g, ' ');
    for (const text of [
      'To create 2\n',
      'You send 0.4 BTC in 2 rows\n',
      'You receive about 10 ETH in 2 rows\n',
      ` 2 0.3 BTC about 7.5 ETH ${ADDRESSES.eth}\n`,
    ])
      expect(screen).toContain(text);
    expect(yes.stdout).toMatch(/1\s+created\s+ORDER\d\s+0\.1 BTC\s+tb1q/);
  });

  it('is refused where the file has changed between the check and the yes', async () => {
    const desk = await deskWith();
    const file = desk.file('rows.csv', amounts('0.1'));
    const prompter = scriptedPrompter([]);
    const run = await desk.run(['batch', file], {
      terminals: AT_TERMINAL,
      prompter: {
        ...prompter,
        confirm: async () => {
          writeFileSync(file, amounts('90'));
          return true;
        },
      },
    });
    expect(run.error).toMatchObject({
      code: 'usage',
      message: `${file} has changed since it was checked; nothing was sent.`,
    });
    expect(desk.service.posts()).toBe(0);
  });

  it('waits for rows that another process has under way, and tells their orders', async () => {
    const well = created();
    const held: (() => void)[] = [];
    let tellHeld = () => {};
    const allHeld = new Promise<void>((resolve) => {
      tellHeld = resolve;
    });
    const desk = await deskWith({
      'create-transaction': (...call) => {
        held.push(() => well(...call));
        if (held.length === 2) tellHeld();
      },
    });
    const file = desk.file('rows.csv', amounts('0.1', '0.2'));
    const others: Promise<RanHere>[] = [];
    const run = await desk.run(['batch', file, '--json'], {
      terminals: AT_TERMINAL,
      prompter: {
        ...scriptedPrompter([]),
        confirm: async () => {
          others.push(desk.run(['batch', file, ...YES]));
          await allHeld;
          return true;
        },
      },
      sleep: async () => {
        for (const answer of held.splice(0)) answer();
        await Promise.all(others);
      },
    });
    const [other] = await Promise.all(others);
    expect([run.error, other?.error]).toEqual([null, null]);
    expect(endsOf(run).map(([row, outcome]) => [row, outcome])).toEqual([
      [1, 'created'],
      [2, 'created'],
    ]);
    expect(endsOf(run)).toEqual(endsOf(other ?? run));
    expect(desk.service.posts()).toBe(2);
  });

  it('goes on past rows that a process left which died over them', async () => {
    const desk = await deskWith();
    const six = desk.file('rows.csv', amounts(1, 2, 3, 4, 5, 6));
    let waits = 0;
    const run = await desk.run(['batch', six, '--json', ...AT_ONCE], {
      terminals: AT_TERMINAL,
      prompter: {
        ...scriptedPrompter([]),
        confirm: async () => {
          const before = await desk.run(['batch', desk.file('five.csv', amounts(1, 2, 3, 4, 5)), ...YES]);
          expect(before.error).toBeNull();
          tamper(
            ledgerOf(desk),
            "UPDATE intents SET outcome = 'unknown', order_number = NULL, snapshot = NULL",
          );
          return true;
        },
      },
      sleep: async () => {
        waits += 1;
      },
    });
    expect(endsOf(run).map(([row, outcome]) => [row, outcome])).toEqual([
      ...[1, 2, 3, 4, 5].map((row) => [row, 'unknown']),
      [6, 'created'],
    ]);
    expect(run.error?.exitCode).toBe(7);
    expect(waits).toBe(5 * 139);
  });

  it('never says that nothing was sent where the ledger could not record an order', async () => {
    const well = created();
    const desk = await deskWith({
      'create-transaction': (...call) => {
        tamper(ledgerOf(desk), NO_MORE_ROOM);
        well(...call);
      },
    });
    const run = await desk.run(['batch', desk.file('rows.csv', amounts('0.1')), ...YES]);
    expect(endsOf(run)).toEqual([[1, 'created', 'ORDER1']]);
    expect(run.error).toMatchObject({
      ...{ code: 'storage_failed', exitCode: 11, outcome: 'done', retryable: false },
      details: { rows: 1, created: 1, unknown: 0, refused: 0, notSent: 0 },
    });
  });

  it('ends after what is under way when it is interrupted, and goes on from there', async () => {
    const abort = new AbortController();
    const waiting: (() => void)[] = [];
    const well = created();
    let isFree = false;
    const desk = await deskWith({
      'create-transaction': (seen, response, request) => {
        const answer = () => well(seen, response, request);
        if (isFree) answer();
        else waiting.push(answer);
        if (waiting.length === 5) {
          isFree = true;
          abort.abort(new InterruptedError('SIGTERM'));
          for (const each of waiting.splice(0)) each();
        }
      },
    });
    const values = Array.from({ length: 12 }, (_, index) => index + 1);
    const file = desk.file('rows.csv', amounts(...values));
    const out = join(desk.home, 'out.jsonl');
    const run = await desk.run(['batch', file, ...YES, ...AT_ONCE, '-o', out], { signal: abort.signal });
    expect(run.error).toMatchObject({
      ...{ code: 'interrupted', exitCode: 143 },
      message:
        'Interrupted after 5 of 12 rows: 5 created. Run the same file again to go on; no row is repeated.',
    });
    expect(endsOf(run).map(([row, outcome]) => [row, outcome])).toEqual(
      [1, 2, 3, 4, 5].map((row) => [row, 'created']),
    );
    expect(readFileSync(out, 'utf8')).toBe(run.stdout);
    expect(desk.service.posts()).toBe(5);
    const rest = await desk.run(['batch', file, ...YES, ...AT_ONCE]);
    expect(rest.error).toBeNull();
    expect(resultsOf(rest).length).toBe(12);
    expect(desk.service.posts()).toBe(12);
  });

  it('ends by Ctrl-C with 130, tells each row whose create was sent, and goes on from there', async () => {
    const waiting: (() => void)[] = [];
    const well = created();
    let isInterrupted = false;
    const desk = await deskWith({
      'create-transaction': (seen, response, request) => {
        const answer = () => well(seen, response, request);
        if (isInterrupted) return answer();
        waiting.push(answer);
        if (waiting.length < 5) return;
        isInterrupted = true;
        run.child.kill('SIGINT');
        for (const each of waiting.splice(0)) each();
      },
    });
    const values = Array.from({ length: 40 }, (_, index) => index + 1);
    const file = desk.file('rows.csv', amounts(...values));
    const how = { home: desk.home, env: profileAt(desk.service.url) };
    const run = startProgram(['batch', file, ...YES, ...AT_ONCE], how);
    const { code, stdout, error } = await run.ended;
    const sent = desk.service.posts();
    expect([code, error().code, error().outcome]).toEqual([130, 'interrupted', 'done']);
    expect(sent).toBeLessThan(40);
    // Whatever the service has made an order of is told.
    expect(endsOf({ stdout }).map(([row, outcome]) => [row, outcome])).toEqual(
      values.slice(0, sent).map((row) => [row, 'created']),
    );
    expect(error().message).toBe(
      `Interrupted after ${sent} of 40 rows: ${sent} created. Run the same file again to go on; no row is repeated.`,
    );
    const rest = await desk.run(['batch', file, ...YES, ...AT_ONCE]);
    expect(rest.error).toBeNull();
    expect(new Set(resultsOf(rest).map(({ swap }) => swap?.order)).size).toBe(40);
    expect(desk.service.posts()).toBe(40);
  });

  it('waits for the budget, of which a create takes a turn', async () => {
    const desk = await deskWith();
    let now = 1_790_000_000_000;
    const waits: number[] = [];
    const run = await desk.run(
      ['batch', desk.file('rows.csv', amounts('0.1', '0.2', '0.3', '0.4')), ...YES, '--budget', '4/60s'],
      {
        now: () => now,
        sleep: async (milliseconds) => {
          waits.push(milliseconds);
          now += milliseconds;
        },
      },
    );
    expect(run.error).toBeNull();
    // For each row a quote for the review, a quote and a create: twelve turns, of which no minute has more than four.
    expect(desk.service.requests.filter(({ endpoint }) => endpoint !== 'get-all-coins').length).toBe(12);
    expect(now - 1_790_000_000_000).toBeGreaterThanOrEqual(120_000);
  });

  it('gives labels for all rows, under those of the rows', async () => {
    const desk = await deskWith();
    const text = `from,to,amount,address,label.team\nBTC,ETH,1,${ADDRESSES.eth},\nBTC,ETH,2,${ADDRESSES.eth},sales\n`;
    const run = await desk.run([
      'batch',
      desk.file('rows', text),
      ...YES,
      '--label',
      'team=ops',
      '--label',
      'run=7',
    ]);
    expect(resultsOf(run).map(({ swap }) => swap?.labels)).toEqual([
      { team: 'ops', run: '7' },
      { team: 'sales', run: '7' },
    ]);
  });
});

describe('the result of a batch', () => {
  it('is a CSV file for its owner alone, which another reader reads back cell by cell', async () => {
    const desk = await deskWith(except({ 0.2: 'refused' }));
    const note = 'a "b", c';
    const text = `from,to,amount,address,label.note\nBTC,ETH,0.10,${ADDRESSES.eth},"a ""b"", c"\nBTC,ETH,0.2,${ADDRESSES.eth},\n`;
    const out = join(desk.home, 'out.csv');
    const run = await desk.run(['batch', desk.file('rows.csv', text), '--yes', '-o', out]);
    expect(run.error?.exitCode).toBe(5);
    expect(run.stdout).toBe('');
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const rows = parse(readFileSync(out, 'utf8'), { columns: true }) as Record<string, string>[];
    expect(rows).toMatchObject([
      {
        ...{
          row: '1',
          outcome: 'created',
          order: 'ORDER1',
          status: 'new',
          'label.note': note,
          fundable: 'true',
        },
        ...{ 'deposit.amount': '0.1', 'deposit.coin': 'BTC', 'deposit.address': ADDRESSES.btcDeposit },
        ...{ 'receive.amount': '2.5', 'receive.address': ADDRESSES.eth, 'error.code': '' },
      },
      {
        row: '2',
        outcome: 'refused',
        order: '',
        'error.code': 'invalid_withdrawal_address',
        'label.note': '',
      },
    ]);
  });

  it('replaces the result before, and never the rows', async () => {
    const desk = await deskWith();
    const file = desk.file('rows.csv', amounts('0.1'));
    const before = readFileSync(file, 'utf8');
    const refused = await desk.run(['batch', file, ...YES, '-o', file]);
    expect(refused.error).toMatchObject({
      code: 'usage',
      message: 'The result would overwrite the file of the rows.',
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    const folder = await desk.run(['batch', file, ...YES, '-o', join(desk.home, 'no', 'out.csv')]);
    expect(folder.error?.exitCode).toBe(2);
    expect(desk.service.posts()).toBe(0);
    const out = desk.file('out.jsonl', 'old');
    expect((await desk.run(['batch', file, ...YES, '-o', out])).error).toBeNull();
    expect(endsOf({ stdout: readFileSync(out, 'utf8') })).toEqual([[1, 'created', 'ORDER1']]);
  });

  it('is a tab-separated line for each row in a pipe', async () => {
    const desk = await deskWith();
    const run = await desk.run(['batch', desk.file('rows.csv', amounts('0.1')), '--yes']);
    const [cells = []] = run.stdout.split('\n').map((line) => line.split('\t'));
    expect([cells.slice(0, 3), cells.slice(4, 9)]).toEqual([
      ['1', 'created', 'ORDER1'],
      ['0.1', 'BTC', 'BTC', ADDRESSES.btcDeposit, ''],
    ]);
  });
});
