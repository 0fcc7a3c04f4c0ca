import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openOperator } from '../../src/sandbox/operator/operator.ts';
import type { SandboxOrder } from '../../src/sandbox/operator/order-view.ts';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { HAS_SQLITE3, sqlite3 } from '../helpers/locks.ts';
import { call, NEW_SWAP, type Place } from '../sandbox/sandbox.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** Real seconds for each database, during which an hour of sandbox time passes. */
const SECONDS = Number.parseInt(process.env['SWAPCTL_SOAK_SECONDS'] ?? '150', 10);
const VIRTUAL_MS = 3_600_000;
const ADVANCES = 60;
const CLIENTS = 4;
/** Pause between two requests of a client, which limits the load. */
const BREATH_MS = 30;
const ANSWER_MS = 15_000;

const TABLE = join(import.meta.dirname, '..', '..', 'docs', 'evidence', 'soak.md');
const HEAD = `# Soak test: two servers for an hour

\`npm run soak\` runs two servers on one database. One is killed (SIGKILL) and restarted every ten seconds, the other is suspended
(SIGSTOP) for four seconds out of every ten. Four clients create orders, every second order gets a deposit, and an hour of the
sandbox's time passes. On SQLite, \`sqlite3\` also checks the file four times a second. "Lost" counts orders that were acknowledged but
do not exist afterwards.

| database | seconds | acknowledged | refused or no response | lost | duplicate numbers | duplicate addresses | transitions | duplicate transitions | checks by sqlite3 | kills | suspensions |
|---|---|---|---|---|---|---|---|---|---|---|---|
`;

/** The counts of a run, in the order of the table. */
interface Tally {
  readonly acknowledged: string[];
  readonly transitions: string[];
  failed: number;
  checks: number;
  kills: number;
  stops: number;
}

beforeAll(() => {
  mkdirSync(join(TABLE, '..'), { recursive: true });
  writeFileSync(TABLE, HEAD);
});

const repeated = (list: readonly string[]): number => list.length - new Set(list).size;

describe.each(BOTH_DATABASES)('two sandbox servers for an hour on $kind', ({ kind, fresh }) => {
  it('lose no acknowledged order and make no number, address or transition twice', async () => {
    const [database, home] = [await fresh(), await temporaryFolder()];
    const operator = await openOperator({ database });
    const [credentials] = await operator.partners.list();
    if (credentials === undefined) throw new Error('no partner');
    const servers = [
      await startServer(home, database, credentials),
      await startServer(home, database, credentials),
    ] as const;
    const tally: Tally = { acknowledged: [], transitions: [], failed: 0, checks: 0, kills: 0, stops: 0 };
    const end = performance.now() + SECONDS * 1000;
    const isOver = () => performance.now() >= end;

    await Promise.all([
      ...Array.from({ length: CLIENTS }, (_, at) => create(servers[at % 2] ?? servers[0], tally, isOver)),
      disturb(servers, tally, isOver),
      operate(operator, tally, isOver),
      ...(kind === 'sqlite' && HAS_SQLITE3 ? [checkFile(database, tally, isOver)] : []),
    ]);
    for (const server of servers) await server.end();

    const orders = await operator.orders.list();
    await operator.close();
    const findings = note(kind, tally, orders);
    expect(findings).toEqual([0, 0, 0, 0]);
    expect(tally.acknowledged.length).toBeGreaterThan(SECONDS);
    expect(tally.transitions.length).toBeGreaterThan(0);
  });
});

async function create(server: ServerProcess, tally: Tally, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const place = server.place();
    const order = place === undefined ? undefined : await createdBy(place);
    if (order === undefined) tally.failed += 1;
    else tally.acknowledged.push(order);
    await pause(order === undefined ? BREATH_MS * 10 : BREATH_MS);
  }
}

async function createdBy(place: Place): Promise<string | undefined> {
  const answer = call(place, 'create-transaction', NEW_SWAP).catch(() => undefined);
  const late = pause(ANSWER_MS, undefined, { ref: false });
  const given = await Promise.race([answer, late]);
  return given?.status === 201 ? given.json.orderNumber : undefined;
}

/** Kills one server every ten seconds and stops the other for four seconds in between. */
async function disturb(
  [killed, stopped]: readonly [ServerProcess, ServerProcess],
  tally: Tally,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await pause(3000);
    stopped.signal('SIGSTOP');
    tally.stops += 1;
    await pause(4000);
    stopped.signal('SIGCONT');
    await pause(3000);
    await killed.restart();
    tally.kills += 1;
  }
}

/** Funds every second order, advances the clock, and records the transitions. */
async function operate(
  operator: Awaited<ReturnType<typeof openOperator>>,
  tally: Tally,
  isOver: () => boolean,
): Promise<void> {
  const withRetry = <T>(work: () => Promise<T>): Promise<T> => work().catch(() => work());
  const began = performance.now();
  let advanced = 0;
  for (let funded = 0; advanced < VIRTUAL_MS; ) {
    for (; funded < tally.acknowledged.length; funded += 2) {
      const order = tally.acknowledged[funded] ?? '';
      // The deposit is rejected if the window of the order has ended.
      await operator.orders.deposit(order).catch(() => undefined);
      if (funded % 20 === 0) break;
    }
    funded += 2;
    const passed = isOver() ? 1 : (performance.now() - began) / (SECONDS * 1000);
    const due = Math.max(1, Math.floor(VIRTUAL_MS * passed) - advanced);
    const { transitions } = await withRetry(() => operator.clock.advance(due));
    advanced += due;
    tally.transitions.push(...transitions.map(({ order, from, to, at }) => `${order} ${from} ${to} ${at}`));
    await pause((SECONDS * 1000) / ADVANCES);
  }
}

async function checkFile(database: string, tally: Tally, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    expect(await sqlite3(database, 'pragma quick_check')).toBe('ok');
    tally.checks += 1;
    await pause(250);
  }
}

/** Adds a row to the table and returns the four figures that must be 0. */
function note(kind: string, tally: Tally, orders: readonly SandboxOrder[]): readonly number[] {
  const recorded = new Set(orders.map(({ order }) => order));
  const lost = tally.acknowledged.filter((order) => !recorded.has(order)).length;
  const numbers = repeated(orders.map(({ order }) => order)) + repeated(tally.acknowledged);
  const addresses = repeated(orders.map(({ deposit }) => deposit.address));
  const twice = repeated(tally.transitions);
  const { acknowledged, transitions, failed, checks, kills, stops } = tally;
  const figures = [SECONDS, acknowledged.length, failed, lost, numbers, addresses, transitions.length, twice];
  appendFileSync(TABLE, `| ${[kind, ...figures, checks, kills, stops].join(' | ')} |\n`);
  return [lost, numbers, addresses, twice];
}
