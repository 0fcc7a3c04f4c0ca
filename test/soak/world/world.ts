import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SwapctlError } from '../../../src/base/errors.ts';
import { type StartedRun, startProgram } from '../../helpers/program.ts';
import type { Run as ProgramRun } from '../../helpers/run.ts';
import type { Ended, Run, Stage } from '../../simulation/actors/stage.ts';
import { Model } from '../../simulation/model/model.ts';
import { Receiver } from '../../simulation/model/receiver.ts';
import type { ShownSwap } from '../../simulation/model/shown.ts';
import { Violation } from '../../simulation/model/violation.ts';
import type { Random } from '../../simulation/random.ts';
import { Faults } from '../../simulation/world/faults.ts';
import { People } from '../../simulation/world/people.ts';
import type { Machine } from '../../simulation/world/process.ts';
import type { Scheduler } from '../../simulation/world/scheduler.ts';
import type { Account } from '../../simulation/world/service.ts';
import type { WatchedLedger } from './ledger.ts';
import { PACE, type soakPlan } from './plan.ts';
import { RealProcess } from './process.ts';
import { programsOf } from './programs.ts';
import { startProxy, type Tunnel } from './proxy.ts';
import { type Hooks, startHooks } from './receiver.ts';
import { BASE_URL, type RealService } from './service.ts';

/** Pause between two reads of committed changes, in milliseconds. */
const STEP_MS = 250;
/** Time within which a program is killed or interrupted, in milliseconds. */
const MAX_LIFE_MS = 3_000;
/** The machines of this world, each with its own home folder. */
export const MACHINES = ['alpha', 'beta'] as const;

/** Thrown if a process was killed, so that its actor learns no result. */
class KilledError extends Error {}

/** The options of a world. */
interface WorldParts {
  readonly plan: ReturnType<typeof soakPlan>;
  readonly service: RealService;
  readonly folder: string;
  /** Path of `bin/swapctl.js`; undefined for this checkout. */
  readonly program: string | undefined;
  readonly openLedger: (processOf: (name: string) => RealProcess | undefined) => Promise<WatchedLedger>;
}

/** How a process of the program runs. */
interface ExecOptions {
  readonly input?: string;
  readonly onLine?: (line: string) => void;
  /** Time until SIGTERM, in milliseconds. */
  readonly stopAfterMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Real processes on one ledger and a real service, checked by the model of the simulation. */
export class RealWorld implements Stage {
  readonly plan: WorldParts['plan'];
  readonly service: RealService;
  readonly folder: string;
  readonly faults: Faults;
  readonly model: Model;
  readonly people: People;
  readonly ledger: WatchedLedger;
  readonly programs;
  readonly story: string[] = [];
  readonly counts = { programs: 0, processes: 0 };
  readonly scheduler: Pick<Scheduler, 'now' | 'sleep' | 'after'>;
  /** Aborted when no more programs may start and no more people may act. */
  #over = new AbortController();
  readonly #program: string | undefined;
  readonly #processes: Map<string, RealProcess>;
  #proxy!: Tunnel;
  #hooks!: Hooks;
  #steps: Promise<void> = Promise.resolve();

  private constructor(
    { plan, service, folder, program }: WorldParts,
    ledger: WatchedLedger,
    processes: Map<string, RealProcess>,
  ) {
    this.plan = plan;
    this.service = service;
    this.folder = folder;
    this.ledger = ledger;
    this.#program = program;
    this.#processes = processes;
    const tell = (words: string) => this.tell(words);
    this.faults = new Faults(`soak ${plan.seed}`, plan.faults, tell);
    const begun = performance.now();
    const { signal } = this.#over;
    this.scheduler = {
      get now() {
        return performance.now() - begun;
      },
      sleep: (milliseconds) => pause(milliseconds / PACE, undefined, { signal }).catch(() => undefined),
      after: (milliseconds, run) => void setTimeout(() => signal.aborted || run(), milliseconds / PACE),
    };
    const { scheduler } = this;
    const options = { isBudgetExact: true, policy: plan.policy, pace: PACE };
    this.model = new Model(ledger.committed, scheduler, service, options);
    this.people = new People(plan, { scheduler, service, model: this.model }, tell);
    this.programs = programsOf(this);
  }

  static async open(parts: WorldParts): Promise<RealWorld> {
    const processes = new Map<string, RealProcess>();
    const processOf = (name: string) => processes.get(name);
    const ledger = await parts.openLedger(processOf);
    const world = new RealWorld(parts, ledger, processes);
    for (const machine of MACHINES) mkdirSync(world.homeOf(machine));
    const { model, faults } = world;
    const shared = { faults, committed: ledger.committed, processOf, step: () => world.step() };
    const tell = (words: string) => world.tell(words);
    world.#proxy = await startProxy({ ...shared, service: parts.service.url, model, tell });
    const receiver = new Receiver(model, ledger.committed, faults);
    world.#hooks = await startHooks({ ...shared, receiver, fail: model.fail });
    return world;
  }

  tell(words: string): void {
    this.story.push(`${(this.scheduler.now / 1000).toFixed(3).padStart(9)}  ${words}`);
  }

  ageOf(at: number): number {
    return (Date.now() - at) * PACE;
  }

  machine(random: Random): Machine {
    return { name: random.pick(MACHINES), offset: 0 };
  }

  homeOf(machine: string): string {
    return join(this.folder, machine);
  }

  hookOf(process: string): string {
    return `${this.#hooks.url}/${encodeURIComponent(process)}`;
  }

