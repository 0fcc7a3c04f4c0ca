import type { SwapctlError } from '../../../src/base/errors.ts';
import type { Entry } from '../../../src/core/ledger/entry.ts';
import type { RowResult } from '../../../src/core/swaps/batch/create.ts';
import type { RepeatOptions } from '../../../src/core/swaps/batch/keys.ts';
import type { SwapInput } from '../../../src/core/swaps/check.ts';
import type { CreatedSwap } from '../../../src/core/swaps/create.ts';
import type { Model } from '../model/model.ts';
import type { PolicyModel } from '../model/policy.ts';
import type { Job, ShownSwap } from '../model/shown.ts';
import type { Random } from '../random.ts';
import type { ActorPlan, Plan, PolicyPlan } from '../world/plan.ts';
import type { Machine, Runner } from '../world/process.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { Account, Service } from '../world/service.ts';

/** How a program ended. */
export type Ended<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: SwapctlError }
  | { readonly kind: 'killed' };

/** A program that an actor runs. */
export interface Run {
  readonly process: Runner;
  /** A swap was shown. */
  show(swap: ShownSwap, maxAgeMs?: number): void;
}

/** How a batch is run. */
export type BatchTerms = RepeatOptions & { readonly dryRun?: boolean };

/** What actors run: the use cases in this process, or the built program. */
export interface Programs {
  /** Null if a person ended the review; `asks` has what a person at a terminal does. */
  create(
    run: Run,
    job: Job,
    key: string | null,
    approval: string | null,
    asks?: Random | null,
  ): Promise<CreatedSwap | null>;
  batch(
    run: Run,
    jobs: readonly Job[],
    onEnd: (job: Job, end: Pick<RowResult, 'error' | 'swap' | 'isEarlier'>, begunAt: number) => void,
    terms?: BatchTerms,
  ): Promise<void>;
  status(run: Run): Promise<void>;
  listen(run: Run, forMs: number | null): Promise<void>;
  watch(run: Run, order: string, forMs: number): Promise<void>;
  resolve(run: Run, id: string, order: string | null): Promise<void>;
  refund(run: Run, order: string, address: string, approval: string | null): Promise<void>;
  history(run: Run): Promise<readonly Pick<Entry, 'id' | 'outcome' | 'account' | 'requestedAt'>[]>;
  stopOrResume(run: Run, isStop: boolean): Promise<void>;
  /** Sets the policy; missing where only the built program runs. */
  setPolicy?(run: Run, plan: PolicyPlan): Promise<void>;
  approve(run: Run, model: PolicyModel, isGood: () => boolean): Promise<void>;
  api(run: Run, asked: SwapInput): Promise<string>;
  /** Reads, writes or tries something as people at a desk do; missing where only the built program runs. */
  runErrand?(run: Run, random: Random): Promise<void>;
  /** What a program of the library does in place of the commands; missing where only the built program runs. */
  readonly library?: LibraryPrograms;
}

/** Programs of the library. */
export interface LibraryPrograms {
  /** Creates a swap; it throws where the command shows a swap that the ledger could not record. */
  create: Programs['create'];
  refund: Programs['refund'];
  /** Follows the swaps of the ledger and handles their events, for some time. */
  follow(run: Run, forMs: number): Promise<void>;
}

/** Where actors act: a simulated world, or a real service with real processes. */
export interface Stage {
  readonly plan: Plan;
  readonly programs: Programs;
  readonly scheduler: Pick<Scheduler, 'now' | 'sleep'>;
  readonly model: Model;
  readonly service: Pick<Service, 'accounts' | 'operator'>;
  /** Milliseconds that have passed since a time of a process's clock. */
  ageOf(at: number): number;
  tell(words: string): void;
  machine(random: Random): Machine;
  run<T>(
    name: string,
    machine: Machine,
    work: (run: Run) => Promise<T>,
    options: { readonly isBudgeted?: boolean; readonly account: Account },
  ): Promise<Ended<T>>;
}

/** What an actor works with. */
export interface Acting {
  readonly world: Stage;
  readonly programs: Programs;
  readonly plan: ActorPlan;
  readonly random: Random;
  readonly account: Account;
  /** Set for an actor whose programs use the library in place of the commands. */
  readonly library: LibraryPrograms | null;
  /** Runs a program on one of the machines. */
  run<T>(work: (program: Run) => Promise<T>, options?: { readonly isBudgeted: boolean }): Promise<Ended<T>>;
}

/** A pause of an actor, in milliseconds: its own, or one between two bounds. */
export function pauseOf(
  { plan: { pauses }, random }: Pick<Acting, 'plan' | 'random'>,
  low: number,
  high: number,
): number {
  return pauses === undefined
    ? random.between(low, high)
    : random.between(pauses[0] * 1000, pauses[1] * 1000);
}

/** Whether an error is one that a person would answer by running the same command again. */
export function isWorthRepeating(error: SwapctlError): boolean {
  return error.retryable || error.code === 'storage_failed' || error.code === 'interrupted';
}

/** The approval that a program wants; null if it ended with another error, or well. */
export function wantedApproval(ended: Ended<unknown>): string | null {
  if (ended.kind !== 'failed') return null;
  const { code, details } = ended.error;
  const { approval } = (details ?? {}) as { readonly approval?: { readonly id: string } | null };
  return code === 'approval_required' ? (approval?.id ?? null) : null;
}
