import { UsageError } from '../../errors.ts';

/** Names of partners and snapshots: none is a flag on the command line or a folder in a URL. */
export const NAME = /^\w[\w.-]{0,63}$/;

/** Throws UsageError for a name that is not allowed; `what` it is begins the sentence. */
export function requireName(name: string, what: string): void {
  if (NAME.test(name)) return;
  throw new UsageError(
    `${what} must have 1 to 64 letters, digits, dots, hyphens or underscores, and start with a letter, digit or underscore.`,
  );
}
