import type { Kysely } from 'kysely';
import { notListed, type SwapctlError, UsageError } from '../../base/errors.ts';
import { echoed } from '../../base/text.ts';
import type { Database } from '../../core/database/database.ts';
import { UniqueViolationError } from '../../core/database/failures.ts';
import { partnerKeys } from './derive.ts';
import type { SandboxSchema } from './schema.ts';
import { changeState, currentGeneration } from './state-row.ts';

/** Name of the partner that every sandbox has. */
export const DEFAULT_PARTNER = 'default';

export interface Partner {
  readonly name: string;
  readonly publicKey: string;
  readonly secret: string;
}

/** Adds a partner with fresh keys. Throws UniqueViolationError if there is one of that name. */
export async function insertPartner(tx: Kysely<SandboxSchema>, name: string): Promise<Partner> {
  const { generation, master_key, partners_made } = await changeState(tx, { partners_made: 1, revision: 1 });
  const { publicKey, secret } = partnerKeys(master_key, partners_made);
  await tx
    .insertInto('sandbox_partners')
    .values({ generation, public_key: publicKey, name, secret, position: partners_made })
    .execute();
  return { name, publicKey, secret };
}

/** All partners, the default one first and the others in the order in which they were added. */
export async function listPartners(db: Kysely<SandboxSchema>): Promise<readonly Partner[]> {
  const rows = await db
    .selectFrom('sandbox_partners')
    .selectAll()
    .where('generation', '=', currentGeneration())
    .orderBy('position')
    .execute();
  return rows.map(({ name, public_key, secret }) => ({ name, publicKey: public_key, secret }));
}

/** Names of partners and snapshots: none is a flag on the command line or a folder in a URL. */
export const NAME = /^\w[\w.-]{0,63}$/;

/** Throws UsageError for a name that is not allowed; `what` it is begins the sentence. */
export function requireName(name: string, what: string): void {
  if (NAME.test(name)) return;
  throw new UsageError(
    `${what} must have 1 to 64 letters, digits, dots, hyphens or underscores, and start with a letter, digit or underscore.`,
  );
}

/** The operators' verbs for partners: add one with fresh keys, list them, and remove any but the default one. */
export function partnerVerbs(database: Database<SandboxSchema>) {
  return {
    /** Adds a partner with fresh keys. Throws UsageError for a name that is taken or not allowed. */
    add: async (name: string): Promise<Partner> => {
      requireName(name, 'A partner name');
      try {
        return await database.transaction((tx) => insertPartner(tx, name));
      } catch (error) {
        if (!(error instanceof UniqueViolationError)) throw error;
        throw new UsageError(
          `Partner ${echoed(name)} already exists.`,
          'List them with `swapctl sandbox partner list`.',
        );
      }
    },
    /** The default one first. */
    list: () => listPartners(database.kysely),
    /** Removes a partner; its orders remain, but can no longer be read. Throws UsageError for the default partner. */
    remove: async (name: string): Promise<void> => {
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
    },
  };
}

export function noPartner(name: string): SwapctlError {
  return notListed(`The sandbox has no partner ${echoed(name)}.`, 'sandbox partner list');
}
