import { setMaxListeners } from 'node:events';
import { InterruptedError, SwapctlError } from '../../../src/base/errors.ts';
import type { Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import type { Account } from './service.ts';

/** Milliseconds since 1970 at which worlds begin. */
export const EPOCH = Date.UTC(2026, 0, 1);

/** A computer with a clock that may be wrong. */
export interface Machine {
  readonly name: string;
  /** Milliseconds by which its clock is ahead. */
  offset: number;
}

/** A running program, as the model and those who act see it. */
export type Runner = Pick<Process, 'name' | 'account' | 'isAlive' | 'now'>;

/** A running program. Killed, it never goes on: what it waits for never comes, and its memory is lost. */
export class Process {
  readonly name: string;
  readonly machine: Machine;
  readonly account: Account;
  readonly signal: AbortSignal;
  isAlive = true;
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  readonly #stop = new AbortController();
  readonly #onEnd: (() => void)[] = [];

  constructor(
    { name, machine, account }: Pick<Process, 'name' | 'machine' | 'account'>,
    { scheduler, faults }: { readonly scheduler: Scheduler; readonly faults: Faults },
  ) {
    this.name = name;
    this.machine = machine;
    this.account = account;
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.signal = this.#stop.signal;
    // One for each request.
    setMaxListeners(0, this.signal);
  }

  /** The clock of its machine. */
  readonly now = (): number => EPOCH + this.#scheduler.now + this.machine.offset;

  readonly monotonic = (): number => this.#scheduler.now;

  /** Runs `work` when the process ends, however it does. */
  atEnd(work: () => void): void {
    this.#onEnd.push(work);
  }

  /** A point at which the process waits; there it may be killed or interrupted. */
  pause(milliseconds: number): Promise<void> {
    if (!this.isAlive) return never();
    if (this.#faults.strikes('killed', this.name)) {
      this.#scheduler.after(milliseconds * this.#faults.random.next(), () => this.end());
      return never();
    }
    if (this.#faults.strikes('interrupted', this.name))
      this.#scheduler.after(milliseconds * this.#faults.random.next(), () => this.interrupt());
    return new Promise((resolve) => this.#scheduler.after(milliseconds, () => this.isAlive && resolve()));
  }

  /** The pause of the ports, which an interruption or `stopped` cuts short. */
  readonly sleep = async (milliseconds: number, stopped?: AbortSignal): Promise<void> => {
    const ends = stopped === undefined ? [this.signal] : [this.signal, stopped];
    if (stopped !== undefined) setMaxListeners(0, stopped);
    const forget: (() => void)[] = [];
    const cut = new Promise<void>((resolve) => {
      for (const signal of ends) {
        if (signal.aborted) resolve();
        const wake = () => resolve();
        signal.addEventListener('abort', wake);
        forget.push(() => signal.removeEventListener('abort', wake));
      }
    });
    await Promise.race([this.pause(milliseconds), cut]);
    for (const each of forget) each();
    if (!this.isAlive) await never();
    if (!ends.some(({ aborted }) => aborted)) return;
    throw this.signal.reason instanceof SwapctlError
      ? this.signal.reason
      : new Error('The pause was cut short.');
  };

  /** Ctrl-C. */
  interrupt(): void {
    if (this.isAlive) this.#stop.abort(new InterruptedError('SIGINT'));
  }

  /** The process is gone. */
  end(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    for (const work of this.#onEnd.splice(0)) work();
  }
}

/** What a dead process waits for. A new one each time: a promise keeps all that waits for it. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
