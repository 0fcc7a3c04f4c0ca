import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { NO_MORE_ROOM, tamper } from '../../../helpers/ledger-damage.ts';
import { refusing } from '../../../helpers/raw-server.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { words } from '../../../helpers/words.ts';
import { AT_ONCE, amounts, created, deskWith, endsOf, except, ledgerOf, resultsOf } from './desk.ts';

describe('a batch whose rows are not all created', () => {
  it('reports created, refused and unknown rows and exits with 7', async () => {
    const desk = await deskWith(except({ 0.2: 'refused', 0.3: 'lost' }));
    const rows = amounts('0.1', '0.2', '0.3', '0.4');
    const run = await desk.batch(rows);
    expect(resultsOf(run).map(({ row, outcome, error }) => [row, outcome, error?.code ?? null])).toEqual([
      [1, 'created', null],
      [2, 'refused', 'invalid_withdrawal_address'],
      [3, 'unknown', 'outcome_unknown'],
      [4, 'created', null],
    ]);
    expect(run.error).toMatchObject({
      code: 'outcome_unknown',
      exitCode: 7,
      outcome: 'unknown',
      retryable: false,
      details: { rows: 4, created: 2, unknown: 1, refused: 1, notSent: 0 },
    });
    expect(`${run.error?.message} ${run.error?.hint}`).toMatch(
      /an order may exist.*costs nothing.*fund only an address that swapctl showed you/,
    );
    // The refused row is tried again, the unknown one never.
    expect(desk.service.posts()).toBe(4);
    const again = await desk.batch(rows);
    expect(endsOf(again).map(([, outcome]) => outcome)).toEqual(words('existing refused unknown existing'));
    expect(desk.service.posts()).toBe(5);
    expect(again.error?.exitCode).toBe(7);
  });

  it('exits with 5 if rows were not created and no outcome is unknown', async () => {
    const desk = await deskWith(except({ 0.2: 'refused' }));
    const run = await desk.batch(amounts('0.1', '0.2'));
    expect(run.error).toMatchObject({
      code: 'rejected',
      exitCode: 5,
      retryable: true,
      message: '1 of 2 rows was not created. 1 created, 1 refused.',
      details: { rows: 2, created: 1, unknown: 0, refused: 1, notSent: 0 },
    });
  });

  it('stops after five consecutive unknown outcomes', async () => {
    const lost = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [index + 1, 'lost'] as const));
    const desk = await deskWith(except(lost));
    const run = await desk.batch(amounts(...Object.keys(lost)), ...AT_ONCE);
    const outcomes = resultsOf(run).map(({ outcome }) => outcome);
    const sent = outcomes.filter((outcome) => outcome === 'unknown').length;
    // Those that were under way with the fifth are sent too.
    expect(sent).toBeGreaterThanOrEqual(5);
    expect(sent).toBeLessThanOrEqual(9);
    expect(desk.service.posts()).toBe(sent);
    expect(outcomes.slice(sent)).toEqual(Array.from({ length: 30 - sent }, () => 'not-sent'));
    expect(resultsOf(run).at(-1)?.error).toMatchObject({
      message: expect.stringMatching(/^Not tried, because the batch was stopped: The outcome is unknown/),
    });
    expect(run.error).toMatchObject({ exitCode: 7, details: { unknown: sent, notSent: 30 - sent } });
  });

  it('continues with up to four consecutive unknown outcomes', async () => {
    const ends = [...words('lost lost lost lost ok lost lost lost lost ok ok ok ok ok')];
    const values = ends.map((_, index) => index + 1);
    const answer = except(
      Object.fromEntries(
        values.filter((value) => ends[value - 1] === 'lost').map((value) => [value, 'lost']),
      ),
    )['create-transaction'];
    const answers = new Map<number, () => void>();
    let answered = 0;
    const desk = await deskWith({
      'create-transaction': (seen, ...rest) => {
        const { depositAmount: row } = JSON.parse(seen.body) as { depositAmount: number };
        answers.set(row, () => answer?.(seen, ...rest));
        // Five are under way at once: with the fourth after a row, all before that row have ended.
        while (answers.has(answered + 1) && answers.has(Math.min(answered + 5, ends.length))) {
          answered += 1;
          answers.get(answered)?.();
        }
      },
    });
    const run = await desk.batch(amounts(...values), ...AT_ONCE);
    expect(endsOf(run).map(([, outcome]) => (outcome === 'created' ? 'ok' : 'lost'))).toEqual(ends);
    expect(run.error).toMatchObject({ exitCode: 7, details: { unknown: 8, notSent: 0 } });
  });

  it('stops when the service rejects the key pair', async () => {
    const desk = await deskWith({ 'create-transaction': refusing(403, 'Invalid signature.') });
    const values = Array.from({ length: 40 }, (_, index) => index + 1);
    const run = await desk.batch(amounts(...values), ...AT_ONCE);
    expect(desk.service.posts()).toBeLessThanOrEqual(9);
    expect(run.error).toMatchObject({ code: 'rejected', exitCode: 5, details: { created: 0 } });
  });

  it('does not claim that nothing was sent if the ledger could not record an order', async () => {
    const well = created();
    const desk = await deskWith({
      'create-transaction': (...call) => {
        tamper(ledgerOf(desk), NO_MORE_ROOM);
        well(...call);
      },
    });
    const run = await desk.batch(amounts('0.1'));
    expect(endsOf(run)).toEqual([[1, 'created', 'ORDER1']]);
    expect(run.error).toMatchObject({
      code: 'outcome_unknown',
      exitCode: 7,
      outcome: 'done',
      retryable: false,
      details: { rows: 1, created: 1, unknown: 0, refused: 0, notSent: 0 },
    });
  });
});

describe('the result of a batch', () => {
  it('is a CSV file that only its owner can read, and a CSV parser reads every cell back', async () => {
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
        row: '1',
        outcome: 'created',
        order: 'ORDER1',
        status: 'new',
        'label.note': note,
        fundable: 'true',
        'deposit.amount': '0.1',
        'deposit.coin': 'BTC',
        'deposit.address': ADDRESSES.btcDeposit,
        'receive.amount': '2.5',
        'receive.address': ADDRESSES.eth,
        'error.code': '',
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

  it('overwrites an existing result file', async () => {
    const desk = await deskWith();
    const folder = await desk.batch(amounts('0.1'), '-o', join(desk.home, 'no', 'out.csv'));
    expect(folder.error?.exitCode).toBe(2);
    expect(desk.service.posts()).toBe(0);
    const out = desk.file('out.jsonl', 'old');
    expect((await desk.batch(amounts('0.1'), '-o', out)).error).toBeNull();
    expect(endsOf({ stdout: readFileSync(out, 'utf8') })).toEqual([[1, 'created', 'ORDER1']]);
  });

  it('is one tab-separated line per row in a pipe', async () => {
    const desk = await deskWith();
    const run = await desk.run(['batch', desk.file('rows.csv', amounts('0.1')), '--yes']);
    const [cells = []] = run.stdout.split('\n').map((line) => line.split('\t'));
    expect([cells.slice(0, 3), cells.slice(4, 9)]).toEqual([
      ['1', 'created', 'ORDER1'],
      ['0.1', 'BTC', 'BTC', ADDRESSES.btcDeposit, ''],
    ]);
  });
});
