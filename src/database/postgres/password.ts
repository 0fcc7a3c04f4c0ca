import pg from 'pg';
import pgpass from 'pgpass';
import { StorageError } from '../../errors.ts';
import { systemCode } from '../../files.ts';

/** PostgreSQL's error code for a wrong or missing password. */
const INVALID_PASSWORD = '28P01';

/**
 * Adds the password to a URL: its own, or PGPASSWORD's, or the one in the file that PGPASSFILE names (default
 * ~/.pgpass). Without any, the URL stays as it is: a server may not ask for one.
 */
export async function withPassword(url: string): Promise<{ url: string; hasPassword: boolean }> {
  const { host, port, database, user, password } = new pg.Client({ connectionString: url });
  if (password) return { url, hasPassword: true };
  const found = await new Promise<string | undefined>((resolve) => {
    pgpass({ host, port, database, user }, resolve);
  });
  if (found === undefined) return { url, hasPassword: false };
  const complete = new URL(url);
  complete.password = encodeURIComponent(found);
  return { url: complete.href, hasPassword: true };
}

/** Error for a failed login without a password, undefined where something else went wrong. */
export function passwordMissing(error: unknown, place: string): StorageError | undefined {
  const code = systemCode(error);
  // pg 8 refuses some kinds of login without a password itself, with an error without a code.
  const isAsked = code === INVALID_PASSWORD || (error instanceof Error && error.message.startsWith('SASL'));
  if (!isAsked) return undefined;
  return new StorageError(
    `The database ${place} asks for a password.`,
    'Set PGPASSWORD, or write it into ~/.pgpass; in the URL, lists of processes show it.',
  );
}
