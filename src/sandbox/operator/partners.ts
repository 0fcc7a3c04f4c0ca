import type { Database } from '../../database/database.ts';
import { UniqueViolationError } from '../../database/failures.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { echoed } from '../../text.ts';
import { NAME, requireName } from '../state/names.ts';
import { DEFAULT_PARTNER, insertPartner, type Partner } from '../state/partners.ts';
import type { SandboxSchema } from '../state/schema.ts';
import { changeState } from '../state/state-row.ts';

interface PartnerVerbs {
  readonly database: Database<SandboxSchema>;
}

/** Adds a partner with fresh keys. Throws UsageError for a name that is taken or not allowed. */
export async function addPartner({ database }: PartnerVerbs, name: string): Promise<Partner> {
  requireName(name, 'A partner name');
  try {
    return await database.transaction((tx) => insertPartner(tx, name));
  } catch (error) {
    if (!(error instanceof UniqueViolationError)) throw error;
    throw new UsageError(
      `Partner "${echoed(name)}" already exists.`,
      'List them: swapctl sandbox partner list',
    );
  }
}

/** Removes a partner; its orders remain, but can no longer be read. Throws UsageError for the default partner. */
export async function removePartner({ database }: PartnerVerbs, name: string): Promise<void> {
  if (name === DEFAULT_PARTNER) throw new UsageError('The default partner cannot be removed.');
  // PostgreSQL refuses some texts even in a query.
  if (!NAME.test(name)) throw noPartner(name);
  await database.transaction(async (tx) => {
    const { generation } = await changeState(tx, { revision: 1 });
    const removed = await tx
      .deleteFrom('sandbox_partners')
      .where('generation', '=', generation)
      .where('name', '=', name)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw noPartner(name);
  });
}

function noPartner(name: string): SwapctlError {
  return new SwapctlError('not_found', `The sandbox has no partner "${echoed(name)}".`, {
    hint: 'List them: swapctl sandbox partner list',
  });
}
