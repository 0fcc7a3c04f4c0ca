import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { leaveUnfrozen } from '../../build/program.mjs';
import { planted } from './planted/plugin.mjs';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');
const STAND_INS = join(HERE, 'stand-ins');
const OUT = join(ROOT, 'node_modules', '.cache', 'swapctl-simulation');

/** Modules in whose place the simulated run has others: they reach for randomness, timers, sockets or keychains. */
const REPLACED = new Map([
  ['node:crypto', 'crypto.ts'],
  ['node:timers/promises', 'timers.ts'],
  ['got', 'got.ts'],
  ['@napi-rs/keyring', 'keyring.ts'],
]);

/** Modules of the command line in whose place it has others: they open sockets and temporary files. */
const OF_COMMANDS = new Set(['./wiring.ts', './spool.ts']);

const clock = join(STAND_INS, 'clock.ts');
/** Globals of the machine that the simulated run must not see. */
const GLOBALS = {
  performance: [clock, 'performance'],
  setImmediate: [clock, 'setImmediate'],
  setTimeout: [clock, 'setTimeout'],
  Response: [join(STAND_INS, 'response.ts'), 'Response'],
};

const standIns = {
  name: 'stand-ins',
  async resolveId(id, importer) {
    if (importer === undefined || importer.startsWith(HERE)) return null;
    const replaced = importer.startsWith(join(ROOT, 'src')) ? REPLACED.get(id) : undefined;
    if (replaced !== undefined) return join(STAND_INS, replaced);
    if (importer.startsWith(join(ROOT, 'src', 'cli')) && OF_COMMANDS.has(id)) return join(STAND_INS, id);
    return /(^|\/)database\/open\.ts$|^\.\/open\.ts$/.test(id) && (await isDatabase(this, id, importer))
      ? join(STAND_INS, 'open.ts')
      : null;
  },
};

async function isDatabase(context, id, importer) {
  const found = await context.resolve(id, importer, { skipSelf: true });
  return found !== null && found.id === join(ROOT, 'src', 'core', 'database', 'open.ts');
}

/** Files whose branches are counted. */
function countedFiles() {
  return COUNTED.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}${name.replaceAll('\\', '/')}`),
  ).sort();
}

export const COUNTED = ['src/core/swaps/', 'src/core/ledger/'];

/** The simulation together with every counted file, also with what it never calls. */
const EVERYTHING = 'everything';
const everything = {
  name: EVERYTHING,
  resolveId: (id) => (id === EVERYTHING ? id : null),
  load: (id) => {
    if (id !== EVERYTHING) return null;
    const path = (file) => JSON.stringify(join(ROOT, file));
    const files = countedFiles().map((file) => `import ${path(file)};`);
    return `export * from ${path('test/simulation/simulate.ts')};\n${files.join('\n')}`;
  },
};

/**
 * Bundles the simulation with the product, perhaps with a planted bug or a plugin that changes it, and returns the path of the module; one that
 * `isCounted` has every counted file whole, and a source map beside it.
 */
export async function bundleSimulation(bug = null, isCounted = false) {
  const built = await rolldown({
    input: isCounted ? EVERYTHING : join(HERE, 'simulate.ts'),
    treeshake: !isCounted,
    platform: 'node',
    external: ['@photostructure/sqlite'],
    plugins: [everything, standIns, leaveUnfrozen, ...(bug === null ? [] : [bug.plugin ?? planted(bug)])],
    // The program is built as a script, which knows its folder.
    transform: { target: 'node20', inject: GLOBALS, define: { __dirname: JSON.stringify(ROOT) } },
  });
  const file = join(OUT, `${bug?.name ?? 'simulate'}-${process.pid}.mjs`);
  await built.write({ file, format: 'esm', codeSplitting: false, comments: false, sourcemap: isCounted });
  await built.close();
  return file;
}
