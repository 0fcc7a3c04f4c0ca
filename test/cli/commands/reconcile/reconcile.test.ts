import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reconcileCommand } from '../../../../src/cli/commands/report/reconcile.ts';
import type { IntentRow } from '../../../../src/core/ledger/schema.ts';
import type { Reconciliation } from '../../../../src/core/swaps/reconcile.ts';
import { INTENT, swapOf } from '../../../core/ledger/entries.ts';
import { rowOf } from '../../../core/ledger/fill.ts';
import { ledgerHome } from '../../../helpers/ledger-home.ts';
import { IN_LONG_RUN } from '../../../helpers/random-runs.ts';
import { AT_TERMINAL, type RunHere } from '../../../helpers/run-here.ts';
import { itReads } from '../options.ts';

const JANUARY = Date.parse('2026-01-15T12:00:00Z');

/** A paid live swap of the ledger: 0.100000000000000001 BTC for 250.5 XRP. */
function paid(order: string, changes: Partial<IntentRow> = {}): IntentRow {
  const plain = swapOf(order, 4);
  const swap = {
    ...plain,
    createdAt: '2026-01-15T12:00:00.000Z',
    deposit: { ...plain.deposit, txId: 'AbC' },
    receive: { ...plain.receive, paidAmount: '250.5', txId: '0xfeed' },
  };
  return {
    ...rowOf(0, false),
    id: order,
    environment: 'live',
    order_number: order,
    requested_at: JANUARY,
    snapshot: JSON.stringify(swap),
    ...changes,
  };
}

/** Runs `reconcile` with a statement on a ledger. */
async function reconciled(
  rows: readonly IntentRow[],
  statement: string,
  args: readonly string[] = [],
  how: Partial<RunHere> = {},
) {
  const { home, run } = await ledgerHome(rows);
  const file = join(home, 'statement.csv');
  await writeFile(file, statement);
  return run(['reconcile', file, ...args], how);
}

async function resultOf(rows: readonly IntentRow[], statement: string, args: readonly string[] = []) {
  const { stdout, error } = await reconciled(rows, statement, [...args, '--json']);
  return { ...(JSON.parse(stdout) as Reconciliation), code: error?.code ?? null, exit: error?.exitCode ?? 0 };
}

const CLEAN = { matched: 0, onlyHere: [], onlyThere: [], differs: [], duplicates: [], code: null, exit: 0 };
const DIFFERS = { ...CLEAN, code: 'differs', exit: 9 };

