import { SwapctlError } from '../../../src/base/errors.ts';
import type { CoinList } from '../../../src/core/client/coin-list-cache.ts';
import type { Transport } from '../../../src/core/client/transport.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import type { RateType } from '../../../src/core/swap/swap.ts';
import type { Ports, Service as ServicePort } from '../../../src/core/swaps/ports.ts';
import { clientFor } from '../actors/client.ts';
import { USE_CASES } from '../actors/programs.ts';
import type { Ended, Run } from '../actors/stage.ts';
import { Model } from '../model/model.ts';
import { Receiver } from '../model/receiver.ts';
import type { ShownSwap } from '../model/shown.ts';
import { Violation } from '../model/violation.ts';
import { Random } from '../random.ts';
import { simulated } from '../stand-ins/clock.ts';
import { APPROVER, policyText } from './approver.ts';
import { Disk } from './disk.ts';
import { Faults } from './faults.ts';
import { Network } from './network.ts';
import { People } from './people.ts';
import type { Plan } from './plan.ts';
import type { Machine } from './process.ts';
import { Process } from './process.ts';
import { Scheduler } from './scheduler.ts';
import type { Account, Service } from './service.ts';
import { openService } from './service.ts';

/** What a program of the simulation works with. */
export interface Program extends Run {
  readonly world: World;
  readonly ports: Ports;
  readonly process: Process;
  /** Carries its requests to the service. */
  readonly transport: Transport;
}

const WINDOWS: Readonly<Record<RateType, number>> = { fixed: 20 * 60_000, float: 30 * 60_000 };

/** One world: a service, a ledger, a network, people, and the programs that operators run. */
export class World {
  readonly programs = USE_CASES;
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly model: Model;
  readonly disk: Disk;
  readonly service: Service;
  readonly people: People;
  readonly receiver: Receiver;
  readonly coins: CoinList;
  readonly #network: Network;
  readonly #tell: (line: string) => void;
  readonly #running = new Set<Process>();
  readonly #machines: readonly Machine[];
  #programs = 0;
  /** Hears of entries that cannot be read. */
  onDamaged: (error: Error) => void = ({ message }) => void this.model.fail('damaged entry', message);

