import { describe, expect, it } from 'vitest';
import type { HistoryResult } from '../../../../src/core/ledger/swap-result.ts';
import { swapOf } from '../../../core/ledger/entries.ts';
import { rowOf } from '../../../core/ledger/fill.ts';
import { type LedgerHome, ledgerHome } from '../../../helpers/ledger-home.ts';
import { AT_TERMINAL } from '../../../helpers/run-here.ts';

const LONG = 'x'.repeat(256);

/** Three swaps: of 9, 10.5 and 0.25 BTC, of which the last was agreed on as 0.100000000000000001. */
async function desk(): Promise<LedgerHome> {
  const amounts = ['9', '10.50', '0.25'];
  const rows = amounts.map((amount, index) => {
    const swap = swapOf(`ORDER${index}`, index === 2 ? 12 : 4);
    const deposit = { ...swap.deposit, amount, txId: `b17c${index}de0`.repeat(8) };
    const receive = { ...swap.receive, amount: `${index || ''}12345.12345678` };
    return {
      ...rowOf(index, false),
      status_code: swap.statusCode,
      snapshot: JSON.stringify({ ...swap, deposit, receive }),
      labels: JSON.stringify(index === 0 ? { customer: '8812', team: 'ops' } : { note: LONG.repeat(8) }),
      doubts: index === 2 ? '["amount_changed"]' : '[]',
    };
  });
  return ledgerHome(rows);
}

describe('history [search]', () => {
  it.each([
    ['part of an order number in any letter case', 'rder1', ['ORDER1']],
    ['a deposit transaction', 'b17c2de0b17c2de0', ['ORDER2']],
    ['an address', 'tb1q2dq5u3zz', ['ORDER2', 'ORDER1', 'ORDER0']],
    ['a label', 'customer=88', ['ORDER0']],
    ['the value of a label', '8812', ['ORDER0']],
    ['labels too long for the index', LONG.repeat(3), ['ORDER2', 'ORDER1']],
    ['a coin', 'xrp', ['ORDER2', 'ORDER1', 'ORDER0']],
    ['an amount by its value', '9.00', ['ORDER0']],
    ['nothing that is only part of a number', '881', []],
  ])('finds %s', async (_, search, orders) => {
    const { run } = await desk();
    const found = JSON.parse((await run(['history', search, '--json'])).stdout) as HistoryResult[];
    expect(found.map(({ order }) => order)).toEqual(orders);
  });

  it('suggests a subcommand if nothing matches', async () => {
    const { run } = await desk();
    expect((await run(['history', 'suport'])).stderr).toContain('Did you mean `swapctl history support`?');
  });
});

describe('--columns, --sort and --reverse', () => {
  it('apply to tab-separated text, CSV and tables of history, and sort amounts by value', async () => {
    const { run } = await desk();
    const columns = ['--columns', 'order,deposit.amount,label.team', '--sort', 'deposit.amount'];
    expect((await run(['history', ...columns])).stdout).toBe(
      'ORDER2\t0.25\t\nORDER0\t9\tops\nORDER1\t10.50\t\n',
    );
    expect((await run(['history', ...columns, '--csv', '--reverse', '-L', '1'])).stdout).toBe(
      'order,deposit.amount,label.team\r\nORDER1,10.50,\r\n',
    );
    const screen = await run(['history', ...columns], { terminals: AT_TERMINAL });
    expect(screen.stdout.split('\n')[0]).toMatch(/^ ORDER +DEPOSIT.AMOUNT +LABEL.TEAM$/);
    expect((await run(['history', '--reverse', '--columns', 'order'])).stdout).toBe(
      'ORDER0\nORDER1\nORDER2\n',
    );
    expect((await run(['history', '--sort', '-label.team', '--columns', 'order'])).stdout).toMatch(
      /^ORDER0\n/,
    );
    const { error } = await run(['history', '--sort', 'fundable']);
    expect(error?.message).toBe('Cannot sort by fundable: it is computed for each swap that is shown.');
  });

  it('apply to coins', async () => {
    const { run } = await desk();
    const args = ['coins', 'usd', '--columns', 'code,receive', '--sort', '-code', '--sandbox'];
    const lines = (await run(args)).stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines).toEqual([...lines].sort().reverse());
    expect(lines[0]).toMatch(/^[A-Z]+\t[A-Z ]+$/);
  });
});

it('history fits 80 columns by showing a mismatch as !', async () => {
  const { run } = await desk();
  const { stdout } = await run(['history'], { terminals: AT_TERMINAL, now: () => 3 * 86_400_000 + 9 });
  expect(stdout).toBe(
    [
      ' ORDER   STATUS    DEPOSIT      RECEIVE                REQUESTED  PROFILE',
      ' ORDER2  success!  0.25 BTC !   212345.12345678 XRP !  3 d        shop',
      ' ORDER1  success   10.50 BTC !  112345.12345678 XRP !  3 d        shop',
      ' ORDER0  success   9 BTC !      12345.12345678 XRP !   3 d        shop',
      '',
    ].join('\n'),
  );
  expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
});
