import type { Kysely } from 'kysely';
import { notListed } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { Database } from '../../core/database/database.ts';
import { openDatabase } from '../../core/database/open.ts';
import type { Decimal } from '../../core/swap/amount.ts';
import { storedCatalogue } from '../catalogue/stored.ts';
import { deleteFaults, listFaults } from '../faults/injector.ts';
import { checkFaultRule, type FaultRule } from '../faults/rule.ts';
import { clearLimits } from '../limits/rate-limiter.ts';
import type { CoreOptions } from '../open.ts';
import { OrderNumbers } from '../orders/number.ts';
import type { MoveVerb, RecordedOrder } from '../orders/order.ts';
import { OrderRepository, orderPagesOf } from '../orders/repository.ts';
import type { ScenarioName } from '../orders/scenario-ends.ts';
import type { NamedAsset } from '../prices/pairs.ts';
import { listRequests } from '../requests/recorder.ts';
import { type RequestFilter, withoutAddresses } from '../requests/request.ts';
import { beginGeneration, copyPartners, replaceCurrent } from '../snapshots/copy.ts';
import { diffSnapshots } from '../snapshots/diff.ts';
import { snapshotVerbs } from '../snapshots/snapshots.ts';
import { initializeState } from '../state/initialize.ts';
import { listPartners, noPartner, partnerVerbs } from '../state/partners.ts';
import { SANDBOX_MIGRATIONS, type SandboxSchema } from '../state/schema.ts';
import { changeState } from '../state/state-row.ts';
import { clockVerbs, readClock } from './clock.ts';
import { drive, sampleSwap } from './drive.ts';
import { readInfo, shownLocation } from './info.ts';
import { type SandboxOrder, sandboxOrder } from './order-view.ts';
import { deposit, move, type OrderAt, type OrderTools, orderWithChoices, readOrderNow } from './orders.ts';

interface OrderFilter {
  /** Only orders made before this one. */
  readonly after?: string | undefined;
  /** At most this many. */
  readonly limit?: number | undefined;
}

/** Actions of a service's staff, on the database of servers that may be running. */
export type Operator = Awaited<ReturnType<typeof openOperator>>;

/** Options of {@link openOperator}; `now` must be the clock of the servers on the database. */
export interface OperatorOptions
  extends Pick<CoreOptions, 'database' | 'allowEmptyFile' | 'seed' | 'catalogue'> {
  readonly now?: (() => number) | undefined;
}