  private constructor(
    parts: Pick<World, 'plan' | 'scheduler' | 'faults' | 'model' | 'disk' | 'service' | 'receiver' | 'coins'>,
    tell: (line: string) => void,
  ) {
    this.#tell = tell;
    this.plan = parts.plan;
    this.scheduler = parts.scheduler;
    this.faults = parts.faults;
    this.model = parts.model;
    this.disk = parts.disk;
    this.service = parts.service;
    this.receiver = parts.receiver;
    this.coins = parts.coins;
    const { scheduler, service, model } = parts;
    this.people = new People(parts.plan, { scheduler, service, model }, (words) => this.tell(words));
    this.#network = new Network(parts, (words) => this.tell(words));
    const random = new Random(`${parts.plan.seed} machines`);
    const differ = parts.plan.clocksDiffer;
    this.#machines = ['alpha', 'beta'].map((name) => ({
      name,
      offset: differ === 0 ? 0 : random.between(-differ, differ),
    }));
  }

  /** Opens the world of a plan. `tell` receives the lines of its story. */
  static async open(plan: Plan, coins: CoinList, tell: (line: string) => void): Promise<World> {
    const seed = String(plan.seed);
    const scheduler = new Scheduler(new Random(`${seed} scheduler`));
    simulated.now = () => scheduler.now;
    simulated.sleep = (milliseconds) => scheduler.sleep(milliseconds);
    simulated.after = (milliseconds, work) => void scheduler.sleep(milliseconds).then(work);
    const report: { line(words: string): void; failed(words: string): void } = {
      line: () => undefined,
      failed: () => undefined,
    };
    const faults = new Faults(seed, plan.faults, (words) => report.line(words));
    const disk = new Disk(faults);
    await disk.begin();
    const areTwo = plan.actors.some(({ isOther }) => isOther === true);
    const options = { seed: plan.seed, limit: plan.serviceLimit, areTwo, areHosts: plan.areHosts === true };
    const service = await openService(scheduler, options, (line) => report.failed(line));
    simulated.random = new Random(`${seed} crypto`);
    const isExact =
      plan.clocksDiffer === 0 &&
      !(['clock-back', 'disk-full', 'disk-slow', 'busy'] as const).some((fault) => faults.has(fault));
    const { policy = null, isPinned = false } = plan;
    const model = new Model(disk, scheduler, service, {
      isBudgetExact: isExact,
      isPunctual: isExact && plan.knowsWindows && Object.keys(plan.faults).length === 0,
      policy,
      isWritable: !faults.has('disk-full'),
      isPinned,
    });
    if (policy !== null)
      disk.guard(service.accounts[0].owner.account, policyText(policy), isPinned ? APPROVER.publicKey : null);
    const receiver = new Receiver(model, disk, faults);
    const world = new World({ plan, scheduler, faults, model, disk, service, receiver, coins }, tell);
    disk.onRelaxed = ({ name }) => void model.fail('claim', `a power cut may undo a commit of ${name}`);
    report.line = (words) => world.tell(words);
    report.failed = (words) => void model.fail('service', words);
    return world;
  }

  /** A line of the story. */
  tell(words: string): void {
    this.#tell(`${(this.scheduler.now / 1000).toFixed(3).padStart(10)}  ${words}`);
  }

  /** Milliseconds that have passed at the service since a time of a process's clock. */
  ageOf(at: number): number {
    return this.service.now() - at;
  }

  machine(random: Random): Machine {
    return random.pick(this.#machines);
  }

  /** The clocks of all machines are set back, or that of one. */
  setClocks(by: number, isOne: boolean): void {
    for (const machine of isOne ? this.#machines.slice(1) : this.#machines) machine.offset += by;
    this.model.setBack -= by;
  }

  /** Runs a program to its end, or until it is killed. */
  run<T>(
    name: string,
    machine: Machine,
    work: (program: Program) => Promise<T>,
    {
      isBudgeted = false,
      account = this.service.accounts[0],
    }: { readonly isBudgeted?: boolean; readonly account?: Account } = {},
  ): Promise<Ended<T>> {
    this.#programs += 1;
    const process = new Process({ name: `${name}#${this.#programs}`, machine, account }, this);
    this.#running.add(process);
    const of = account === this.service.accounts[0] ? '' : ` for ${account.owner.profile}`;
    this.tell(`${process.name} starts on ${machine.name}${of}`);
    return new Promise((resolve) => {
      process.atEnd(() => {
        this.#running.delete(process);
        resolve({ kind: 'killed' });
      });
      const end = (ended: Ended<T>, words: string) => {
        if (!process.isAlive) return;
        this.tell(`${process.name} ${words}`);
        resolve(ended);
        process.end();
      };
      this.#begin(process, isBudgeted, work).then(
        (value) => end({ kind: 'done', value }, 'ends well'),
        (error: unknown) => {
          if (!process.isAlive) return;
          if (!(error instanceof SwapctlError)) {
            const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
            this.model.fail('internal error', `${process.name}: ${words}`);
            return end({ kind: 'killed' }, 'crashes');
          }
          this.#hear(process, JSON.stringify(error.toJSON()));
          end({ kind: 'failed', error }, `ends with ${error.code}: ${error.message}`);
        },
      );
    });
  }

  async #begin<T>(process: Process, isBudgeted: boolean, work: (program: Program) => Promise<T>): Promise<T> {
    await process.pause(this.faults.random.between(1, 40));
    return work(this.#program(process, isBudgeted));
  }

  #program(process: Process, isBudgeted: boolean): Program {
    const { credentials, owner, baseUrl } = process.account;
    const transport = this.#network.transportOf(process, isBudgeted);
    const { now, monotonic, sleep, signal } = process;
    const { random } = this.faults;
    const client = clientFor({ now, monotonic, sleep, signal, random: random.next }, process.account, {
      transport,
    });
    const windows: Pick<ServicePort, 'depositWindow' | 'clockAhead'> = this.plan.knowsWindows
      ? { depositWindow: (type) => WINDOWS[type], clockAhead: () => this.service.now() - process.now() }
      : {};
    const service: ServicePort = {
      client,
      profile: owner.profile,
      environment: owner.environment,
      baseUrl,
      host: new URL(baseUrl).host,
      credentials,
      proxy: null,
      ...windows,
    };
    let ledger: Promise<Ledger> | null = null;
    const show = (swap: ShownSwap, maxAgeMs = 0) => {
      this.model.shown(process, swap, maxAgeMs);
      if (process.isAlive && swap.fundable && swap.order !== null)
        this.people.shown(swap.order, swap.deposit.amount ?? '0');
    };
    const ports: Ports = {
      signal: process.signal,
      now: process.now,
      monotonic: process.monotonic,
      deadline: () => Number.POSITIVE_INFINITY,
      sleep: process.sleep,
      random: this.faults.random.next,
      service: async () => service,
      ledger: () => {
        ledger ??= openLedger(this.disk.pathFor(process), (error) => this.onDamaged(error));
        return ledger;
      },
      owner: async () => owner,
      coinList: async () => this.coins,
      pairCoins: async () => this.coins.coins,
      notify: async ({ text }) => this.#hear(process, text),
    };
    return { world: this, ports, process, transport, show };
  }

  #hear(process: Process, text: string): void {
    try {
      if (process.isAlive) this.model.refuseSecrets(process, text);
    } catch (error) {
      // The model keeps it, and ends the world after this step.
      if (!(error instanceof Violation)) throw error;
    }
  }

  /** Ends all programs that still run, as a machine that is switched off. */
  stopAll(): void {
    for (const process of [...this.#running]) process.end();
  }

  async close(): Promise<void> {
    this.stopAll();
    await this.service.close();
  }
}
