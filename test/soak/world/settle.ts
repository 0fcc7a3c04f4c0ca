import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../../src/core/ledger/report/report.ts';
import type { Reconciliation } from '../../../src/core/swaps/reconcile.ts';
import type { Run } from '../../simulation/actors/stage.ts';
import {
  checkMoney,
  checkReconciled,
  checkReport,
  checkSecrets,
  checkStatuses,
  type Endings,
  mistakenStatement,
  STATED,
} from '../../simulation/model/endings.ts';
import { policyText } from '../../simulation/world/approver.ts';
import type { Account } from '../../simulation/world/service.ts';
import { BUDGET_FLAGS, errorIn } from './programs.ts';
import { MACHINES, type RealWorld } from './world.ts';

const MINUTE = 60_000;
/** Longer than any lease and any window. */
const LONG = 50 * MINUTE;
/** Longer than the longest pause before a delivery is retried. */
const VERY_LONG = 26 * 60 * MINUTE;
/** Time limit for a program without faults. */
const MAX_LAST_MS = 3 * MINUTE;

/** Exit code of `reconcile` for a statement that does not match. */
const DIFFERS = 9;

const CLOCK = join(import.meta.dirname, '..', '..', 'crash', 'clock.cjs');

/** Stores the policy, with the keys of all machines as approvers. */
export async function guard(world: RealWorld): Promise<void> {
  const keys: string[] = [];
  const { policy } = world.plan;
  world.faults.isOver = true;
  const file = join(world.folder, 'policy.json');
  for (const machine of MACHINES) {
    const shown = await last(world, 0, () => ['policy', 'approvals', 'key', '--json'], { machine });
    keys.push((JSON.parse(shown) as { readonly publicKey: string }).publicKey);
  }
  writeFileSync(file, policyText(policy, keys));
  await last(world, 0, () => ['policy', 'set', file, '--yes', '--json']);
  world.faults.isOver = false;
}

/** Settles everything without faults, as at the end of a simulated world. */
export async function settle(world: RealWorld): Promise<void> {
  const { model, service, ledger } = world;
  const { committed } = ledger;
  const waiting = () => committed.rows(`select id from events where delivery = 'pending' limit 1`).length > 0;
  let ahead = 0;
  for (const time of [LONG, VERY_LONG]) {
    if (time === VERY_LONG && !waiting()) continue;
    ahead += time;
    service.pass(time);
    for (const account of service.accounts)
      await last(world, ahead, ({ process }) => [...LISTEN, '--forward-to', world.hookOf(process.name)], {
        account,
      });
    await world.step();
  }
  if (waiting()) throw model.fail('delivery', 'an event is never delivered');
  const endings = await service.endings(model);
  const rest = { model, disk: committed };
  checkStatuses(rest, endings);
  await checkBooks(world, ahead, endings);
  checkMoney(rest, endings);
  checkSecrets(rest);
  for (const machine of MACHINES) checkFiles(world, world.homeOf(machine));
  model.policy.checkChain(committed);
  model.refunds.checkEnds();
  await last(world, ahead, () => ['policy', 'audit', 'verify', '--json']);
}

const LISTEN = ['listen', '--once', '--json', ...BUDGET_FLAGS];

/** Runs a program on a machine whose clock is ahead, and returns its output. Throws if it fails or takes too long. */
async function last(
  world: RealWorld,
  ahead: number,
  args: (run: Run) => readonly string[],
  {
    account = world.service.accounts[0],
    machine = MACHINES[0],
    mayDiffer = false,
  }: { readonly account?: Account; readonly machine?: string; readonly mayDiffer?: boolean } = {},
): Promise<string> {
  const env = { NODE_OPTIONS: `--require=${CLOCK}`, CRASH_CLOCK_BACK: String(-ahead) };
  let words = '';
  const timer = setTimeout(() => {
    world.model.fail('at last', `${words} never ends, though nothing goes wrong any more`);
    void world.step();
  }, MAX_LAST_MS);
  const ended = await world.run(
    'last',
    { name: machine, offset: 0 },
    async (run) => {
      const given = args(run);
      words = given.join(' ');
      const { code, stdout, stderr } = await world.exec(run, given, { env });
      if (code !== 0 && !(mayDiffer && code === DIFFERS)) throw errorIn(stderr);
      return stdout;
    },
    { account },
  );
  clearTimeout(timer);
  if (ended.kind === 'failed') throw world.model.fail('at last', `${words} ends with ${ended.error.message}`);
  if (ended.kind === 'killed') throw world.model.fail('at last', `${words} does not end by itself`);
  return ended.value;
}

/** Checks that a report and a reconciliation agree with the orders. */
async function checkBooks(world: RealWorld, ahead: number, endings: Endings): Promise<void> {
  const { model, ledger } = world;
  const { total } = JSON.parse(
    await last(world, ahead, () => ['report', '--json', '--share', '100%']),
  ) as Report;
  const rest = { model, disk: ledger.committed };
  checkReport(rest, total, endings);
  const file = join(world.folder, 'statement.csv');
  const mistaken = mistakenStatement(rest, endings, world.faults.random);
  const lines = [...mistaken.stated].map(([order, cells]) =>
    [order, ...STATED.map((name) => cells[name] ?? '')].join(','),
  );
  writeFileSync(file, [`order,${STATED.join(',').replace('type', 'ratetype')}`, ...lines, ''].join('\n'));
  const compared = await last(world, ahead, () => ['reconcile', file, '--json'], { mayDiffer: true });
  checkReconciled(rest, JSON.parse(compared) as Reconciliation, endings, mistaken);
}

/** Checks that no file in a home folder contains a secret. */
function checkFiles({ model }: RealWorld, home: string): void {
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (model.hasSecret(readFileSync(path, 'latin1'))) throw model.fail('secrets', `${path} has a secret`);
  }
}
