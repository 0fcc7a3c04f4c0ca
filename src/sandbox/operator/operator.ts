import type { Kysely } from 'kysely';
import type { DatabaseLocation } from '../../database/database.ts';
import { openDatabase } from '../../database/open.ts';
import { SwapctlError } from '../../errors.ts';
import type { Decimal } from '../../swap/amount.ts';
import { visible } from '../../text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { storedCatalogue } from '../catalogue/stored.ts';
import { deleteFaults, insertFault, listFaults } from '../faults/repository.ts';
import type { ActiveFault, FaultRule } from '../faults/rule.ts';
import { checkFaultRule } from '../faults/rule.ts';
import { OrderNumbers } from '../orders/number.ts';
import type { MoveVerb, RecordedOrder } from '../orders/order.ts';
import { OrderRepository, orderPagesOf } from '../orders/repository.ts';
import type { ScenarioName } from '../orders/scenario-ends.ts';
import type { NamedAsset } from '../prices/pairs.ts';
import { clearRequests, listRequests } from '../requests/repository.ts';
import type { LoggedRequest, RequestFilter } from '../requests/request.ts';
import { withoutAddresses } from '../requests/request.ts';
import { emptyGeneration, makeCurrent } from '../snapshots/copy.ts';
import type { SnapshotDiff } from '../snapshots/diff.ts';
import { diffSnapshots } from '../snapshots/diff.ts';
import { sweep } from '../snapshots/generations.ts';
import type { SavedSnapshot } from '../snapshots/snapshots.ts';
import { listSnapshots, loadSnapshot, removeSnapshot, saveSnapshot } from '../snapshots/snapshots.ts';
import { initializeState } from '../state/initialize.ts';
import type { Partner } from '../state/partners.ts';
import { listPartners } from '../state/partners.ts';
import type { SandboxSchema } from '../state/schema.ts';
import { SANDBOX_MIGRATIONS } from '../state/schema.ts';
import { inTurns } from '../state/slices.ts';
import { changeState } from '../state/state-row.ts';
import type { ClockAdvance, ClockReading } from './clock.ts';
import { advanceClock, readClock, resetClock } from './clock.ts';
import type { Driven, SampleSwap } from './drive.ts';
import { drive, sampleSwap } from './drive.ts';
import type { SandboxInfo } from './info.ts';
import { readInfo, shownLocation } from './info.ts';
import type { SandboxOrder } from './order-view.ts';
import { sandboxOrder } from './order-view.ts';
import type { OrderChoices, OrderVerbs, VerbResult } from './orders.ts';
import { deposit, look, move, orderWithChoices } from './orders.ts';
import { addPartner, removePartner } from './partners.ts';

/** Filter of a list of orders. */
interface OrderFilter {
  /** Only orders made before this one. */
  readonly after?: string;
  /** At most this many. */
  readonly limit?: number;
}

