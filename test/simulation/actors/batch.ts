import type { SwapctlError } from '../../../src/base/errors.ts';
import { rowCheck } from '../../../src/core/swaps/batch/check.ts';
import type { RowResult } from '../../../src/core/swaps/batch/create.ts';
import { type CheckedRow, createAll, MAX_AT_ONCE } from '../../../src/core/swaps/batch/create.ts';
import { budgetedService } from '../../../src/core/swaps/batch/pace.ts';
import { freshPrices } from '../../../src/core/swaps/batch/prices.ts';
import { Totals } from '../../../src/core/swaps/batch/totals.ts';
import { BUDGET } from '../model/budget.ts';
import { type Job, labelsOf } from '../model/shown.ts';
import type { Program } from '../world/world.ts';
import type { BatchTerms } from './stage.ts';

/** `swapctl batch`. */
export async function batch(
  { ports: usual, process, world }: Program,
  jobs: readonly Job[],
  onEnd: (job: Job, end: RowResult, begunAt: number) => void,
  { dryRun = false, ...repeats }: BatchTerms = { resume: false, repeat: false },
): Promise<void> {
  // Whoever creates keeps to the budget that all share.
  const notify: typeof usual.notify = async (notice) => {
    if (!dryRun && notice.text.includes('to this command only'))
      throw world.model.fail('budget', `${process.name} goes on: ${notice.text}`);
    return usual.notify(notice);
  };
  const ports = { ...usual, notify };
  const ledger = await ports.ledger();
  await ledger.checkWritable();
  const tools = await budgetedService(ports, await ports.service(), { budget: BUDGET, dryRun });
  const { coins } = await ports.coinList();
  const check = rowCheck(ports, { ...tools, coins }, { ...repeats, dryRun });
  const totals = new Totals();
  const rows: CheckedRow[] = [];
  const faults: SwapctlError[] = [];
  for (const [index, job] of jobs.entries()) {
    const checked = await check.row(
      { row: index + 1, asked: job.asked, labels: labelsOf(job), key: job.rowKey ?? null },
      totals,
    );
    if ('faults' in checked) {
      for (const { error } of checked.faults) world.model.blamed(process, error);
      faults.push(...checked.faults.map(({ error }) => error));
    } else {
      rows.push(checked.row);
      if (checked.row.fresh !== null) world.model.reviewed(process, job, checked.row.fresh.reviewed.deposit);
    }
  }
  const fault = faults[0] ?? check.unfinishedRepeat();
  if (fault !== null) throw fault;
  totals.figures();
  tools.pace.leastMs(rows.length);
  if (dryRun) return;
  tools.pace.onWait = (until) =>
    void (until === null ? tools.pace.limitWords() : tools.pace.waitWords(until));
  world.model.lists.add(process.name);
  const freshPrice = freshPrices(ports, tools.service);
  // A row begins after the one that is so many before it was given; its result waits for all earlier rows.
  const given = Array.from({ length: MAX_AT_ONCE }, () => ports.monotonic());
  const source = (async function* () {
    yield* rows;
  })();
  for await (const end of createAll(ports, { ...tools, coins, freshPrice }, source)) {
    const job = jobs[end.row - 1];
    if (job !== undefined && process.isAlive) onEnd(job, end, given[end.row - 1] ?? 0);
    given.push(ports.monotonic());
  }
}
