import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorJson, SwapctlError } from '../../../src/base/errors.ts';
import type { BatchRow } from '../../../src/cli/commands/batch/view.ts';
import type { SwapInput } from '../../../src/core/swaps/check.ts';
import type { CreatedSwap } from '../../../src/core/swaps/create.ts';
import type { Programs, Run } from '../../simulation/actors/stage.ts';
import { BUDGET } from '../../simulation/model/budget.ts';
import type { ShownRequest } from '../../simulation/model/policy.ts';
import type { Job, ShownSwap } from '../../simulation/model/shown.ts';
import { rawCreate } from '../../simulation/world/coins.ts';
import { PACE } from './plan.ts';
import type { RealWorld } from './world.ts';

/** The request budget of the model, at the pace of a soak. */
export const BUDGET_FLAGS = ['--budget', `${BUDGET.requests}/${BUDGET.durationMs / 1000 / PACE}s`];

/** Maximum age of a swap shown from the ledger, in seconds. */
const MAX_AGE = 3;

/** Minimum run time of a listener or a watch, in milliseconds, because it takes time to start. */
const LEAST_MS = 2_500;

/** The commands of the built program that actors run, with output and errors read as in a script. */
export function programsOf(world: RealWorld): Programs {
  const ageOf = ({ process }: Run) => performance.now() - world.real(process).begunAt;
  const run = (program: Run, args: readonly string[], options: Parameters<RealWorld['exec']>[2] = {}) =>
    world.exec(program, [...args, '--json'], options);
  const mustEndWell = async (program: Run, args: readonly string[], input?: string) => {
    const ended = await run(program, args, input === undefined ? {} : { input });
    if (ended.code !== 0) throw errorIn(ended.stderr);
    return ended;
  };
  return {
    create: async (program, job, key, approval) => {
      const ended = await run(program, [
        'create',
        ...swapArguments(job.asked),
        '--label',
        `job=${job.id}`,
        '--yes',
        ...(key === null ? [] : ['--idempotency-key', key]),
        ...(approval === null ? [] : ['--approval', approval]),
      ]);
      if (ended.stdout.trim() === '') throw errorIn(ended.stderr);
      const swap = ended.json() as unknown as CreatedSwap['swap'] & { readonly replayed: boolean };
      const ledgerError = ended.code === 0 ? null : errorIn(ended.stderr);
      return {
        swap,
        notices: [],
        warnings: [ended.stderr],
        replayed: swap.replayed,
        ledgerError: ledgerError as CreatedSwap['ledgerError'],
      };
    },
    batch: async (program, all, onEnd) => {
      // A row of a batch file cannot waive the memo.
      const jobs = all.filter(({ asked }) => !asked.memoWaived);
      if (jobs.length === 0) return;
      const file = join(world.folder, `${program.process.name}.csv`);
      writeFileSync(file, csvOf(jobs));
      const begunAt = world.scheduler.now;
      const ended = await run(program, ['batch', file, '--yes', ...BUDGET_FLAGS], {
        onLine: (line) => {
          const { row, swap, error, outcome } = JSON.parse(line) as BatchRow;
          const job = jobs[row - 1];
          const isEarlier = outcome === 'existing' || (swap?.replayed ?? false);
          if (job !== undefined) onEnd(job, { swap, isEarlier, error: error && errorOf(error) }, begunAt);
        },
      });
      if (ended.code !== 0 && ended.stdout.trim() === '') throw errorIn(ended.stderr);
    },
    status: async (program) => {
      const ended = await mustEndWell(program, ['status', '--max-age', `${MAX_AGE}s`, ...BUDGET_FLAGS]);
      for (const swap of JSON.parse(ended.stdout) as ShownSwap[])
        program.show(swap, MAX_AGE * 1000 + ageOf(program));
    },
    listen: async (program, forMs) => {
      const flags = ['--forward-to', world.hookOf(program.process.name), '--interval', '1', ...BUDGET_FLAGS];
      const ended = await run(program, ['listen', ...flags, ...(forMs === null ? ['--once'] : [])], {
        ...(forMs === null ? {} : { stopAfterMs: LEAST_MS + forMs / PACE }),
        onLine: (line) => {
          const { data } = JSON.parse(line) as { readonly data: { readonly swap?: ShownSwap } };
          if (data.swap !== undefined) program.show(data.swap, MAX_AGE * 1000);
        },
      });
      if (ended.code !== 0 && !(forMs !== null && ended.code === 143)) throw errorIn(ended.stderr);
    },
    watch: async (program, order, forMs) => {
      const time = `${Math.ceil((LEAST_MS + forMs / PACE) / 1000)}s`;
      const flags = ['--watch', '--interval', '1', '--timeout', time, ...BUDGET_FLAGS];
      const ended = await run(program, ['status', order, ...flags], {
        onLine: (line) => {
          if (!line.startsWith('{"error"')) program.show(JSON.parse(line) as ShownSwap, MAX_AGE * 1000);
        },
      });
      if (ended.code !== 0 && ended.code !== 8) throw errorIn(ended.stderr);
    },
    resolve: async (program, id, order) => {
      const how = order === null ? ['--dismiss'] : ['--order', order];
      await mustEndWell(program, ['history', 'resolve', id, ...how]);
    },
    refund: async (program, order, address, approval) => {
      const flags = approval === null ? [] : ['--approval', approval];
      await mustEndWell(program, ['refund', order, address, '--yes', ...flags]);
    },
    history: async (program) => {
      await mustEndWell(program, ['report']);
      const { stdout } = await mustEndWell(program, ['history']);
      const entries = JSON.parse(stdout) as readonly {
        id: string;
        outcome: 'unknown';
        requestedAt: string;
      }[];
      return entries.map(({ id, outcome, requestedAt }) => ({
        id,
        outcome,
        requestedAt: Date.parse(requestedAt),
        account:
          world.ledger.committed.rows<{ account: string }>('select account from intents where id = ?', id)[0]
            ?.account ?? '',
      }));
    },
    stopOrResume: async (program, isStop) => {
      await mustEndWell(program, ['policy', isStop ? 'stop' : 'resume']);
    },
    approve: async (program, model, isGood) => {
      const { stdout } = await mustEndWell(program, ['policy', 'approvals', 'list']);
      for (const { id, state, until, request } of JSON.parse(stdout) as readonly ListedApproval[]) {
        if (state !== 'pending') continue;
        if (isGood()) {
          model.signed({ id, what: request, until: Date.parse(until) });
          await run(program, ['policy', 'approvals', 'grant', id, '--yes']);
        } else await run(program, ['policy', 'approvals', 'refuse', id]);
      }
    },
    api: async (program, asked) => {
      const { stdout } = await mustEndWell(
        program,
        ['api', 'create-transaction', '--input', '-', '--yes'],
        rawCreate(asked),
      );
      return stdout;
    },
  };
}

