import { type DatabaseLocation, InMemory } from '../../core/database/database.ts';
import { isPostgresUrl } from '../../core/database/open.ts';
import { currentGeneration, stateRow } from '../state/state-row.ts';
import { readClock } from './clock.ts';
import type { OrderTools } from './orders.ts';

/** How many orders, partners, faults, coins and networks a sandbox has, with its seed and clock. */
export async function readInfo(tools: OrderTools) {
  const { database } = tools;
  const count = async (table: 'sandbox_orders' | 'sandbox_partners' | 'sandbox_faults'): Promise<number> => {
    const row = await database.kysely
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('generation', '=', currentGeneration())
      .executeTakeFirstOrThrow();
    return row.rows;
  };
  const state = await stateRow(database.kysely);
  const { coins } = await tools.catalogue();
  return {
    kind: database.kind,
    orders: await count('sandbox_orders'),
    partners: await count('sandbox_partners'),
    faults: await count('sandbox_faults'),
    coins: coins.length,
    networks: new Set(coins.flatMap((coin) => coin.assets.map(({ network }) => network))).size,
    /** Null if the database was created without one. */
    seed: state.seeded === 1 ? state.seed : null,
    clock: await readClock(tools),
  };
}

/** Location of a database for display, without the password that a URL may hold. */
export function shownLocation(location: DatabaseLocation): string {
  if (location instanceof InMemory) return 'memory';
  if (!isPostgresUrl(location) || !URL.canParse(location)) return location;
  const { protocol, host, pathname } = new URL(location);
  return `${protocol}//${host}${pathname}`;
}

/** A location that another command can use, without the password that a URL may hold. */
export function withoutPassword(location: string): string {
  if (!isPostgresUrl(location) || !URL.canParse(location)) return location;
  const url = new URL(location);
  url.password = '';
  return url.href;
}

export type SandboxInfo = Awaited<ReturnType<typeof readInfo>>;
