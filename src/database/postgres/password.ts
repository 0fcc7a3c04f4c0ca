import pg from 'pg';
import pgpass from 'pgpass';
import { StorageError } from '../../errors.ts';
import { systemCode } from '../../files.ts';

/** PostgreSQL's code for a password that is wrong or missing. */
const INVALID_PASSWORD = '28P01';

/**
 * The URL with the password that belongs to it: its own, or else PGPASSWORD's, or else one of the file that PGPASSFILE
 * names, by default ~/.pgpass. Undefined beside it where there is none; a server may ask for none.
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

/** What to say of a failed login where no password was given, or undefined where something else went wrong. */
export function passwordMissing(error: unknown, place: string): StorageError | undefined {
  const code = systemCode(error);
  // The library refuses by itself to answer some kinds of login without a password, with no code.
  const isAsked = code === INVALID_PASSWORD || (error instanceof Error && error.message.startsWith('SASL'));
  if (!isAsked) return undefined;
  return new StorageError(
    `The database ${place} asks for a password.`,
    'Set PGPASSWORD, or write it into ~/.pgpass; in the URL, lists of processes show it.',
  );
}
