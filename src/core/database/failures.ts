import { StorageError } from '../../base/errors.ts';

/** A row with the same key exists; the statement changed nothing. */
export class UniqueViolationError extends Error {
  override readonly name = 'UniqueViolationError';
}

/** Does the work and returns its result; false if it would violate a unique key. */
export async function unlessTaken<T>(work: () => Promise<T>): Promise<T | false> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UniqueViolationError) return false;
    throw error;
  }
}

/** The database did not finish in time, mostly because another process is writing: a retry would wait as long again. */
export class BusyError extends StorageError {
  override readonly retryable = true;
}

export class UncreatableError extends StorageError {}

/** The disk is full or read-only; reading may still work. */
export class UnwritableError extends StorageError {}

/** PostgreSQL's error code for a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03';
/** PostgreSQL's error code for a statement that was stopped, mostly by its timeout. */
const QUERY_CANCELED = '57014';
/** Timeouts of pg 8 and its pool, which come without a code. */
const DRIVER_TIMEOUTS: readonly unknown[] = ['Query read timeout', 'timeout exceeded when trying to connect'];

const UNIQUE_CODES: readonly unknown[] = [1555, 2067, '23505'];

/** Hint for a file that cannot be used: the person decides, never the program. */
export const NEVER_OVERWRITTEN = 'swapctl never overwrites it; move it away to start with a new one.';

export function foreignDatabase(path: string): StorageError {
  return new StorageError(
    `The database ${path} belongs to another program.`,
    'Use another file; swapctl never changes a database that it did not create.',
  );
}

const LOCKED = ['is locked by another process', 'Try again when the other process has finished.'] as const;

const REASONS = new Map<unknown, readonly [string, string?]>([
  [5, LOCKED],
  [6, LOCKED],
  [LOCK_NOT_AVAILABLE, LOCKED],
  [8, ['is read-only', 'Check the permissions of the file and its folder.']],
  [
    10,
    [
      'could not be read or written: the disk reported an error',
      'Is the disk full? Free some space and try again.',
    ],
  ],
  [11, ['is damaged', NEVER_OVERWRITTEN]],
  [13, ['could not be written: the disk is full', 'Free some space and try again.']],
  [14, ['could not be opened', 'Check the permissions of the file and its folder.']],
  [26, ['is not a database', NEVER_OVERWRITTEN]],
]);

const UNREACHABLE = 'Check the host and port of the URL, and that the server accepts connections.';
const GRANT =
  'Have the owner of the database grant the role of the URL what it lacks, or use the role that owns the tables.';

const POSTGRES_HINTS = new Map<unknown, string>([
  ['28P01', 'Check the user and the password.'],
  ['28000', 'Check the user, and what pg_hba.conf of the server allows it.'],
  ['3D000', 'Create the database, or correct its name in the URL.'],
  ['3F000', 'Create the schema, or correct search_path in the URL.'],
  ['42501', GRANT],
  ['25006', 'Use the URL of the primary server; this one may be a standby.'],
  ['53100', 'Free some space on the disk of the server, and try again.'],
  ['ECONNREFUSED', UNREACHABLE],
  ['ENOTFOUND', UNREACHABLE],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ETIMEDOUT', UNREACHABLE],
  ['ENOENT', UNREACHABLE],
]);

/** Read-only, disk error, disk full, cannot open: SQLite reports any of them where it cannot create its files. */
const UNWRITABLE: ReadonlySet<unknown> = new Set([8, 10, 13, 14]);

/** Maps an error of a driver to ours; `displayName` is a path or a server's name, never a URL with a password. */
export function translateFailure(error: unknown, displayName: string): Error {
  if (error instanceof StorageError || error instanceof UniqueViolationError) return error;
  const code = errorCode(error);
  if (UNIQUE_CODES.includes(code))
    return new UniqueViolationError(`The same row already exists in ${displayName}.`);
  const reason = typeof code === 'number' ? code & 0xff : code;
  const known = REASONS.get(reason);
  if (known !== undefined) {
    const Kind = known === LOCKED ? BusyError : UNWRITABLE.has(reason) ? UnwritableError : StorageError;
    return new Kind(`The database ${displayName} ${known[0]}.`, known[1]);
  }
  const words =
    error instanceof Error && error.message !== '' ? error.message : String(code ?? 'no reason given');
  const hint = POSTGRES_HINTS.get(reason);
  const Kind = reason === QUERY_CANCELED || DRIVER_TIMEOUTS.includes(words) ? BusyError : StorageError;
  return new Kind(`The database ${displayName} could not be used: ${words}.`.replace('..', '.'), hint);
}

/** SQLite's primary result code, if the error is one of SQLite's. */
export function sqliteErrorCode(error: unknown): number | undefined {
  const code = errorCode(error);
  return typeof code === 'number' ? code & 0xff : undefined;
}

function errorCode(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('errcode' in error) return error.errcode;
  if (!('code' in error)) return undefined;
  return error.code === 'ERR_SQLITE_ERROR' ? codeOfMessage(error) : error.code;
}

/** Result code by SQLite's fixed message: @photostructure/sqlite 1.2 leaves the code out of errors of `all()`. */
function codeOfMessage(error: object): unknown {
  const words = error instanceof Error ? error.message : '';
  return SQLITE_MESSAGES.find(([beginning]) => words.startsWith(beginning))?.[1] ?? 'ERR_SQLITE_ERROR';
}

const SQLITE_MESSAGES: readonly (readonly [string, number])[] = [
  ['database is locked', 5],
  ['database table is locked', 6],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['file is not a database', 26],
  ['UNIQUE constraint failed', 2067],
];
