import { randomUUID } from 'node:crypto';

/**
 * A database in the memory of this process, without any file. All who open the same object share its tables, which end
 * with the last of them.
 */
export class InMemory {
  /** Name of SQLite's own, which nobody else in the process has. */
  readonly name = `/swapctl-${randomUUID()}`;
}

/** Place of a database: the path of a file, a `postgres://` URL, or memory. */
export type DatabaseLocation = string | InMemory;
