import type { Database } from '../../database/database.ts';
import type { EndpointName } from '../../partner-api/endpoints.ts';
import { derivedFraction } from '../state/derive.ts';
import type { SandboxSchema } from '../state/schema.ts';
import type { Snapshot } from '../state/shared-state.ts';
import { changeState, requireSameState } from '../state/state-row.ts';
import { countFault, firedFault, listFaults } from './repository.ts';
import type { ActiveFault } from './rule.ts';

/** Decides which requests get a fault. The counts are in the database, so all processes on it count together. */
export class FaultInjector {
  readonly #database: Database<SandboxSchema>;
  #known: { readonly revision: number; readonly faults: readonly ActiveFault[] } | undefined;

  constructor(database: Database<SandboxSchema>) {
    this.#database = database;
  }

  /**
   * Counts a request for every rule that matches it, and returns the first of them that fires. All in one transaction,
   * so that no request is counted twice or only by some of the rules. Throws StateReplaced.
   */
  async choose(
    endpoint: EndpointName,
    partnerName: string,
    snapshot: Snapshot,
  ): Promise<ActiveFault | undefined> {
    const fitting = (await this.#faults(snapshot)).filter(
      ({ rule }) =>
        (rule.endpoint === undefined || rule.endpoint === endpoint) &&
        (rule.partner === undefined || rule.partner === partnerName),
    );
    if (fitting.length === 0) return undefined;
    return this.#database.transaction(async (tx) => {
      // Locks the state until all is counted.
      requireSameState(await changeState(tx, {}), snapshot);
      let chosen: ActiveFault | undefined;
      // Ordered by id, so that two processes never wait for each other's rows.
      for (const { id } of fitting) {
        const fault = await countFault(tx, id);
        if (fault !== undefined && chosen === undefined && fires(fault, snapshot.masterKey)) chosen = fault;
      }
      if (chosen !== undefined) await firedFault(tx, chosen.id);
      return chosen;
    });
  }

  async #faults({ revision }: Snapshot): Promise<readonly ActiveFault[]> {
    if (this.#known?.revision !== revision) {
      this.#known = { revision, faults: await listFaults(this.#database.kysely) };
    }
    return this.#known.faults;
  }
}

/** Whether a rule fires on the request that it has just counted. */
function fires({ id, rule, seen, fired }: ActiveFault, masterKey: string): boolean {
  const { nth = 1, times = rule.nth === undefined ? Number.POSITIVE_INFINITY : 1, probability = 1 } = rule;
  if (seen < nth || fired >= times) return false;
  return probability === 1 || derivedFraction(masterKey, `fault ${id} ${seen}`) < probability;
}