/**
 * Errors that actors may get: two key pairs use one key, a batch is repeated after its swaps ended, or a clerk links an order
 * that was changed in transit or settled by another process.
 */
const EXPECTED_USAGE =
  /^This idempotency key|for an equal row|is not the requested swap|is settled: |already belongs to another ledger entry/;

/** The last error that a program printed. Throws if there is none. */
export function errorIn(stderr: string): SwapctlError {
  const line = stderr.split('\n').findLast((each) => each.startsWith('{"error"'));
  if (line === undefined) throw new Error(`A program failed without an error: ${stderr.slice(-2_000)}`);
  return errorOf((JSON.parse(line) as { readonly error: ErrorJson }).error);
}

function errorOf(error: ErrorJson): SwapctlError {
  const { code, message, ...facts } = error;
  // A list that is refused names the problem of each row.
  const { errors = [error] } = (error.details ?? {}) as { readonly errors?: readonly ErrorJson[] };
  const isWrong = code === 'usage' && !errors.every((each) => EXPECTED_USAGE.test(each.message));
  if (code === 'internal' || isWrong) throw new Error(`A program ends with ${JSON.stringify(error)}`);
  return new SwapctlError(code, message, facts);
}

/** The part of an approval that its approver reads. */
interface ListedApproval {
  readonly id: string;
  readonly state: string;
  readonly until: string;
  readonly request: ShownRequest;
}

function swapArguments(asked: SwapInput): readonly string[] {
  const { from, to, amount, lastSource, type, address, memo, memoWaived, refundAddress, tolerance } = asked;
  return [
    `${from.coin}:${from.network}`,
    `${to.coin}:${to.network}`,
    amount,
    '--address',
    address,
    ...(memo === null ? [] : ['--memo', memo]),
    ...(memoWaived ? ['--no-memo'] : []),
    ...(lastSource === 'receive' ? ['--receive'] : []),
    type === 'fixed' ? '--fixed' : '--float',
    ...(refundAddress === null ? [] : ['--refund-address', refundAddress]),
    ...(tolerance === null ? [] : ['--tolerance', `${tolerance}%`]),
  ];
}

const COLUMNS = 'from,to,amount,address,memo,receive,type,refund_address,label.job';

function csvOf(jobs: readonly Job[]): string {
  const lines = jobs.map(({ id, asked }) => {
    const { from, to, amount, address, memo, lastSource, type, refundAddress } = asked;
    const sides = [`${from.coin}:${from.network}`, `${to.coin}:${to.network}`, amount, address, memo ?? ''];
    return [...sides, lastSource === 'receive' ? 'yes' : '', type, refundAddress ?? '', id].join(',');
  });
  return `${[COLUMNS, ...lines].join('\n')}\n`;
}
