import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configuration, shared, TEMPORARY_FILES } from './vitest.base.mts';

/** What a test of `npm run test:fast` does not reach through its imports: other programs, browsers and PostgreSQL servers. */
const SLOW = ['node:child_process', 'playwright-core', 'test/core/database/postgres/fresh.ts'];
/** Leaves PostgreSQL out by itself. */
const DATABASES = 'test/core/database/databases.ts';
/**
 * Tests that compute or wait for a second or more, or load a protocol, a linter or a document for it; single ones in
 * other files are left out with `IN_LONG_RUN`.
 */
const LONG = [
  'test/cli/commands/create/wizard*.test.ts',
  'test/cli/commands/mcp/*',
  'test/cli/commands/reconcile/*',
  'test/cli/commands/sandbox/laboratory/house-rules.test.ts',
  'test/cli/commands/sandbox/record/*',
  'test/cli/commands/saved-addresses.test.ts',
  'test/conformance/*',
  'test/core/ledger/create-model.test.ts',
  'test/core/ledger/policy/simulate-agrees.test.ts',
  'test/core/ledger/{status-times,whole-or-nothing}.test.ts',
  'test/core/swap/addresses/{own-checksums,phrases,random}.test.ts',
  'test/core/swap/poll-schedule.test.ts',
  'test/core/swaps/backlog.test.ts',
  'test/docs/*',
  'test/release.test.ts',
  'test/safety/*',
  'test/sandbox/habits.test.ts',
  'test/sandbox/http/{connections,openapi}.test.ts',
  'test/sandbox/in-memory.test.ts',
  'test/sandbox/orders/{deposit-address,many-orders,order-actions}.test.ts',
  'test/sandbox/snapshots/snapshots.test.ts',
  'test/sandbox/state/seed.test.ts',
  'test/simulation/*',
];

const IMPORT = /^(?:import|export) (?!type\b)[^;]*?(?:from )?'([^']+)';$/gm;

/** Whether a test file, or a helper that it imports, imports one of {@link SLOW}. */
function isSlow(file: string, seen = new Set<string>()): boolean {
  if (SLOW.includes(file)) return true;
  if (!file.startsWith('test/') || file === DATABASES || seen.has(file)) return false;
  seen.add(file);
  const imports = [...readFileSync(join(import.meta.dirname, '..', file), 'utf8').matchAll(IMPORT)].map(
    ([, name = '']) => name,
  );
  return imports.some((name) => isSlow(name.startsWith('.') ? join(file, '..', name) : name, seen));
}

export default configuration({
  ...shared,
  include: readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => `test/${file}`)
    .filter((file) => !isSlow(file)),
  exclude: LONG,
  env: { SWAPCTL_TEST_FAST: '1' },
  globalSetup: TEMPORARY_FILES,
  // Each worker loads and compiles the program for itself, which takes four seconds of its processor.
  maxWorkers: 2,
  testTimeout: 20_000,
});
