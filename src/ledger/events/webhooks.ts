import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import type { LedgerSchema } from '../schema.ts';

/** Secrets that sign the webhooks of each profile. All methods throw `storage_failed`. */
export interface Webhooks {
  /** The profile's secret, `whsec_…`, made at its first use. */
  secret(profile: string): Promise<string>;
  /** Has the events of a profile wait for delivery from now on, and gives its secret. */
  listen(profile: string, now: number): Promise<string>;
}

/** The specification asks for 24 to 64 bytes: https://www.standardwebhooks.com. */
const SECRET_BYTES = 32;

/** See {@link Webhooks}. */
export function webhooks({ kysely }: Database<LedgerSchema>): Webhooks {
  const secretOf = async (profile: string): Promise<string> => {
    // Of several processes that make one at once, the first one's stays.
    await kysely
      .insertInto('webhooks')
      .values({ profile, secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`, since: null })
      .onConflict((conflict) => conflict.column('profile').doNothing())
      .execute();
    const row = await kysely
      .selectFrom('webhooks')
      .select('secret')
      .where('profile', '=', profile)
      .executeTakeFirstOrThrow();
    return row.secret;
  };
  return {
    secret: secretOf,
    listen: async (profile, now) => {
      const secret = await secretOf(profile);
      await kysely
        .updateTable('webhooks')
        .set({ since: now })
        .where('profile', '=', profile)
        .where('since', 'is', null)
        .execute();
      return secret;
    },
  };
}
