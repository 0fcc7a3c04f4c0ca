import type { DatabaseLocation } from '../core/database/database.ts';
import { openDatabase } from '../core/database/open.ts';
import type { Credentials } from '../core/partner-api/signature.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { storedCatalogue } from './catalogue/stored.ts';
import type { Choices } from './habits/choices.ts';
import { decisionsOf, type Habits, NO_HABITS } from './habits/decisions.ts';
import type { Core } from './http/core.ts';
import { OrderNumbers } from './orders/number.ts';
import { orderActions } from './orders/order-actions.ts';
import { OrderRepository } from './orders/repository.ts';
import type { ScenarioName } from './orders/scenario-ends.ts';
import { Pairs } from './prices/pairs.ts';
import { type InitialState, initializeState } from './state/initialize.ts';
import { listPartners } from './state/partners.ts';
import { SANDBOX_MIGRATIONS, type SandboxSchema } from './state/schema.ts';
import { createSharedState } from './state/shared-state.ts';

/** Every request is answered within five seconds, whatever other processes do to the database. */
const MAX_WAIT_MS = 4_500;
/** Less than a statement may take: the error of a lock says what it waited for. */
const MAX_LOCK_WAIT_MS = 4_250;

/** Options of {@link openCore}. */
export interface CoreOptions extends InitialState {
  /** A file or a `postgres://` URL is shared by all processes that name it. */
  readonly database: DatabaseLocation;
  /** Accept an empty file as a new database, as after mktemp. Default: it is refused as truncated. */
  readonly allowEmptyFile?: boolean | undefined;
  /** Called before a wait for another process that is upgrading the database. */
  readonly onUpgradeWait?: (() => void) | undefined;
  /** Default: the one stored in the database. */
  readonly catalogue?: Catalogue | undefined;
  /** Divides confirmations and exchanging of new orders. Default 1. */
  readonly timeScale?: number | undefined;
  /** Habits of this server; other servers on its database are not affected. Default: none. */
  readonly habits?: Habits | undefined;
  /** The outcome that every new order of this server reaches automatically: deposits arrive without an operator. */
  readonly scenario?: ScenarioName | undefined;
  /**
   * Lets the last two decimals of a new order's deposit decide its outcome; takes precedence over `scenario`. Default:
   * no.
   */
  readonly magic?: boolean | undefined;
  /** Decisions of this server that are more than yes or no, as in an overlay. Default: the plain sandbox's. */
  readonly choices?: Choices | undefined;
  /** Monotonic clock in milliseconds, from any origin. */
  readonly monotonic: () => number;
}

/** Opens a sandbox's database, initializing a new one, and builds what the endpoints and operators work with. */
export async function openCore(options: CoreOptions): Promise<Core & { readonly credentials: Credentials }> {
  const { scenario, magic = false, timeScale = 1, choices: { houseRules = [] } = {} } = options;
  const database = await openDatabase<SandboxSchema>(options.database, SANDBOX_MIGRATIONS, {
    name: 'sandbox',
    busyTimeout: MAX_LOCK_WAIT_MS,
    statementTimeout: MAX_WAIT_MS,
    allowEmptyFile: options.allowEmptyFile ?? false,
    ...(options.onUpgradeWait === undefined ? {} : { onUpgradeWait: options.onUpgradeWait }),
  });
  try {
    const state = await initializeState(database, options);
    const orderNumbers = new OrderNumbers(state.master_key);
    const [partner] = await listPartners(database.kysely);
    if (partner === undefined) throw new TypeError('The sandbox has no partner.');
    const catalogue = options.catalogue ?? (await storedCatalogue(database.kysely));
    const decisions = decisionsOf(options.habits ?? NO_HABITS, options.choices);
    return {
      database,
      catalogue,
      shared: createSharedState(database, state, options.now, options.monotonic),
      decisions,
      pairs: new Pairs(catalogue, decisions.terms),
      orders: new OrderRepository(database.outside()),
      orderNumbers,
      creating: once(async () => {
        const { isPayable, orderCreator } = await import('./orders/create.ts');
        return { isPayable, create: orderCreator(database, orderNumbers) };
      }),
      payoutTxId: async ({ receive, orderNumber }, seed) => {
        const { payoutTxId } = await import('./orders/deposit-address/deposit-address.ts');
        return payoutTxId(receive, orderNumber, seed);
      },
      timeScale,
      addActions: orderActions({ scenario, magic, timeScale, houseRules, catalogue }),
      dropsCreateResponses: scenario === 'lost-answer',
      credentials: { publicKey: partner.publicKey, secret: partner.secret },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
