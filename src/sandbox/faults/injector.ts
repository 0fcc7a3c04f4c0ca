import type { Kysely } from 'kysely';
import type { Database } from '../../core/database/database.ts';
import type { EndpointName } from '../../core/partner-api/endpoints.ts';
import { derivedFraction } from '../state/derive.ts';
import type { FaultTable, SandboxSchema } from '../state/schema.ts';
import type { StateReading } from '../state/shared-state.ts';
import { changeState, currentGeneration, requireSameState } from '../state/state-row.ts';
import type { ActiveFault, FaultRule } from './rule.ts';

/**
 * Decides which requests get a fault. The counts are in the database, so all processes on it count together.
 *
 * The returned function counts a request for every rule that matches it, and returns the first of them that fires. All in
 * one transaction, so that no request is counted twice or only by some of the rules. Throws StateReplaced.
 */
export function faultInjector(database: Database<SandboxSchema>) {
  let known: { readonly revision: number; readonly faults: readonly ActiveFault[] } | undefined;
  return async (endpoint: EndpointName, partnerName: string, reading: StateReading) => {
    const { revision, masterKey } = reading;
    if (known?.revision !== revision) known = { revision, faults: await listFaults(database.kysely) };
    const fitting = known.faults.filter(
      ({ rule }) =>
        (rule.endpoint === undefined || rule.endpoint === endpoint) &&
        (rule.partner === undefined || rule.partner === partnerName),
    );
    if (fitting.length === 0) return undefined;
    return database.transaction(async (tx) => {
      // Locks the state until everything is counted.
      requireSameState(await changeState(tx, {}), reading);
      let chosen: ActiveFault | undefined;
      // Ordered by id, so that two processes never wait for each other's rows.
      for (const { id } of fitting) {
        const fault = await count(tx, id, 'seen');
        if (fault !== undefined && chosen === undefined && fires(fault, masterKey)) chosen = fault;
      }
      if (chosen !== undefined) await count(tx, chosen.id, 'fired');
      return chosen;
    });
  };
}

/** Whether a rule fires on the request that it has just counted. */
function fires({ id, rule, seen, fired }: ActiveFault, masterKey: string): boolean {
  const { nth = 1, times = rule.nth === undefined ? Number.POSITIVE_INFINITY : 1, probability = 1 } = rule;
  if (seen < nth || fired >= times) return false;
  return probability === 1 || derivedFraction(masterKey, `fault ${id} ${seen}`) < probability;
}

/** All rules in the order in which they were added. */
export async function listFaults(db: Kysely<SandboxSchema>): Promise<readonly ActiveFault[]> {
  const rows = await db
    .selectFrom('sandbox_faults')
    .selectAll()
    .where('generation', '=', currentGeneration())
    .orderBy('id')
    .execute();
  return rows.map(activeFault);
}

/** Removes one rule, or all of them, in a transaction; returns how many there were. */
export async function deleteFaults(tx: Kysely<SandboxSchema>, id?: number): Promise<number> {
  const { generation } = await changeState(tx, { revision: 1 });
  const all = tx.deleteFrom('sandbox_faults').where('generation', '=', generation);
  const { numDeletedRows } = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Adds one to a count of a rule, in a transaction; undefined if the rule is gone. */
async function count(tx: Kysely<SandboxSchema>, id: number, what: 'seen' | 'fired') {
  const row = await tx
    .updateTable('sandbox_faults')
    .set((eb) => ({ [what]: eb(what, '+', 1) }))
    .where('generation', '=', currentGeneration())
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : activeFault(row);
}

function activeFault(row: FaultTable): ActiveFault {
  return { id: row.id, rule: JSON.parse(row.rule) as FaultRule, seen: row.seen, fired: row.fired };
}