/** Opens a database for its operators, initializing a new one. Throws StorageError. */
export async function openOperator(options: OperatorOptions) {
  const { database: location, now: wallClock = Date.now, allowEmptyFile = false } = options;
  const database = await openDatabase<SandboxSchema>(location, SANDBOX_MIGRATIONS, {
    name: 'sandbox',
    allowEmptyFile,
  });
  try {
    const { master_key, seed } = await initializeState(database, { ...options, now: wallClock });
    const orderNumbers = new OrderNumbers(master_key);
    const catalogue = async () => options.catalogue ?? (await storedCatalogue(database.kysely));
    const tools = { database, catalogue, orderNumbers, wallClock };
    return {
      /** Location of the database, without a password; `memory` for one in memory. */
      location: shownLocation(location),
      orders: orderActions(tools, seed),
      clock: clockVerbs(tools),
      faults: faultVerbs(database),
      partners: partnerVerbs(database),
      snapshots: {
        ...snapshotVerbs(tools),
        /** Compares two snapshots, or one with the current state. */
        diff: (from: string, to: string | null) => diffSnapshots(tools, from, to),
      },
      /** The latest requests that pass the filter, oldest first. Those of another process may be missing for a second. */
      requests: async (filter: RequestFilter = {}) => {
        const requests = await listRequests(database.kysely, filter);
        return filter.hidesAddresses === true ? requests.map(withoutAddresses) : requests;
      },
      info: () => readInfo(tools),
      /** Removes orders, faults and logged requests and sets the clock to real time; partners and snapshots stay. */
      reset: () => database.transaction(clear),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function orderActions(tools: OrderTools, seed: number) {
  const { database, catalogue } = tools;
  const viewer = async () => {
    const partners = await listPartners(database.kysely);
    const names = new Map(partners.map(({ publicKey, name }) => [publicKey, name]));
    return (recorded: RecordedOrder, at: number): SandboxOrder =>
      sandboxOrder(recorded, { at, partnerName: names.get(recorded.order.partnerKey) ?? null, seed });
  };
  const viewed = async (at: OrderAt): Promise<SandboxOrder> => (await viewer())(at, at.now);
  const pages = async (filter: OrderFilter = {}) => {
    const [view, { now }] = [await viewer(), await readClock(tools)];
    const before = filter.after === undefined ? undefined : await sequenceOf(tools, filter.after);
    return (async function* () {
      for await (const page of orderPagesOf(database, { before, limit: filter.limit }))
        yield page.map((each) => view(each, now));
    })();
  };
  return {
    /** Makes a deposit arrive; the agreed amount unless another is given. */
    deposit: async (order: string, amount?: Decimal) => viewed(await deposit(tools, order, amount)),
    move: async (order: string, verb: MoveVerb) => viewed(await move(tools, order, verb)),
    /** Drives an order to an end; see {@link drive}. */
    drive: (order: string, scenario: ScenarioName, onStep: () => Promise<void>) =>
      drive(tools, order, scenario, onStep),
    /** A valid swap of two coins; undefined if one of them cannot be swapped. */
    sample: async (from: NamedAsset, to: NamedAsset) => sampleSwap(await catalogue(), seed, from, to),
    find: async (order: string) => viewed(await readOrderNow(database.kysely, order, tools)),
    /** An order, and what can be done to it. Throws `not_found`. */
    findWithChoices: async (order: string) => {
      const found = await orderWithChoices(tools, order);
      return { order: await viewed(found), choices: found.choices };
    },
    /** Newest first. */
    list: async (filter?: OrderFilter) => {
      const found: SandboxOrder[] = [];
      for await (const page of await pages(filter)) found.push(...page);
      return found;
    },
    /** The same in pages, so that a server can answer requests in between. Throws `not_found` for an unknown `after`. */
    pages,
  };
}

function faultVerbs(database: Database<SandboxSchema>) {
  return {
    add: async (rule: FaultRule) => {
      const checked = checkFaultRule(rule);
      return database.transaction(async (tx) => {
        const { faults_made: id, generation } = await changeState(tx, { faults_made: 1, revision: 1 });
        const counts = { seen: 0, fired: 0 };
        const row = { generation, id, rule: JSON.stringify(checked), ...counts };
        await tx.insertInto('sandbox_faults').values(row).execute();
        const { partner } = checked;
        if (partner !== undefined && !(await listPartners(tx)).some(({ name }) => name === partner))
          throw noPartner(partner);
        return { id, rule: checked, ...counts };
      });
    },
    list: () => listFaults(database.kysely),
    /** Removes one rule, or all; returns how many. */
    clear: (id?: number) => database.transaction((tx) => deleteFaults(tx, id)),
  };
}

async function sequenceOf({ database, orderNumbers }: OrderTools, order: string): Promise<number> {
  const sequence = orderNumbers.sequenceOf(order);
  const found =
    sequence === undefined ? undefined : await new OrderRepository(database.kysely).find(sequence);
  if (found !== undefined) return found.order.sequence;
  throw notListed(`The sandbox has no order ${visible(order)}.`, 'sandbox orders');
}

async function clear(tx: Kysely<SandboxSchema>): Promise<void> {
  const state = await beginGeneration(tx);
  const { seeded, orders_made, faults_made, clock_offset, clock_rebased } = state;
  await copyPartners(tx, { from: state.generation, to: state.generations_made });
  await replaceCurrent(tx, state);
  // Their ids continue.
  await tx.deleteFrom('sandbox_requests').execute();
  await clearLimits(tx);
  await changeState(tx, {
    revision: 1,
    clock_offset: -clock_offset,
    clock_rebased: -clock_rebased,
    // With a seed the same numbers come again; without one, no number is ever given out twice.
    orders_made: seeded === 1 ? -orders_made : 0,
    faults_made: seeded === 1 ? -faults_made : 0,
  });
}
