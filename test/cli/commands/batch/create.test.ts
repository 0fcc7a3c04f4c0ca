import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareDecimals, differenceOf, ExactSum } from '../../../../src/core/swap/amount.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { scriptedPrompter } from '../../../helpers/prompter.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { ADDRESSES, createdAs, sendQuote } from '../../../helpers/swap-service.ts';
import { AT_ONCE, amounts, asExisting, deskWith, endsOf, resultsOf, YES } from './desk.ts';

describe('a batch', () => {
  it('creates one swap for each row, and none when the same file runs again', async () => {
    const desk = await deskWith();
    const rows = amounts('0.1', '0.2', '0.1', '0.10');
    const first = await desk.batch(rows);
    expect(first.error).toBeNull();
    expect(resultsOf(first).map(({ row, outcome, error }) => [row, outcome, error])).toEqual(
      [1, 2, 3, 4].map((row) => [row, 'created', null]),
    );
    expect(Object.keys(resultsOf(first)[0] ?? {})).toEqual(
      'row idempotencyKey outcome swap error'.split(' '),
    );
    expect(new Set(resultsOf(first).map(({ swap }) => swap?.order)).size).toBe(4);
    // Equal rows are distinguished by their numbers.
    const keys = resultsOf(first).map(({ idempotencyKey }) => idempotencyKey);
    const content = keys[0]?.replace(/-1$/, '');
    expect([keys[2], keys[3]]).toEqual([`${content}-2`, `${content}-3`]);
    expect(content).toMatch(/^batch-[0-9a-f]{32}$/);
    const requests = desk.service.requests.length;
    const again = await desk.batch(rows);
    expect(again.error).toBeNull();
    expect(endsOf(again)).toEqual(asExisting(endsOf(first)));
    expect(resultsOf(again).map(({ swap }) => swap?.replayed)).toEqual([true, true, true, true]);
    expect(resultsOf(first).map(({ swap }) => swap?.replayed)).toEqual([false, false, false, false]);
    expect(desk.service.posts()).toBe(4);
    // Nothing is asked for a row that has its swap.
    expect(desk.service.requests.length).toBe(requests);
    expect(again.stderr).toContain('Existing     4 (newest ');
  });

  it('warns about a row that duplicates a recent swap created outside the file', async () => {
    const desk = await deskWith();
    await desk.run(['create', 'BTC', 'ETH', '0.10', '-a', ADDRESSES.eth, ...YES]);
    const file = desk.file('rows.csv', amounts('0.1', '0.2'));
    const review = await desk.run(['batch', file, '--dry-run', '--json']);
    expect((JSON.parse(review.stdout) as { warnings: unknown }).warnings).toEqual([
      {
        row: 1,
        warning: expect.stringMatching(
          /^Order ORDER1, created .*, has the same coins, amount, address and memo\. You would be creating a duplicate\.$/,
        ),
      },
    ]);
    await desk.batch(amounts('0.3'));
    const more = await desk.batch(amounts('0.3', '0.3'), '--dry-run');
    expect(JSON.parse(more.stdout)).toMatchObject({ existing: 1, toCreate: 1, warnings: [] });
  });

  it('does not send a row if its price fell by more than the tolerance since the review', async () => {
    let rate = 25;
    let quotes = 0;
    const desk = await deskWith({
      'exchange-coin': ({ query }, response) => {
        quotes += 1;
        const amount = Number(query.get('amount'));
        // The first two are for the review.
        const exchangeRate = quotes <= 2 ? 25 : rate;
        sendQuote(response, amount, amount * exchangeRate);
      },
    });
    const rows = amounts('0.1', '0.2');
    rate = 24.7;
    const run = await desk.batch(rows);
    expect(desk.service.posts()).toBe(0);
    expect(resultsOf(run).map(({ outcome, error }) => [outcome, error?.message])).toEqual(
      ['reviewed 2.5 ETH, now 2.47 ETH', 'reviewed 5 ETH, now 4.94 ETH'].map((prices) => [
        'not-sent',
        `The price got worse by more than --tolerance (1%): ${prices} (−1.2 %).`,
      ]),
    );
    expect(run.error?.exitCode).toBe(5);
    quotes = 0;
    const accepted = await desk.batch(rows, '--tolerance', '2%');
    expect(accepted.error).toBeNull();
    expect(desk.service.posts()).toBe(2);
  });

  it('asks for confirmation on a terminal and creates nothing if declined', async () => {
    const desk = await deskWith();
    const file = desk.file('rows.csv', amounts('0.1', '0.3'));
    const no = await desk.run(['batch', file], {
      terminals: AT_TERMINAL,
      prompter: scriptedPrompter([{ confirm: 'Create these 2 swaps?', answer: false }]),
    });
    expect(no.error).toMatchObject({ code: 'declined', exitCode: 10 });
    expect(desk.service.posts()).toBe(0);
    const yes = await desk.run(['batch', file], {
      terminals: AT_TERMINAL,
      columns: 160,
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

  describe('with a request budget', () => {
    const START = 1_790_000_000_000;
    /** Runs a batch of 60 rows of other amounts; each pause is over immediately. */
    const paced = async (...flags: readonly string[]) => {
      const desk = await deskWith();
      const clock = { now: START };
      const creates: { at: number; count: number }[] = [];
      const values = Array.from({ length: 60 }, (_, index) => `0.${100 + index}`);
      const run = await desk.run(['batch', desk.file('rows.csv', amounts(...values)), '--yes', ...flags], {
        now: () => clock.now,
        sleep: async (milliseconds) => {
          creates.push({ at: clock.now, count: desk.service.posts() });
          clock.now += milliseconds;
        },
      });
      expect(run.error).toBeNull();
      return { ...run, minutes: (clock.now - START) / 60_000, creates };
    };

    it('reports how long it will take and what it waits for, unless --quiet is set', async () => {
      const { stderr } = await paced('--budget', '20/60s');
      expect(stderr).toMatch(
        /^This takes about \d minutes at the request budget of 20 per 60 s\. Raise it with --budget\.$/m,
      );
      expect(stderr).toMatch(
        /^Checking \d+ of 60\. Waiting for the request budget \(20 per 60 s; see --budget\); continues at \d\d:\d\d:\d\d\.$/m,
      );
      expect(stderr).toMatch(/^Creating \d+ of 60, about \d minutes? left\./m);
      const quiet = await paced('--budget', '20/60s', '-q');
      expect(quiet.stderr).toMatch(/^profile env · sandbox · 127\.0\.0\.1:\d+\n$/);
    });

    it('creates rows at an even pace within the estimated time, by default with 60 requests a minute', async () => {
      const { creates, minutes, stderr } = await paced();
      // 126 requests of which programs may send 54 a minute.
      expect(minutes).toBeLessThan(2.5);
      expect(stderr).toContain('This takes about 2 minutes at the request budget of 60 per 60 s');
      const rows = creates.map(({ count }, index) => count - (creates[index - 1]?.count ?? 0));
      // What goes at once at the beginning, and then one row after the other.
      expect(rows.filter((count) => count > 1).length).toBeLessThanOrEqual(2);
      const done = creates.filter((_, index) => (rows[index] ?? 0) > 0).map(({ at }) => at);
      expect(Math.max(...done.slice(1).map((at, index) => at - (done[index] ?? 0)))).toBeLessThan(8000);
    });
  });

  it('runs without pauses on the built-in service', async () => {
    const home = await temporaryFolder();
    const file = join(home, 'rows.csv');
    const values = Array.from({ length: 40 }, (_, index) => `0.${100 + index}`);
    writeFileSync(file, amounts(...values));
    const sleep = async () => {
      throw new Error('a pause');
    };
    const run = await runHere(['batch', file, '--yes', '--json'], { home, sleep });
    expect(run.error).toBeNull();
    expect(resultsOf(run)).toHaveLength(40);
  });

  it('adds --label values to every row, and the labels of a row take precedence', async () => {
    const desk = await deskWith();
    const text = `from,to,amount,address,label.team\nBTC,ETH,1,${ADDRESSES.eth},\nBTC,ETH,2,${ADDRESSES.eth},sales\n`;
    const run = await desk.batch(text, '--label', 'team=ops', '--label', 'run=7');
    expect(resultsOf(run).map(({ swap }) => swap?.labels)).toEqual([
      { team: 'ops', run: '7' },
      { team: 'sales', run: '7' },
    ]);
  });
});

it('the review of a batch estimates the payout of the built-in service, including a flat fee', async () => {
  const home = await temporaryFolder();
  const file = join(home, 'rows.csv');
  const small = ['0.0031', '0.0033', '0.0035', '0.0043', '0.0059'];
  const rows = [...small.map((amount) => `${amount},,`), '0.0031,,fixed', '9.5,true,', '9.5,true,fixed'].map(
    (row) => `ETH,USDT:TRX,TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE,${row}\n`,
  );
  writeFileSync(file, `from,to,address,amount,receive,type\n${rows.join('')}`);
  const now = Date.now();
  const run = (flag: string) =>
    runHere(['batch', file, flag, '--json', ...AT_ONCE], { home, now: () => now });
  const { totals } = JSON.parse((await run('--dry-run')).stdout);
  const reviewed = totals.find((total: { side: string }) => total.side === 'receive').amount;
  const made = await run('--yes');
  expect(made.error).toBeNull();
  const paid = new ExactSum();
  for (const { swap } of resultsOf(made)) paid.add(swap?.receive.amount ?? '0');
  // The service rounds each payout to six decimals.
  expect(compareDecimals(differenceOf(paid.amount, reviewed), '0.000008')).toBeLessThanOrEqual(0);
});

it('a batch reports an order that pays less than reviewed, even if the last quote was lower too', async () => {
  let asked = 0;
  const desk = await deskWith({
    'exchange-coin': ({ query }, response) => {
      asked += 1;
      const amount = Number(query.get('amount'));
      sendQuote(response, amount, (asked === 1 ? 25 : 24.8) * amount);
    },
    'create-transaction': createdAs((swap) => (swap.pairs.receive.coin.value = 2.465)),
  });
  const run = await desk.batch(amounts('0.1'));
  expect(run.error).toBeNull();
  expect(run.stderr).toContain(
    'The order pays 2.465 ETH instead of the 2.5 ETH in the review (−1.4 %). Leaving it unfunded costs nothing.',
  );
});
