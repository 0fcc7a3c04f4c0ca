import { UsageError } from '../base/errors.ts';
import { parseDuration } from '../base/time.ts';
import { InMemory } from '../core/database/database.ts';
import type { HabitName } from '../core/partner-api/habits.ts';
import type { Decimal } from '../core/swap/amount.ts';
import { readHabits } from '../sandbox/built-in.ts';
import type { ActiveFault, FaultRule } from '../sandbox/faults/rule.ts';
import { type Operator, openOperator } from '../sandbox/operator/operator.ts';
import type { SandboxOrder } from '../sandbox/operator/order-view.ts';
import { MOVES, type MoveVerb } from '../sandbox/orders/order.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../sandbox/orders/scenario-ends.ts';
import { applyOverlay, NO_OVERLAY, readOverlay } from '../sandbox/overlay/overlay.ts';
import { startSandbox as startServer } from '../sandbox/server.ts';
import { SEEDED_CLOCK } from '../sandbox/state/assumptions.ts';
import { fieldsOf, readAmount, readChoice, readOrder } from './input.ts';

/** Options of {@link startSandbox}, named after the flags of `swapctl sandbox start`. */
export interface SandboxOptions {
  /** The same seed and calls give the same responses; each request then advances the clock by a second. */
  readonly seed?: number;
  /** Speeds up swaps by this factor. Default 1. */
  readonly timeScale?: number;
  /** Habits of a rough service: `true` for all of them. */
  readonly rough?: true | readonly HabitName[];
  /** The outcome that every order reaches automatically. */
  readonly scenario?: ScenarioName;
  /** Coins, habits and decisions of another service, as in an `--overlay` file; `rough` takes precedence. */
  readonly overlay?: object;
}

/** A fault as `swapctl sandbox fault add` takes it; delays in milliseconds, or text such as `'2s'`. */
export interface Fault extends Omit<FaultRule, 'endpoint' | 'delay' | 'drip'> {
  /** Default `all`. */
  readonly endpoint?: FaultRule['endpoint'] | 'all';
  readonly delay?: number | string;
  readonly drip?: number | string;
}

/** A separate service that listens on loopback. */
export interface Sandbox {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secret: string;
  /** Simulates a deposit: the agreed amount unless another is given. */
  deposit(order: string, amount?: Decimal): Promise<SandboxOrder>;
  /** Moves an order as the service's staff would. */
  move(order: string, move: MoveVerb): Promise<SandboxOrder>;
  /** Advances the clock by milliseconds or text such as `'10m'`; returns its time in milliseconds since 1970. */
  advance(time: number | string): Promise<number>;
  /** Injects a fault into requests from now on. */
  fault(fault: Fault): Promise<ActiveFault>;
  /** Removes all orders and faults and resets the clock. */
  reset(): Promise<void>;
  /** Stops the service and removes all of its data; a second call does nothing. */
  close(): Promise<void>;
}

/**
 * Starts the whole service in this process, on a free loopback port, with a separate database in memory that `close`
 * removes. Any number can run side by side. Throws {@link SwapctlError}.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsOf(options);
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const database = new InMemory();
    const server = await startServer({ ...settings, database });
    closers.push(() => server.close());
    const operator = await openOperator({ database, catalogue: server.catalogue });
    closers.push(() => operator.close());
    const { publicKey, secret } = server.credentials;
    return { baseUrl: server.url, publicKey, secret, ...verbsOf(operator), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function settingsOf(options: SandboxOptions) {
  const given = fieldsOf(options, 'options', SANDBOX_FIELDS) as SandboxOptions;
  const { seed, timeScale = 1, rough, scenario, overlay } = given;
  if (!isWhole(timeScale, 1, 9_999_999))
    throw new UsageError('"timeScale" must be a whole number from 1 to 9999999.');
  if (seed !== undefined && !isWhole(seed, 0, 999_999_999))
    throw new UsageError('"seed" must be a whole number of up to nine digits.');
  const chosen =
    rough === undefined
      ? {}
      : { habits: readHabits(rough === true ? 'all' : readWords(rough, 'rough').join(',')) };
  return {
    timeScale,
    ...applyOverlay(overlay === undefined ? NO_OVERLAY : readOverlay(jsonOf(overlay, 'overlay')), chosen),
    ...(seed === undefined ? {} : { seed, ...SEEDED_CLOCK }),
    ...(scenario === undefined ? {} : { scenario: readChoice(scenario, 'scenario', SCENARIO_NAMES) }),
  };
}

const SANDBOX_FIELDS = ['seed', 'timeScale', 'rough', 'scenario', 'overlay'];

function readWords(value: unknown, name: string): readonly string[] {
  if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return value;
  throw new UsageError(`"${name}" must be an array of strings.`);
}

/** An object as the JSON of a file. Throws `usage` for anything that JSON cannot represent. */
function jsonOf(value: unknown, name: string): string {
  const fields = fieldsOf(value, name);
  try {
    return JSON.stringify(fields);
  } catch {
    throw new UsageError(`"${name}" cannot be written as JSON.`);
  }
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

function verbsOf(operator: Operator): Pick<Sandbox, 'deposit' | 'move' | 'advance' | 'fault' | 'reset'> {
  return {
    deposit: async (order, amount) =>
      operator.orders.deposit(readOrder(order), amount === undefined ? undefined : readAmount(amount)),
    move: async (order, verb) => operator.orders.move(readOrder(order), readChoice(verb, 'move', MOVES)),
    advance: async (time) => (await operator.clock.advance(milliseconds(time, 'time'))).now,
    fault: async (fault) => operator.faults.add(ruleOf(fieldsOf(fault, 'fault') as Fault)),
    reset: () => operator.reset(),
  };
}

function ruleOf({ endpoint = 'all', delay, drip, ...rule }: Fault): FaultRule {
  return {
    ...rule,
    ...(endpoint === 'all' ? {} : { endpoint }),
    ...(delay === undefined ? {} : { delay: milliseconds(delay, 'delay') }),
    ...(drip === undefined ? {} : { drip: milliseconds(drip, 'drip') }),
  };
}

function milliseconds(time: number | string, name: string): number {
  const read = typeof time === 'string' ? parseDuration(time) : time;
  if (isWhole(read, 0, Number.MAX_SAFE_INTEGER) && read !== null) return read;
  throw new UsageError(
    `"${name}" must be a whole number of milliseconds, or a string such as '30s', '10m', '2h' or '1d'.`,
  );
}
