import type { Kysely } from 'kysely';
import { UsageError } from '../../base/errors.ts';
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
