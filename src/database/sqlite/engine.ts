import { createRequire } from 'node:module';
import type * as Engine from '@photostructure/sqlite';
import { StorageError } from '../../errors.ts';
import { systemCode } from '../../files.ts';

const PACKAGE = '@photostructure/sqlite';

/** SQLite: Node's own from 22.16, before that the optional package, which has the same interface. */
export const { DatabaseSync } = engineOfNode() ?? engineOfPackage();

/** An open SQLite file. */
export type SqliteHandle = InstanceType<typeof DatabaseSync>;

/** Node's SQLite, unless it knows neither URIs (before 22.15) nor the columns of a statement (before 22.16). */
function engineOfNode(): typeof Engine | undefined {
  const engine = withoutItsWarning(
    () => process.getBuiltinModule('node:sqlite') as typeof Engine | undefined,
  );
  return engine !== undefined && 'columns' in engine.StatementSync.prototype ? engine : undefined;
}

/** Loads Node's SQLite without the warning that it is experimental, which Node 22 writes to stderr; others are shown. */
function withoutItsWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  const quieter = (...args: Parameters<typeof emitWarning>): void => {
    const [warning, kind] = args as readonly unknown[];
    if (kind === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')) return;
    emitWarning.apply(process, args);
  };
  process.emitWarning = quieter as typeof emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function engineOfPackage(): typeof Engine {
  try {
    return createRequire(import.meta.url)(PACKAGE);
  } catch (error) {
    throw new StorageError(
      systemCode(error) === 'MODULE_NOT_FOUND'
        ? `SQLite is missing: Node ${process.versions.node} has none that swapctl can use, and the optional package ${PACKAGE} is not installed.`
        : `SQLite cannot be loaded: ${error instanceof Error ? error.message.split('\n')[0] : error}.`,
      'Use Node 22.16 or newer, or install swapctl again, from the same package file as before, without --omit=optional.',
    );
  }
}
