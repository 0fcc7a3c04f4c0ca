import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { amounts, deskWith, endsOf, except } from './desk.ts';

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