describe('swapctl reconcile', () => {
  it('reports matches, orders missing on one side and differing fields, and exits with 9', async () => {
    const statement = [
      'Order,Status,Amount,Received Amount',
      'A,success,0.1000000000000000010,250.50',
      'B,refunded,0.1,250.5',
      'C,success,1,1\n',
    ].join('\n');
    expect(await resultOf([paid('A'), paid('B'), paid('D')], statement)).toEqual({
      ...DIFFERS,
      matched: 1,
      onlyHere: ['D'],
      onlyThere: ['C'],
      differs: [
        { order: 'B', field: 'status', here: 'success', there: 'refunded' },
        { order: 'B', field: 'amount', here: '0.100000000000000001', there: '0.1' },
      ],
    });
  });

  it.each([
    ['amount', '+00.100000000000000001000', true],
    ['amount', '1.00000000000000001e-1', true],
    ['amount', '0,100000000000000001', false],
    ['amount', '', false],
    ['amount', 'Infinity', false],
    ['status', 'SUCCESS', true],
    ['status', '12', true],
    ['status', 'Completed', true],
    ['from', 'btc', true],
    ['receive', '250.500', true],
    ['memo', '12345', true],
    ['memo', '012345', false],
    ['address', INTENT.address, true],
    ['address', INTENT.address.toLowerCase(), false],
    ['createdAt', '2026-01-15 13:00:00 +01:00', true],
  ])('compares %s %j as equal: %j', async (field, cell, same) => {
    const statement = `Id,Cell\nA,"${cell}"\n`;
    const found = await resultOf([paid('A')], statement, ['--map', `order=Id,${field}=Cell`]);
    expect([found.matched, found.differs.length, found.exit]).toEqual(same ? [1, 0, 0] : [0, 1, 9]);
  });

  it('ignores a column whose header has no letters or digits', async () => {
    const { stdout, stderr } = await reconciled([paid('A')], '#,Order,Status\n17,A,success\n');
    expect([stdout, stderr]).toEqual(['matched\t1\n', expect.not.stringContaining('Not compared')]);
  });

  it('does not compare fields that the ledger has no value for yet, and lists them', async () => {
    const created = paid('A', { snapshot: JSON.stringify(swapOf('A', 9)), status_code: 9, final: 0 });
    const statement = 'order,createdAt,receive.txId,deposit.memo\nA,2026-01-15T12:00:00Z,0xfeed,\n';
    const { stdout, stderr, error } = await reconciled([created], statement);
    expect([stdout, error]).toEqual(['matched\t1\n', null]);
    expect(stderr).toContain('Not compared because the ledger has no value yet: createdAt, receive.txId.');
  });

  it('reports a memo in the statement as different if the swap has none', async () => {
    const { differs } = await resultOf([paid('A')], 'order,deposit.memo\nA,12345\n');
    expect(differs).toEqual([{ order: 'A', field: 'deposit.memo', here: null, there: '12345' }]);
  });

  it('matches the output of history --csv for swaps in every state', async () => {
    const rows = [9, 1, 5, 6, 13].map((code) =>
      paid(`S${code}`, { snapshot: JSON.stringify(swapOf(`S${code}`, code)), status_code: code }),
    );
    const { home, run } = await ledgerHome([paid('A'), ...rows]);
    const file = join(home, 'own.csv');
    await writeFile(file, (await run(['history', '--csv'])).stdout);
    const { stdout, stderr, error } = await run(['reconcile', file, '--json']);
    expect([JSON.parse(stdout), error]).toEqual([
      { matched: 6, onlyHere: [], onlyThere: [], differs: [], duplicates: [] },
      null,
    ]);
    expect(stderr).toContain('deposit.amount in "deposit.amount"');
    expect(stderr).toContain('receive.paidAmount in "receive.paidAmount"');
  });

  it('reports the columns used and which swaps are included', async () => {
    const { stderr } = await reconciled(
      [paid('A')],
      'Swap ID;Coin From;Amount From\nA;BTC;0.100000000000000001\n',
    );
    expect(stderr).toBe(
      'Showing live swaps of all profiles, without sandbox swaps.\nOrder numbers from column "Swap ID"; compared: from in "Coin From", amount in "Amount From".\n',
    );
  });

  it('reports duplicate rows and rows without an order number', async () => {
    const statement = 'order,amount\nA,0.100000000000000001\nA,0.100000000000000001\n,3\n';
    const { stdout, stderr, error } = await reconciled([paid('A')], statement);
    expect(stdout).toBe('matched\t1\nduplicate\tA\n');
    expect(stderr).toContain('One row has no order number and is left out: line 4.');
    expect([error?.exitCode, error?.message]).toEqual([
      9,
      'The ledger and the statement do not match: 1 more than once in the statement.',
    ]);
  });

  it('compares only the given period, but still knows orders outside it', async () => {
    const rows = [paid('A'), paid('F', { requested_at: Date.parse('2026-02-01T00:00:00Z') })];
    const period = ['--since', '2026-01-01', '--until', '2026-01-31'];
    expect(await resultOf(rows, 'order\nA\nF\n', period)).toEqual({ ...CLEAN, matched: 1 });
    expect(await resultOf(rows, 'order\nA\n', period)).toEqual({ ...CLEAN, matched: 1 });
    expect(await resultOf(rows, 'order\nA\n')).toEqual({ ...DIFFERS, matched: 1, onlyHere: ['F'] });
  });

  it('never mixes live and sandbox swaps, and -p selects a profile', async () => {
    const rows = [paid('A'), paid('S', { environment: 'sandbox', profile: 'desk' })];
    expect(await resultOf(rows, 'order\nA\nS\n')).toEqual({ ...DIFFERS, matched: 1, onlyThere: ['S'] });
    expect(await resultOf(rows, 'order\nS\n', ['-p', 'desk'])).toEqual({ ...CLEAN, matched: 1 });
  });

  it('leaves out creates without an order and reports how many swaps are not final', async () => {
    const open = paid('N', { snapshot: JSON.stringify(swapOf('N', 1)), status_code: 1, final: 0 });
    const lost = paid('L', { outcome: 'unknown', order_number: null, snapshot: null });
    const { stdout, stderr, error } = await reconciled([open, lost], 'order\nN\n');
    expect([stdout, error]).toEqual(['matched\t1\n', null]);
    expect(stderr).toContain('One swap in the ledger was not final when last polled');
  });

  it('shows the differences on a terminal and escapes control characters', async () => {
    const statement = 'order,amount\nA,"1\u001b[2J"\nX\u202e,2\n';
    const { stdout } = await reconciled([paid('A')], statement, [], { terminals: AT_TERMINAL });
    expect(stdout).toContain(' 0 matched · 1 different · 0 only in the ledger · 1 only in the statement\n');
    expect(stdout).toContain('X<U+202E>');
    expect(stdout).toMatch(/A +amount +0\.100000000000000001 +1<U\+001B>\[2J/);
  });

  it.runIf(IN_LONG_RUN)('reads 100,000 lines', async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `Z${index},1`);
    const found = await resultOf([paid('A')], `order,amount\nA,0.100000000000000001\n${lines.join('\r\n')}`);
    expect([found.matched, found.onlyThere.length, found.onlyThere.at(-1)]).toEqual([1, 100_000, 'Z99999']);
  });

  it.each([
    ['Id,Amount\nA,1\n', ['--map', 'order=Idd'], 'The file has no column "Idd".', 'Did you mean "Id"?'],
    ['Id,Sum\nA,1\n', ['--map', 'order=No'], 'The file has no column "No".', 'Its columns are "Id", "Sum".'],
    ['Id,N,N\nA,1,2\n', ['--map', 'order=Id,amount=N'], 'Several columns are named "N".', 'own heading'],
    ['order,amount,amount\nA,1,2\n', [], 'Several columns are named "amount".', 'own heading'],
    ['Id,Amount,AMOUNT\nA,1,2\n', [], 'no column "amount".', 'Did you mean "Amount" or "AMOUNT"?'],
    [
      'Ref,Amount\nA,1\n',
      [],
      'The statement has no column with order numbers.',
      'Pass --map order=<column>. The columns are "Ref", "Amount".',
    ],
    ['', [], /^The statement .* is empty\.$/, 'It needs a header line.'],
    ['order\n"A\n', [], 'The CSV cannot be read at line 2: an opened quote is never closed.', /quote/],
  ])('%j with %j is a usage error', async (statement, args, message, hint) => {
    const { error, stdout } = await reconciled([paid('A')], statement, args);
    expect([error?.code, error?.exitCode, stdout]).toEqual(['usage', 2, '']);
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(hint);
  });

  it('rejects a missing statement file', async () => {
    const { run } = await ledgerHome([paid('A')]);
    const { error } = await run(['reconcile', '/nowhere/statement.csv']);
    expect([error?.code, error?.message]).toEqual(['usage', 'File /nowhere/statement.csv does not exist.']);
  });
});

const NO_FLAGS = { statement: 's.csv', map: new Map(), since: null, until: null };
const MAP = new Map(Object.entries({ order: 'Id', amount: 'Amount', 'receive.txId': 'Hash' }));
itReads(reconcileCommand, 'reconcile s.csv', [
  ['', NO_FLAGS],
  [['--map', 'order=Id, amount=Amount', '--map', 'receive.txId=Hash'], { ...NO_FLAGS, map: MAP }],
  ['--map amuont=X', 'usage: Unknown field "amuont" in --map.'],
]);
