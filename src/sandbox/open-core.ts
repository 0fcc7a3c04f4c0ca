import { openDatabase } from '../database/open.ts';
import type { Credentials } from '../partner-api/signature.ts';
import type { Catalogue } from './catalogue.ts';
import { builtInCatalogue } from './catalogue.ts';
import type { Core } from './core.ts';
import type { NewOrder } from './create-orders.ts';
import type { Order } from './order.ts';
import { OrderReader } from './order-repository.ts';
import { Pairs } from './pairs.ts';
import type { SandboxSchema } from './schema.ts';
import { SANDBOX_MIGRATIONS } from './schema.ts';
import type { Beginning } from './shared-state.ts';
import { beginState, listPartners, SharedState } from './shared-state.ts';

/** What a core is made of. */
export interface CoreOptions extends Beginning {
  readonly database: string;
  readonly catalogue?: Catalogue;
  readonly timeScale?: number;
  readonly now: () => number;
}

/** Opens a sandbox's database, beginning it if it is new, and builds what the endpoints and operators work with. */
export async function openCore(
  options: CoreOptions,
): Promise<Core & { readonly credentials: Credentials; readonly catalogue: Catalogue }> {
  const database = await openDatabase<SandboxSchema>(options.database, SANDBOX_MIGRATIONS, {
    name: 'sandbox',
  });
  try {
    await beginState(database, options);
    const [partner] = await listPartners(database.kysely);
    if (partner === undefined) throw new TypeError('The sandbox has no partner.');
    const catalogue = options.catalogue ?? builtInCatalogue();
    let create: Promise<(order: NewOrder) => Promise<Order>> | undefined;
    return {
      database,
      catalogue,
      shared: new SharedState(database, options.now),
      pairs: new Pairs(catalogue),
      orders: new OrderReader(database),
      // Addresses need much code, and most sandboxes only quote.
      createOrder: async (order) => {
        create ??= import('./create-orders.ts').then(({ orderCreator }) => orderCreator(database));
        return (await create)(order);
      },
      timeScale: options.timeScale ?? 1,
      credentials: { publicKey: partner.publicKey, secret: partner.secret },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
