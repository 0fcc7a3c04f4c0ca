import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HistoryResult } from '../../../../src/core/ledger/swap-result.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { ADDRESSES, wireSwapIn } from '../../../helpers/swap-service.ts';
import { amounts, type Desk, deskWith, except, YES } from '../batch/desk.ts';

/** Runs a batch of these amounts, of which those of 0.5 are refused, those of 0.6 not sent and those of 0.7 lost. */
async function deskAfter(...values: readonly number[]): Promise<Desk> {
  const desk = await deskWith(except({ 0.5: 'refused', 0.6: 'limited', 0.7: 'lost' }));
  await desk.run(['batch', desk.file('rows.csv', amounts(...values)), '--yes', '--budget', '9999/60s']);
  return desk;
}

const screenOf = async (desk: Desk, ...args: readonly string[]) =>
  (await desk.run(['history', ...args], { terminals: AT_TERMINAL, columns: 80 })).stdout;

describe('creates without an order in history', () => {
  it('have one line each in the table, with their common reason below', async () => {
    const desk = await deskAfter(0.1, 0.5, 0.5, 0.5);
    const screen = await screenOf(desk);
    expect(screen.match(/^ - {2}.* refused /gm)).toHaveLength(3);
    expect(screen).toMatch(/\n\n 3 refused: .*\n$/);
    expect(screen).not.toContain('Requested ');
  });

  it('are summarized if more than three, unless selected with --status', async () => {
    const desk = await deskAfter(0.1, 0.5, 0.5, 0.5, 0.5);
    const screen = await screenOf(desk);
    expect(screen).toContain('ORDER1');
    expect(screen).not.toMatch(/^ -/m);
    expect(screen.replace(/\s+/g, ' ')).toMatch(/ 4 refused: .*[^.]; `swapctl history --status refused` $/);
    const filtered = await screenOf(desk, '--status', 'refused');
    expect(filtered.match(/^ - {2}/gm)).toHaveLength(4);
    expect(filtered).not.toContain('swapctl history --status');
  });

  it('have status null, except `unknown` for an unknown outcome', async () => {
    const desk = await deskAfter(0.1, 0.5, 0.7);
    const rows = JSON.parse((await desk.run(['history', '--json'])).stdout) as HistoryResult[];
    expect(Object.fromEntries(rows.map(({ outcome, status }) => [outcome, status]))).toEqual({
      unknown: 'unknown',
      refused: null,
      created: 'new',
    });
    const cells = await desk.run(['history', '--columns', 'outcome,status']);
    expect(cells.stdout).toBe('unknown\tunknown\nrefused\t\ncreated\tnew\n');
    expect((await desk.run(['history', '--csv', '--columns', 'outcome,status'])).stdout).toContain(
      'refused,\r\n',
    );
    const columns = await screenOf(desk, '--columns', 'outcome,status');
    expect(columns).toMatch(/^ refused +–$/m);
    const { id } = rows.find(({ outcome }) => outcome === 'refused') as HistoryResult;
    const shown = JSON.parse((await desk.run(['history', 'show', id, '--json'])).stdout);
    expect(shown.swap.status).toBeNull();
  });

  it('are not said to have a key if they have none', async () => {
    const desk = await deskAfter(0.1);
    const made = await desk.run(['create', 'BTC', 'ETH', '0.7', '-a', ADDRESSES.eth, ...YES]);
    const id = String(made.error?.details?.['id']);
    const { error } = await desk.run(['status', id]);
    expect(error).toMatchObject({ code: 'outcome_unknown', exitCode: 7 });
    expect(`${error?.message} ${error?.hint}`).toMatch(/^A create was sent at .*`--dismiss`\.$/);
    const dismissed = await desk.run(['history', 'resolve', id, '--dismiss']);
    expect(dismissed.stderr).toContain('Dismissed. It is no longer listed first.\n');
  });

  it('have no block below the table once dismissed', async () => {
    const desk = await deskAfter(0.1, 0.7);
    const [lost] = JSON.parse((await desk.run(['history', '--json'])).stdout) as HistoryResult[];
    expect(await screenOf(desk)).toContain(lost?.id);
    await desk.run(['history', 'resolve', lost?.id ?? '', '--dismiss']);
    const screen = await screenOf(desk);
    expect(screen).toMatch(/^ - +dismissed/m);
    expect(screen).not.toContain(lost?.id);
  });
});

it('an unlisted status code is shown by its number in status and history', async () => {
  const desk = await deskWith({
    'get-transaction': (_, response) => sendJson(response, 200, wireSwapIn(77, 'ORDER1')),
  });
  await desk.run(['batch', desk.file('rows.csv', amounts(0.1)), '--yes']);
  const terminal = { terminals: AT_TERMINAL, columns: 80 };
  const sheet = await desk.run(['status', 'ORDER1'], terminal);
  expect(sheet.stdout).toMatch(/^ ORDER1 {2}code 77 /);
  for (const args of [['history'], ['status']])
    expect((await desk.run(args, terminal)).stdout).toMatch(/^ ORDER1 +code 77( \(mismatch\))? /m);
  const [json] = JSON.parse((await desk.run(['history', '--json'])).stdout) as HistoryResult[];
  expect(json).toMatchObject({ status: 'unknown', statusCode: 77 });
});

it('history and status measure the age of a built-in sandbox swap by the sandbox clock', async () => {
  const home = await temporaryFolder();
  await runHere(['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes'], { home });
  await runHere(['sandbox', 'clock', 'advance', '5m'], { home });
  for (const args of [['history'], ['status']])
    expect((await runHere(args, { home, terminals: AT_TERMINAL, columns: 80 })).stdout).toContain(
      '5 minutes ago',
    );
  await runHere(['sandbox', 'clock', 'reset'], { home });
  expect((await runHere(['history'], { home, terminals: AT_TERMINAL, columns: 80 })).stdout).toMatch(
    /just now|seconds? ago/,
  );
});

it('resolve, refund, create and batch measure the age of a sandbox swap by the sandbox clock', async () => {
  const home = await temporaryFolder();
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr } = await runHere(args, { home, terminals: AT_TERMINAL, columns: 200 });
    return `${stdout}${stderr}`;
  };
  const wanted = ['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes'];
  await runHere(['sandbox', 'fault', 'add', 'create-transaction', '--drop', 'after', '--times', '1'], {
    home,
  });
  await runHere(wanted, { home });
  const orders = await runHere(['sandbox', 'orders', '--json'], { home });
  const [{ order }] = JSON.parse(orders.stdout) as [{ order: string }];
  const history = await runHere(['history', '--json'], { home });
  const [{ id }] = JSON.parse(history.stdout) as [HistoryResult];
  await runHere(['sandbox', 'clock', 'advance', '5m'], { home });
  expect(await run('history', 'resolve', id, '--order', order)).toContain('5 minutes ago');
  expect(await run('refund', order, ADDRESSES.btcRefund, '--yes')).toContain('5 minutes ago');
  expect(await run(...wanted)).toContain(`Order ${order}, created 5 minutes ago`);
  await runHere(['sandbox', 'clock', 'advance', '1h'], { home });
  writeFileSync(join(home, 'rows.csv'), `from,to,amount,address\nBTC,ETH,0.2,${ADDRESSES.eth}\n`);
  await runHere(['batch', join(home, 'rows.csv'), '--yes'], { home });
  await runHere(['sandbox', 'clock', 'advance', '2h'], { home });
  expect(await run('batch', join(home, 'rows.csv'), '--yes')).toMatch(
    /was created for an equal row 2 hours ago/,
  );
});
