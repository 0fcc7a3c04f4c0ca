import type { Kysely } from 'kysely';
import type { FaultTable, SandboxSchema } from '../state/schema.ts';
import { changeState, currentGeneration } from '../state/state-row.ts';
import type { ActiveFault, FaultRule } from './rule.ts';

/** Adds a rule, in a transaction, and returns it. */
export async function insertFault(tx: Kysely<SandboxSchema>, rule: FaultRule): Promise<ActiveFault> {
  const { faults_made: id, generation } = await changeState(tx, { faults_made: 1, revision: 1 });
  await tx
    .insertInto('sandbox_faults')
    .values({ generation, id, rule: JSON.stringify(rule), seen: 0, fired: 0 })
    .execute();
  return { id, rule, seen: 0, fired: 0 };
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

/** Counts a request that a rule matches, in a transaction; undefined if the rule is gone. */
export async function countFault(tx: Kysely<SandboxSchema>, id: number): Promise<ActiveFault | undefined> {
  const row = await tx
    .updateTable('sandbox_faults')
    .set((eb) => ({ seen: eb('seen', '+', 1) }))
    .where('generation', '=', currentGeneration())
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : activeFault(row);
}

/** Counts a request on which a rule fires. */
export async function firedFault(tx: Kysely<SandboxSchema>, id: number): Promise<void> {
  await tx
    .updateTable('sandbox_faults')
    .set((eb) => ({ fired: eb('fired', '+', 1) }))
    .where('generation', '=', currentGeneration())
    .where('id', '=', id)
    .execute();
}

/** Removes one rule, or all of them, in a transaction; returns how many there were. */
export async function deleteFaults(tx: Kysely<SandboxSchema>, id?: number): Promise<number> {
  const { generation } = await changeState(tx, { revision: 1 });
  const all = tx.deleteFrom('sandbox_faults').where('generation', '=', generation);
  const { numDeletedRows } = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirst();
  return Number(numDeletedRows);
}

function activeFault(row: FaultTable): ActiveFault {
  return { id: row.id, rule: JSON.parse(row.rule) as FaultRule, seen: row.seen, fired: row.fired };
}
