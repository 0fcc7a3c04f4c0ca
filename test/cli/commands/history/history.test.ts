import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HistoryResult } from '../../../../src/core/ledger/swap-result.ts';
import { swapOf } from '../../../core/ledger/entries.ts';
import { rowOf } from '../../../core/ledger/fill.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { tamper } from '../../../helpers/ledger-damage.ts';
import { type LedgerHome, ledgerHome } from '../../../helpers/ledger-home.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { inScene } from '../../../helpers/scene.ts';
import { startEachAtTerminal } from '../../../helpers/terminal.ts';
import { ETH_ADDRESS } from '../create/wizard.ts';
import { DEPOSIT_TX, inStory, ORDER, PAYOUT_TX, withDeposit } from './scene.ts';

/** What Python's csv module reads in a text, a judge of RFC 4180 that is not ours. */
function readByPython(csv: string): readonly Readonly<Record<string, string>>[] {
  const program =
    'import csv, io, json, sys\nt = sys.stdin.buffer.read().decode()\nprint(json.dumps(list(csv.DictReader(io.StringIO(t, newline=""), strict=True))))';
  return JSON.parse(execFileSync('python3', ['-c', program], { input: csv, encoding: 'utf8' }));
}

describe('history --csv', () => {
  it("is read back by Python's csv module with every amount, transaction, time and label", async () => {
    const flags = ['--label', 'note=a "quoted", text', '--label', 'formula==1+1', '--idempotency-key', 'k,1'];
    await inStory(flags, async ({ run, poll }) => {
      await poll(4, (swap) => ({
        ...withDeposit(swap),
        swapTime: {
          start: '2026-01-31T12:00:00.000Z',
          end: '2026-01-31T12:09:00.000Z',
          duration: '00:09:00',
        },
        receiveTransaction: {
          ...(swap.receiveTransaction as object),
          amount: 2.499999999999999,
          fees: 0.0006,
        },
        txId: DEPOSIT_TX,
      }));
      const { stdout } = await run(['history', '--csv']);
      expect(stdout.endsWith('\r\n')).toBe(true);
      const [row, ...others] = readByPython(stdout);
      expect(others).toEqual([]);
      expect(row).toMatchObject({
        ...{ order: ORDER, status: 'success', statusCode: '4', 'deposit.txId': DEPOSIT_TX },
        ...{ 'deposit.amount': '0.1', 'asked.deposit': '0.1', 'receive.txId': PAYOUT_TX },
        ...{ 'receive.amount': '2.5', 'asked.receive': '2.5', 'receive.paidAmount': '2.499999999999999' },
        ...{ 'receive.fee': '0.0006', endedAt: '2026-01-31T12:09:00.000Z', duration: '00:09:00' },
        ...{ 'label.note': 'a "quoted", text', 'label.formula': "'=1+1", idempotencyKey: 'k,1' },
        ...{ outcome: 'created', reason: '', profile: 'env', doubts: '' },
      });
      const [{ id, requestedAt, seenAt }] = (await run(['history', '--json'])).json<[HistoryResult]>();
      expect(row).toMatchObject({ id, requestedAt, seenAt });
    });
  });

  it('prints only the header if the ledger is empty', async () => {
    const home = await temporaryFolder();
    const { stdout } = await runHere(['history', '--csv'], { home });
    expect(stdout.split('\r\n')).toHaveLength(2);
    const columns = (stdout.split('\r\n')[0] ?? '').split(',');
    expect(columns).toHaveLength(new Set(columns).size);
    expect(readByPython(stdout)).toEqual([]);
    expect(columns).toEqual(
      expect.arrayContaining(['order', 'id', 'reason', 'asked.receive', 'receive.paidAmount']),
    );
    const json = (await runHere(['history', '--json'], { home })).stdout;
    expect(json).toBe('[]\n');
  });
});

describe('swapctl history', () => {
  it('shows id and reason of a create without an order in every format', async () => {
    await inScene(
      { 'create-transaction': (_, response) => response.destroy() },
      async ({ create, run, here }) => {
        await create();
        const [entry] = (await run(['history', '--json'])).json<[HistoryResult]>();
        const screen = await here(['history'], { terminals: AT_TERMINAL });
        for (const text of [
          (await run(['history'])).stdout,
          (await run(['history', '--csv'])).stdout,
          screen.stdout,
        ]) {
          expect(text).toContain(entry.id);
          expect(text.replaceAll(/\s+/g, ' ')).toContain(entry.reason ?? 'no reason');
        }
      },
    );
  });

  it('shows the paid amount if it differs from the agreed amount', async () => {
    await inStory([], async ({ poll, home, here, run }) => {
      await poll(4, (swap) => ({
        ...swap,
        receiveTransaction: { ...(swap.receiveTransaction as object), amount: 2.4 },
      }));
      const named = await here(['history'], { terminals: AT_TERMINAL, columns: 120 });
      expect(named.stdout).toContain('2.4 ETH paid (2.5 agreed)');
      expect(named.stdout).not.toContain('PROFILE');
      const all = await runHere(['history'], { home, terminals: AT_TERMINAL, columns: 160 });
      expect(all.stdout).toMatch(/PROFILE +ID\n/);
      expect(all.stdout).toMatch(/ env +[0-9a-f-]{36}\n/);
      expect((await run(['history'])).stdout.trimEnd().split('\t').slice(-3)).toEqual([
        ...['2.4', 'f00d', PAYOUT_TX].with(1, DEPOSIT_TX),
      ]);
    });
  });

  it('counts days in local time on a terminal and in UTC in a pipe, and prints a note about it', async () => {
    const home = await temporaryFolder();
    const create = ['create', 'BTC', 'ETH', '0.1', '-a', ETH_ADDRESS, '--yes', '--json'];
    const { order } = JSON.parse((await runHere(create, { home })).stdout);
    // 22:30 on the last of January in New York.
    const time = Date.parse('2026-02-01T03:30:00Z');
    tamper(
      join(home, '.local', 'state', 'swapctl', 'ledger.db'),
      `update intents set requested_at = ${time}`,
    );
    const [january, february] = ['2026-01-31', '2026-02-01'].map((day) => ['--since', day, '--until', day]);
    const words = (flags: readonly string[] = []) => ['history', ...flags].join(' ');
    const { screen } = await startEachAtTerminal(
      [words(january), words(february), `history show ${order}`],
      home,
      { env: { TZ: 'America/New_York', COLUMNS: '100' } },
    ).ended;
    const parts = screen.split(
      /Days are in local time, America\/New_York \(UTC-0[45]:00\); in a pipe, in UTC\./,
    );
    expect(parts.map((part) => part.includes(order))).toEqual([false, true, true]);
    expect(parts[2]).toMatch(/^\s*Nothing in the ledger matches\./);
    expect(parts[2]).toContain(' 2026-01-31 22:30:00  requested');
    const inPipe = async (flags: readonly string[] = []) => runHere(['history', ...flags], { home });
    expect((await inPipe(january)).stdout).toBe('');
    expect(await inPipe(february)).toMatchObject({
      stdout: expect.stringContaining(order),
      stderr: 'Days are in UTC; on a terminal, in local time.\n',
    });
    expect((await inPipe(['--since', '2026-02-30'])).error?.exitCode).toBe(2);
    const reversed = await inPipe(['--since', '2026-02-01', '--until', '2026-01-31']);
    expect([reversed.error?.exitCode, reversed.error?.message, reversed.stderr]).toEqual([
      2,
      '--until 2026-01-31 ends before --since 2026-02-01 begins.',
      '',
    ]);
  });
});

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
