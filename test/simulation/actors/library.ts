import type { CreatedSwap } from '../../../src/core/swaps/create.ts';
import { callsOn, type LedgerCalls } from '../../../src/library/ledger-client.ts';
import { BUDGET } from '../model/budget.ts';
import { type Job, labelsOf } from '../model/shown.ts';
import { Random } from '../random.ts';
import type { Program } from '../world/world.ts';

/** A client of the library with the ledger of a process. */
export function libraryOf({ ports }: Program): LedgerCalls {
  return callsOn(
    (_, work) => work(ports),
    { budget: BUDGET },
    async () => undefined,
  );
}

/** A create by the library, which returns what the command shows. */
async function createByLibrary(
  program: Program,
  job: Job,
  key: string | null,
  approval: string | null,
): Promise<CreatedSwap> {
  const { memoWaived: noMemo, tolerance: _, ...request } = job.asked;
  const { replayed, warnings, ...swap } = await libraryOf(program).create({
    ...request,
    noMemo,
    labels: labelsOf(job),
    ...(key === null ? {} : { idempotencyKey: key }),
    ...(approval === null ? {} : { approval }),
  });
  return { swap, replayed, warnings: [], notices: warnings, ledgerError: null };
}

/** A refund address by the library. */
async function refundByLibrary(
  program: Program,
  order: string,
  address: string,
  approval: string | null,
): Promise<void> {
  await libraryOf(program).setRefundAddress(order, address, approval === null ? {} : { approval });
}

const FILTERS = [null, null, ['swap.*'], ['swap.*', 'create.*'], ['create.*', 'approval.*']] as const;

/** `follow` of the library, for some time, perhaps with a filter of event types. */
async function follow(program: Program, forMs: number): Promise<void> {
  const { world, process, ports } = program;
  const end = new AbortController();
  world.scheduler.after(forMs, () => process.isAlive && end.abort());
  ports.signal.addEventListener('abort', () => end.abort(ports.signal.reason));
  const events = new Random(`${world.plan.seed} ${process.name} filter`).pick(FILTERS);
  const options = { name: process.name.replaceAll('#', '-'), signal: end.signal };
  await libraryOf(program).follow(world.receiver.handlerOf(process, events), {
    ...options,
    ...(events === null ? {} : { events }),
  });
}

/** Programs of the library. */
export const LIBRARY = { create: createByLibrary, refund: refundByLibrary, follow };
