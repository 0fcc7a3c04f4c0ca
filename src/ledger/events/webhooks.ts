import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import type { LedgerSchema } from '../schema.ts';

/** Secrets that sign the webhooks of each account. All methods throw `storage_failed`. */
export interface Webhooks {
  /** The account's secret, `whsec_…`, made at its first use. */
  secret(account: string): Promise<string>;
  /** Has the events of an account wait for delivery from now on, and gives its secret. */
  listen(account: string, now: number): Promise<string>;
}

/** The specification asks for 24 to 64 bytes: https://www.standardwebhooks.com. */
const SECRET_BYTES = 32;

/** See {@link Webhooks}. */
export function webhooks({ kysely }: Database<LedgerSchema>): Webhooks {
  const secretOf = async (account: string): Promise<string> => {
    // Of several processes that make one at once, the first one's stays.
    await kysely
      .insertInto('webhooks')
      .values({ account, secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`, since: null })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .execute();
    const row = await kysely
      .selectFrom('webhooks')
      .select('secret')
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    return row.secret;
  };
  return {
    secret: secretOf,
    listen: async (account, now) => {
      const secret = await secretOf(account);
      await kysely
        .updateTable('webhooks')
        .set({ since: now })
        .where('account', '=', account)
        .where('since', 'is', null)
        .execute();
      return secret;
    },
  };
}
