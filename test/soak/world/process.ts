import type { StartedRun } from '../../helpers/program.ts';
import type { Run } from '../../helpers/run.ts';
import type { Machine, Runner } from '../../simulation/world/process.ts';
import type { Account } from '../../simulation/world/service.ts';

/** One program of an actor: its processes run one after the other, under the name that the model uses. */
export class RealProcess implements Runner {
  readonly name: string;
  readonly machine: Machine;
  readonly account: Account;
  /** Whether its requests take tokens from the budget. */
  readonly isBudgeted: boolean;
  readonly begunAt = performance.now();
  isAlive = true;
  readonly #running = new Set<StartedRun>();

  constructor(parts: Pick<RealProcess, 'name' | 'machine' | 'account' | 'isBudgeted'>) {
    this.name = parts.name;
    this.machine = parts.machine;
    this.account = parts.account;
    this.isBudgeted = parts.isBudgeted;
  }

  readonly now = (): number => Date.now();

  /** Counts a process of the program as running until it ends. */
  async follow(run: StartedRun): Promise<Run> {
    this.#running.add(run);
    try {
      return await run.ended;
    } finally {
      this.#running.delete(run);
    }
  }

  signal(name: NodeJS.Signals): void {
    for (const run of this.#running) run.child.kill(name);
  }

  /** Kills the process, whose later output is ignored. */
  kill(): void {
    this.isAlive = false;
    this.signal('SIGKILL');
  }
}
