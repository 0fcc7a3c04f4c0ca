import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openOperator } from '../../src/sandbox/operator/operator.ts';
import type { ResultLine } from '../cli/commands/batch/desk.ts';
import { resultsOf } from '../cli/commands/batch/desk.ts';
import type { StartedRun } from '../helpers/program.ts';
import { startProgram } from '../helpers/program.ts';
import type { Run } from '../helpers/run.ts';
import { runMain } from '../helpers/run-main.ts';
import { ADDRESSES } from '../helpers/swap-service.ts';
import { startServer } from './server-process.ts';

/** The result of a batch that was killed repeatedly. */
export interface KilledBatch {
  readonly kills: number;
  readonly seconds: number;
  /** Rows that the last run reported as created, and as unknown. */
  readonly created: number;
  readonly unknown: number;
  /** Unknown rows that had made an order. */
  readonly unknownWithOrder: number;
  /** Peak memory of the last killed run, in megabytes, or null if unknown. */
  readonly megabytes: number | null;
  /** Orders in the sandbox after every unknown row was settled and the file was run again. */
  readonly orders: number;
  /** Every deviation from what is expected. */
  readonly problems: readonly string[];
}

/** The unique amount of a row, which identifies its order. */
const amountOf = (row: number): string => `0.1${String(row).padStart(6, '0')}`;
const rowOf = (amount: string | null): number => Math.round((Number(amount) - 0.1) * 1e7);

/**
 * Runs a batch on its own sandbox, kills it after it has printed a number of rows, and runs the same file again, each time
 * under another profile name of the same key pair. At the end every unknown outcome is settled with `history resolve`, and
 * the file is run once more.
 */
export async function killedBatch(
  home: string,
  rows: number,
  killAt: readonly number[],
): Promise<KilledBatch> {
  const database = join(home, 'sandbox.db');
  const operator = await openOperator({ database });
  const [credentials] = await operator.partners.list();
  if (credentials === undefined) throw new Error('The sandbox has no partner.');
  const server = await startServer(home, database, credentials);
  const env = {
    ...{ SWAPCTL_BASE_URL: server.place()?.url ?? '', SWAPCTL_PUBLIC_KEY: credentials.publicKey },
    SWAPCTL_SECRET: credentials.secret,
  };
  const file = join(home, 'rows.csv');
  const lines = Array.from({ length: rows }, (_, row) => `BTC,ETH,${amountOf(row + 1)},${ADDRESSES.eth}\n`);
  writeFileSync(file, `from,to,amount,address\n${lines.join('')}`);
  const args = ['batch', file, '--yes', '--json', '--quiet', '--budget', '9999999/60s', '--tolerance', '5%'];
  const login = ['--base-url', env.SWAPCTL_BASE_URL, '--public-key', env.SWAPCTL_PUBLIC_KEY, '--with-secret'];
  for (const name of ['prod', 'production'])
    await runMain(['auth', 'login', '-p', name, ...login], { home, input: env.SWAPCTL_SECRET });
  const names = [[], ['-p', 'prod'], ['-p', 'production']];
  const begun = performance.now();
  let megabytes: number | null = null;
  try {
    for (const [index, printed] of killAt.entries()) {
      const run = startProgram([...args, ...(names[index % names.length] ?? [])], { home, env });
      await untilPrinted(run, printed);
      megabytes = memoryOf(run) ?? megabytes;
      run.child.kill('SIGKILL');
      await run.ended;
    }
    const last = await runMain(args, { home, env });
    const found = resultsOf(last);
    const before = await ordersByRow(operator);
    const problems = problemsOf(last, found, rows, before);
    const unknown = found.filter(({ outcome }) => outcome === 'unknown');
    await settle(unknown, before, { home, env });
    const whole = await runMain(args, { home, env });
    const after = await ordersByRow(operator);
    if (whole.code !== 0) problems.push(`the last run ends with ${whole.code}: ${whole.stderr.slice(-500)}`);
    problems.push(...problemsOf(whole, resultsOf(whole), rows, after));
    const [created, unknownWithOrder] = [
      found.length - unknown.length,
      unknown.filter(({ row }) => before.has(row)),
    ];
    return {
      ...{ kills: killAt.length, seconds: Math.round((performance.now() - begun) / 1000), created },
      ...{ unknown: unknown.length, unknownWithOrder: unknownWithOrder.length, megabytes, problems },
      orders: [...after.values()].flat().length,
    };
  } finally {
    await server.end();
    await operator.close();
  }
}

/** Waits until a run has printed a number of rows or has ended. */
async function untilPrinted(run: StartedRun, rows: number): Promise<void> {
  let [printed, at] = [0, 0];
  while (printed < rows && run.child.exitCode === null) {
    await pause(2);
    const text = run.stdout();
    for (let end = text.indexOf('\n', at); end >= 0; end = text.indexOf('\n', at)) {
      printed += 1;
      at = end + 1;
    }
  }
}

/** Peak resident memory of a process from /proc, in megabytes, or null if unknown. */
function memoryOf({ child }: StartedRun): number | null {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024);
  } catch {
    return null;
  }
}

type OrdersByRow = ReadonlyMap<number, readonly string[]>;

async function ordersByRow(operator: Awaited<ReturnType<typeof openOperator>>): Promise<OrdersByRow> {
  const found = new Map<number, string[]>();
  for (const { order, deposit } of await operator.orders.list()) {
    const row = rowOf(deposit.amount);
    found.set(row, [...(found.get(row) ?? []), order]);
  }
  return found;
}

/** Compares the output of a finished run with the orders in the sandbox. */
function problemsOf(run: Run, found: readonly ResultLine[], rows: number, orders: OrdersByRow): string[] {
  const problems: string[] = [];
  if (found.map(({ row }) => row).join() !== Array.from({ length: rows }, (_, row) => row + 1).join())
    problems.push(`${found.length} rows were printed, or not in order: ${run.stderr.slice(-500)}`);
  if (new Set(found.map(({ idempotencyKey }) => idempotencyKey)).size !== rows)
    problems.push('a key occurs twice');
  for (const { row, outcome, swap, error } of found) {
    const made = orders.get(row) ?? [];
    if (made.length > 1) problems.push(`row ${row} has ${made.length} orders`);
    const hasOrder = outcome === 'created' || outcome === 'existing';
    if (hasOrder && made[0] !== swap?.order) problems.push(`row ${row} has another order than printed`);
    if (!hasOrder && outcome !== 'unknown') problems.push(`row ${row} is ${outcome}: ${error?.message}`);
  }
  return problems;
}

/** Settles unknown rows with the order that was made, or dismisses them. */
async function settle(
  rows: readonly ResultLine[],
  orders: OrdersByRow,
  options: { readonly home: string; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  // Without a key pair in the environment, history lists entries of all profiles.
  const history = await runMain(['history', '--json', '--status', 'unknown'], { home: options.home });
  const entries = history.json<{ id: string; idempotencyKey: string | null }[]>();
  for (const { row, idempotencyKey: key } of rows) {
    const id = entries.find(({ idempotencyKey }) => idempotencyKey === key)?.id ?? 'none';
    const [order] = orders.get(row) ?? [];
    const how = order === undefined ? ['--dismiss'] : ['--order', order];
    await runMain(['history', 'resolve', id, ...how], options);
  }
}
