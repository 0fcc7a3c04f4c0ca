import type { Command } from 'commander';

/** Location of a sandbox: a file, a `postgres://` URL, or undefined for the built-in service's own file. */
export type SandboxDatabase = string | undefined;

/** A verb's flag for another database than the built-in service's. */
export function onDatabase(command: Command): Command {
  return command.option(
    '--database <location>',
    'file or postgres:// URL, with its password in PGPASSWORD or ~/.pgpass (default: sandbox.db of the built-in service)',
  );
}

/** Value of `--database`. */
export function databaseOf(flags: Readonly<Record<string, unknown>>): SandboxDatabase {
  return typeof flags['database'] === 'string' ? flags['database'] : undefined;
}
