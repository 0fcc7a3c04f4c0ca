import { Writable } from 'node:stream';
import pg from 'pg';
import pgpass from 'pgpass';
import { StorageError } from '../../../base/errors.ts';
import { codeInBrackets, shellQuote, systemCode } from '../../../base/files.ts';
import { echoed } from '../../../base/text.ts';

/** PostgreSQL's error code for a wrong or missing password. */
const INVALID_PASSWORD = '28P01';

/** A URL as pg takes it, and what its errors depend on. */
export interface ConnectionTarget {
  readonly url: string;
  readonly hasPassword: boolean;
  /** A password file that is not read because others can read it. */
  readonly ignoredFile: string | null;
}

/**
 * Adds the password to a URL: its own, or PGPASSWORD's, or the one in the file that PGPASSFILE names (default
 * ~/.pgpass). Without any, the URL stays as it is: a server may not ask for one. Throws StorageError for a certificate
 * file that cannot be read.
 */
export async function loginOf(given: string, displayName: string): Promise<ConnectionTarget> {
  const url = explicitTls(given);
  const { host, port, database, user, password } = clientForUrl(url, displayName);
  if (password) return { url, hasPassword: true, ignoredFile: null };
  let ignoredFile: string | null = null;
  // pgpass would write its warning to standard error.
  pgpass.warnTo(
    new Writable({
      write(chunk, _encoding, done) {
        ignoredFile = /file "(.*)" has group or world access/.exec(String(chunk))?.[1] ?? ignoredFile;
        done();
      },
    }),
  );
  const found = await new Promise<string | undefined>((resolve) => {
    pgpass({ host, port, database, user }, resolve);
  });
  if (found === undefined) return { url, hasPassword: false, ignoredFile };
  const complete = new URL(url);
  complete.password = encodeURIComponent(found);
  return { url: complete.href, hasPassword: true, ignoredFile };
}

const SSL_MODES = ['disable', 'no-verify', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** A URL that can be parsed, also libpq's for a socket, whose host is empty. Throws StorageError for any other. */
export function validUrl(given: string): string {
  const url = given.replace(/^([a-z]+:\/\/[^/?#]*@)\//i, '$1localhost/');
  if (!URL.canParse(url))
    throw new StorageError('The database URL is not valid.', 'Use a URL such as postgres://user@host/name.');
  const mode = new URL(url).searchParams.get('sslmode') ?? 'disable';
  if (!SSL_MODES.includes(mode))
    throw new StorageError(
      `The database URL has an unknown sslmode: ${echoed(mode)}.`,
      `Use one of ${SSL_MODES.join(', ')}.`,
    );
  return url;
}

/** The URL with the sslmode that pg 8 takes others for: it would write a warning to standard error. */
function explicitTls(url: string): string {
  const explicit = new URL(url);
  const { searchParams } = explicit;
  const isAlias = ['prefer', 'require', 'verify-ca'].includes(searchParams.get('sslmode') ?? '');
  if (!isAlias || searchParams.get('uselibpqcompat') === 'true') return url;
  searchParams.set('sslmode', 'verify-full');
  return explicit.href;
}

function clientForUrl(url: string, displayName: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url });
  } catch (error) {
    throw new StorageError(
      `The database ${displayName} could not be used: a certificate file of its URL could not be read${codeInBrackets(error)}.`,
      'Check the paths of sslrootcert, sslcert and sslkey.',
    );
  }
}

/** The error for a login that the person can correct: no password, or a refused certificate; else undefined. */
export function loginFailure(error: unknown, displayName: string, login: ConnectionTarget) {
  return (
    certificateRefused(error, displayName) ??
    (login.hasPassword ? undefined : passwordMissing(error, displayName, login))
  );
}

function passwordMissing(
  error: unknown,
  displayName: string,
  { ignoredFile }: Pick<ConnectionTarget, 'ignoredFile'>,
): StorageError | undefined {
  const code = systemCode(error);
  // pg 8 refuses some kinds of login without a password itself, with an error without a code.
  const isAsked = code === INVALID_PASSWORD || (error instanceof Error && error.message.startsWith('SASL'));
  if (!isAsked) return undefined;
  if (ignoredFile !== null)
    return new StorageError(
      `The database ${displayName} asks for a password, and the password file ${ignoredFile} is ignored: others can read it.`,
      `If it is your password file, run: chmod 600 ${shellQuote(ignoredFile)}`,
    );
  return new StorageError(
    `The database ${displayName} asks for a password.`,
    'Set PGPASSWORD or use ~/.pgpass; a password in the URL is visible in process lists.',
  );
}

const REFUSED_CERTIFICATE =
  /^(?:CERT_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS_CERT)/;

/** Certificates that no authority can make right: the wrong host, or the wrong time. */
const NOT_THE_AUTHORITY = /^(?:ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/;

function certificateRefused(error: unknown, displayName: string): StorageError | undefined {
  const code = systemCode(error);
  if (code === null || !REFUSED_CERTIFICATE.test(code)) return undefined;
  const words = error instanceof Error ? error.message : code;
  return new StorageError(
    `The certificate of the database ${displayName} is not trusted: ${words.replace(/\.$/, '')}.`,
    NOT_THE_AUTHORITY.test(code)
      ? 'Install a currently valid certificate for the host in the URL on the server.'
      : 'To trust the authority that signed it, add sslmode=verify-full&sslrootcert=/path/to/ca.pem to the URL.',
  );
}
