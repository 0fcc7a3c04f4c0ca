import { type Kysely, sql } from 'kysely';
import { visible } from '../../base/text.ts';
import { type Facts, factsOf } from '../../core/swap/changes.ts';
import { orderJson } from '../operator/json.ts';
import { sandboxOrder } from '../operator/order-view.ts';
import type { RecordedOrder } from '../orders/order.ts';
import type { SandboxSchema } from '../state/schema.ts';
import { stateRow, virtualTime } from '../state/state-row.ts';
import { readable } from './recorded.ts';
import { found } from './snapshots.ts';

type Db = Kysely<SandboxSchema>;

/** One of the two states that are compared: a snapshot, or the present. */
export type DiffSide = Awaited<ReturnType<typeof readSide>>;

/** Reads one side, but for its orders. Throws `not_found` for an unknown snapshot. */
export async function readSide(db: Db, name: string | null, wall: number) {
  const state = await stateRow(db);
  const saved = name === null ? null : await found(db, name);
  const clock = saved ?? state;
  const generation = clock.generation;
  const isOfSide = sql<boolean>`generation = ${generation}`;
  return {
    ...{ name, generation, seed: state.seed },
    /** Time of the sandbox's clock. */
    now: saved?.now ?? virtualTime(state, wall),
    /** Milliseconds by which operators advanced the clock. */
    advanced: clock.clock_offset - clock.clock_rebased,
    standsStill: clock.clock_start !== null,
    partners: await db.selectFrom('sandbox_partners').selectAll().where(isOfSide).execute(),
    faults: await db.selectFrom('sandbox_faults').selectAll().where(isOfSide).execute(),
  };
}

/** An order in its operator's view at a time, as a flat list of paths with their values. */
export function orderFacts(side: DiffSide, { order, events }: RecordedOrder, at: number): Facts {
  const partner = side.partners.find(({ public_key }) => public_key === order.partnerKey);
  const context = { at, partnerName: partner?.name ?? null, seed: side.seed };
  const { transitions: _, ...rest } = readable(`order ${visible(order.orderNumber)}`, () =>
    orderJson(sandboxOrder({ order, events }, context)),
  );
  return factsOf({ ...rest, events: events.length });
}