/** The operators' verbs: what the staff of a real service can do. Servers may be using the database meanwhile. */
export interface Operator {
  /** Location of the database, without a password; `memory` for one in memory. */
  readonly location: string;
  /** Makes a deposit arrive; the agreed amount unless another is given. */
  deposit(order: string, amount?: Decimal): Promise<SandboxOrder>;
  move(order: string, verb: MoveVerb): Promise<SandboxOrder>;
  /** An order, and what can be done to it. Throws `not_found`. */
  orderWithChoices(order: string): Promise<{ readonly order: SandboxOrder; readonly choices: OrderChoices }>;
  /** Drives an order to an end; see {@link drive}. */
  drive(order: string, scenario: ScenarioName, onStep: () => Promise<void>): Promise<Driven>;
  /** A swap of two coins that can be made; undefined where one of them cannot be swapped. */
  sampleSwap(from: NamedAsset, to: NamedAsset): Promise<SampleSwap | undefined>;
  clock(): Promise<ClockReading>;
  advanceClock(milliseconds: number): Promise<ClockAdvance>;
  resetClock(): Promise<ClockReading>;
  addFault(rule: FaultRule): Promise<ActiveFault>;
  listFaults(): Promise<readonly ActiveFault[]>;
  /** Removes one rule, or all; returns how many. */
  clearFaults(id?: number): Promise<number>;
  addPartner(name: string): Promise<Partner>;
  /** The default one first. */
  listPartners(): Promise<readonly Partner[]>;
  removePartner(name: string): Promise<void>;
  /** One order. Throws `not_found`. */
  order(order: string): Promise<SandboxOrder>;
  /** Newest first. */
  orders(filter?: OrderFilter): Promise<readonly SandboxOrder[]>;
  /** The same in pages, so that a server can answer requests in between. Throws `not_found` for an unknown `after`. */
  orderPages(filter?: OrderFilter): AsyncIterable<readonly SandboxOrder[]>;
  /** The latest requests that are wanted, the oldest first. Another process's may be missing for a second. */
  requests(filter?: RequestFilter): Promise<readonly LoggedRequest[]>;
  info(): Promise<SandboxInfo>;
  /** Saves everything under a name, in the place of a snapshot of that name. */
  saveSnapshot(name: string): Promise<SavedSnapshot & { readonly replaced: boolean }>;
  /** Puts a snapshot in the place of the present. */
  loadSnapshot(name: string): Promise<SavedSnapshot>;
  /** The oldest first. */
  listSnapshots(): Promise<readonly SavedSnapshot[]>;
  removeSnapshot(name: string): Promise<void>;
  /** What differs between two snapshots, or between one and the present. */
  diffSnapshots(from: string, to: string | null): Promise<SnapshotDiff>;
  /**
   * Removes orders, faults and logged requests and sets the clock to real time; partners keep their keys, and snapshots
   * stay.
   */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Options of {@link openOperator}; `now` must be the clock of the servers on the database. */
export interface OperatorOptions {
  readonly database: DatabaseLocation;
  /** An empty file is a new database, as after mktemp. */
  readonly allowEmptyFile?: boolean;
  readonly now?: () => number;
  readonly seed?: number;
  /** Default: the one stored in the database. */
  readonly catalogue?: Catalogue;
  /** Called with a sentence about what could not be done beside a verb that is done. Default: nothing is said. */
  readonly warn?: (words: string) => void;
}

/** Opens the operators' verbs on a database, initializing a new one. Throws StorageError. */
export async function openOperator(options: OperatorOptions): Promise<Operator> {
  const {
    database: location,
    now: wallClock = Date.now,
    allowEmptyFile = false,
    warn = () => undefined,
  } = options;
  const database = await openDatabase<SandboxSchema>(location, SANDBOX_MIGRATIONS, {
    name: 'sandbox',
    allowEmptyFile,
  });
  const state = await initializeState(database, { ...options, now: wallClock }).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  const orderNumbers = new OrderNumbers(state.master_key);
  const catalogue = async () => options.catalogue ?? (await storedCatalogue(database.kysely));
  const verbs = { database, catalogue, orderNumbers, wallClock, warn };
  const partnerNames = async (): Promise<ReadonlyMap<string, string>> =>
    new Map((await listPartners(database.kysely)).map(({ publicKey, name }) => [publicKey, name]));
  const contextOf = (names: ReadonlyMap<string, string>, { order }: RecordedOrder, at: number) => ({
    at,
    partnerName: names.get(order.partnerKey) ?? null,
    seed: state.seed,
  });
  const described = async ({ recorded, now }: VerbResult): Promise<SandboxOrder> =>
    sandboxOrder(recorded, contextOf(await partnerNames(), recorded, now));
  const orderPages = async function* (filter: OrderFilter = {}) {
    const [names, { now }] = [await partnerNames(), await readClock(verbs)];
    const before = filter.after === undefined ? undefined : await sequenceOf(verbs, filter.after);
    for await (const page of inTurns(orderPagesOf(database, before, filter.limit)))
      yield page.map((each) => sandboxOrder(each, contextOf(names, each, now)));
  };
  return {
    location: shownLocation(location),
    deposit: async (order, amount) => described(await deposit(verbs, order, amount)),
    move: async (order, verb) => described(await move(verbs, order, verb)),
    orderWithChoices: async (order) => {
      const found = await orderWithChoices(verbs, order);
      return { order: await described(found), choices: found.choices };
    },
    drive: (order, scenario, onStep) => drive(verbs, order, scenario, onStep),
    sampleSwap: async (from, to) => sampleSwap(await catalogue(), state.seed, from, to),
    clock: () => readClock(verbs),
    advanceClock: (milliseconds) => advanceClock(verbs, milliseconds),
    resetClock: () => resetClock(verbs),
    addFault: async (rule) => {
      const checked = checkFaultRule(rule);
      return database.transaction((tx) => insertFault(tx, checked));
    },
    listFaults: () => listFaults(database.kysely),
    clearFaults: (id) => database.transaction((tx) => deleteFaults(tx, id)),
    addPartner: (name) => addPartner(verbs, name),
    listPartners: () => listPartners(database.kysely),
    removePartner: (name) => removePartner(verbs, name),
    order: async (order) => described(await look(verbs, order)),
    orders: async (filter) => {
      const orders: SandboxOrder[] = [];
      for await (const page of orderPages(filter)) orders.push(...page);
      return orders;
    },
    orderPages,
    requests: async (filter = {}) => {
      const requests = await listRequests(database.kysely, filter);
      return filter.hidesAddresses === true ? requests.map(withoutAddresses) : requests;
    },
    saveSnapshot: (name) => saveSnapshot(verbs, name),
    loadSnapshot: async (name) => {
      const loaded = await loadSnapshot(verbs, name);
      await clearLimits(location, warn);
      return loaded;
    },
    listSnapshots: () => listSnapshots(database.kysely),
    removeSnapshot: (name) => removeSnapshot(verbs, name),
    diffSnapshots: (from, to) => diffSnapshots(verbs, from, to),
    info: () => readInfo(verbs),
    reset: async () => {
      await database.transaction((tx) => clear(tx, wallClock()));
      await sweep(verbs);
      await clearLimits(location, warn);
    },
    close: () => database.close(),
  };
}

async function sequenceOf({ database, orderNumbers }: OrderVerbs, order: string): Promise<number> {
  const sequence = orderNumbers.sequenceOf(order);
  const found =
    sequence === undefined ? undefined : await new OrderRepository(database.kysely).find(sequence);
  if (found !== undefined) return found.order.sequence;
  throw new SwapctlError('not_found', `The sandbox has no order ${visible(order)}.`);
}

/** Clears the counts of the rate limit, after what they belong to is done; that it fails is no more than a warning. */
async function clearLimits(location: DatabaseLocation, warn: (words: string) => void): Promise<void> {
  try {
    const { openLimits } = await import('../limits/rate-limiter.ts');
    const limits = await openLimits(location);
    try {
      await limits.kysely.deleteFrom('sandbox_limits').execute();
    } finally {
      await limits.close();
    }
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    warn(`It is done, but the rate limit keeps its counts until their window ends: ${error.message}`);
  }
}

async function clear(tx: Kysely<SandboxSchema>, wall: number): Promise<void> {
  const empty = await emptyGeneration(tx, wall);
  const { seeded, orders_made, faults_made, clock_offset, clock_rebased } = empty.state;
  await makeCurrent(tx, empty);
  await clearRequests(tx);
  await changeState(tx, {
    revision: 1,
    clock_offset: -clock_offset,
    clock_rebased: -clock_rebased,
    // With a seed the same numbers come again; without one, no number is ever given out twice.
    orders_made: seeded === 1 ? -orders_made : 0,
    faults_made: seeded === 1 ? -faults_made : 0,
  });
}