  /** Shows committed changes to the model, which checks its invariants and keeps a violation. */
  step(): Promise<void> {
    this.#steps = this.#steps.then(async () => {
      try {
        await this.ledger.sync(() => this.model.readLedger());
        this.model.step();
      } catch (error) {
        if (!(error instanceof Violation)) this.model.fail('soak', wordsOf(error));
      }
      if (this.model.violation !== null) this.#end();
    });
    return this.#steps;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Runs `act` for a maximum time in milliseconds, then ends all programs and faults. */
  async live(milliseconds: number, act: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => this.#end(), milliseconds);
    const acting = act();
    while (!this.isOver) {
      await this.step();
      await pause(STEP_MS);
    }
    clearTimeout(timer);
    await acting;
    await this.step();
    this.faults.isOver = true;
    this.#over = new AbortController();
  }

  /** Kills all running programs and starts no more, as if the machines were switched off. */
  #end(): void {
    this.#over.abort();
    for (const process of this.#processes.values()) if (process.isAlive) process.kill();
  }

  /** Runs a program until it ends or is killed. */
  async run<T>(
    actor: string,
    machine: Machine,
    work: (run: Run) => Promise<T>,
    { isBudgeted = false, account }: { readonly isBudgeted?: boolean; readonly account: Account },
  ): Promise<Ended<T>> {
    if (this.isOver) return { kind: 'killed' };
    this.counts.programs += 1;
    const name = `${actor}#${this.counts.programs}`;
    const process = new RealProcess({ name, machine, account, isBudgeted });
    this.#processes.set(name, process);
    this.tell(`${name} starts on ${machine.name} for ${account.owner.profile}`);
    const life = Math.ceil(this.faults.random.next() * MAX_LIFE_MS);
    const timers = [
      ...(this.faults.strikes('killed', name) ? [setTimeout(() => process.kill(), life)] : []),
      ...(this.faults.strikes('interrupted', name) ? [setTimeout(() => process.signal('SIGINT'), life)] : []),
    ];
    const show = (swap: ShownSwap, maxAgeMs?: number) => {
      this.model.shown(process, swap, maxAgeMs);
      if (process.isAlive && swap.fundable && swap.order !== null)
        this.people.shown(swap.order, swap.deposit.amount ?? '0');
    };
    try {
      const value = await work({ process, show });
      this.tell(`${name} ends well`);
      return { kind: 'done', value };
    } catch (error) {
      if (error instanceof SwapctlError) {
        this.tell(`${name} ends with ${error.code}: ${error.message}`);
        return { kind: 'failed', error };
      }
      if (!(error instanceof KilledError) && !(error instanceof Violation))
        this.model.fail('internal error', `${name}: ${wordsOf(error)}`);
      return { kind: 'killed' };
    } finally {
      for (const timer of timers) clearTimeout(timer);
      process.isAlive = false;
      await this.step();
    }
  }

  /** Runs a process until it ends. Throws if it was killed. */
  async exec({ process }: Run, args: readonly string[], options: ExecOptions = {}): Promise<ProgramRun> {
    const real = this.real(process);
    if (!real.isAlive || this.isOver) throw new KilledError();
    this.counts.processes += 1;
    const started = this.#start(real, args, options);
    const stop = () => started.child.kill('SIGTERM');
    const timer = options.stopAfterMs === undefined ? undefined : setTimeout(stop, options.stopAfterMs);
    try {
      const following = real.follow(started);
      if (options.onLine !== undefined)
        await eachLine(started, (line) => real.isAlive && options.onLine?.(line));
      const ended = await following;
      // A signal also ends a program that has no signal handlers yet.
      if (!real.isAlive || ended.code === null) throw new KilledError();
      this.model.refuseSecrets(real, `${ended.stdout}${ended.stderr}`);
      return ended;
    } finally {
      clearTimeout(timer);
    }
  }

  #start(process: RealProcess, args: readonly string[], { input, env }: ExecOptions): StartedRun {
    const { name, machine, account } = process;
    const { publicKey, secret } = account.credentials;
    return startProgram(args, {
      home: this.homeOf(machine.name),
      ...(input === undefined ? {} : { input }),
      ...(this.#program === undefined ? {} : { program: this.#program }),
      env: {
        SWAPCTL_BASE_URL: BASE_URL,
        SWAPCTL_PUBLIC_KEY: publicKey,
        SWAPCTL_SECRET: secret,
        SWAPCTL_LEDGER: this.ledger.locationFor(name),
        http_proxy: this.#proxy.urlFor(name),
        // Webhooks do not use the proxy.
        no_proxy: new URL(this.#hooks.url).host,
        ...(this.faults.random.chance(0.3) ? { SWAPCTL_DEBUG: '1' } : {}),
        ...env,
      },
    });
  }

  /** The process of a runner in the model. */
  real({ name }: { readonly name: string }): RealProcess {
    const process = this.#processes.get(name);
    if (process === undefined) throw new TypeError(`No process ${name}.`);
    return process;
  }

  async close(): Promise<void> {
    this.#end();
    await this.#steps;
    await this.#proxy.close();
    await this.#hooks.close();
    await this.ledger.close();
    await this.service.close();
  }
}

/** Calls `onLine` with each line of standard output when it arrives, until the last one. */
async function eachLine({ child }: StartedRun, onLine: (line: string) => void): Promise<void> {
  let rest = '';
  for await (const text of child.stdout ?? []) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
