import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { breakLines, writeModules, writeTypes } from './library.mjs';
import {
  GROUPS,
  leaveOutUnused,
  leaveUnfrozen,
  makeFormattersLate,
  OUT,
  onlyShippedPackages,
  packWordLists,
  removeOldChunks,
  shipLicences,
  writeCompletionData,
  writeHelp,
  writeManualPage,
} from './program.mjs';
import { cutSourceMaps } from './source-maps.mjs';

/** Functions and classes keep their names for the stack traces of `--debug`, which adds 0.02 MB. */
const MINIFY = { mangle: { keepNames: true } };

const PROGRAM = {
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: ['@photostructure/sqlite', '@napi-rs/keyring'],
  plugins: [
    leaveOutUnused,
    leaveUnfrozen,
    makeFormattersLate,
    packWordLists,
    shipLicences,
    removeOldChunks,
    cutSourceMaps,
    writeHelp,
    writeCompletionData,
    writeManualPage,
  ],
  transform: { target: 'node20' },
  output: {
    dir: OUT,
    format: 'cjs',
    // Node refuses `import()` in a script whose bytecode was kept.
    dynamicImportInCjs: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: MINIFY,
    sourcemap: true,
    comments: false,
    codeSplitting: { groups: GROUPS },
  },
};

/** Completion is a separate program, so that pressing Tab loads none of the main program's files. */
const COMPLETION = {
  input: { complete: 'src/cli/completion/complete.ts' },
  platform: 'node',
  // Completion writes no settings.
  external: [...PROGRAM.external, 'conf'],
  plugins: [leaveOutUnused, onlyShippedPackages],
  transform: PROGRAM.transform,
  output: {
    ...{
      dir: join(OUT, 'completion'),
      format: 'cjs',
      dynamicImportInCjs: false,
      minify: true,
      comments: false,
    },
    ...{ entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  },
};

/** Source of the page of `sandbox start --ui`. */
const PAGE_SOURCE = join('src', 'sandbox', 'page', 'browser');

/** The page's script, HTML and styles. */
const PAGE = {
  input: { page: join(PAGE_SOURCE, 'page.ts') },
  platform: 'browser',
  plugins: [
    onlyShippedPackages,
    {
      name: 'copy-page',
      generateBundle() {
        for (const fileName of ['page.html', 'page.css', 'icon.svg'])
          this.emitFile({ type: 'asset', fileName, source: readFileSync(join(PAGE_SOURCE, fileName)) });
      },
    },
  ],
  output: {
    dir: join(OUT, 'page'),
    format: 'esm',
    minify: true,
    comments: false,
    entryFileNames: '[name].js',
  },
};

const library = (input, format, folder, extension, plugins) => ({
  input,
  platform: 'node',
  external: PROGRAM.external,
  // What the program loads late, the library has at once.
  checks: { ineffectiveDynamicImport: false },
  plugins: [
    ...[leaveOutUnused, leaveUnfrozen, makeFormattersLate, packWordLists],
    ...[onlyShippedPackages, removeOldChunks, breakLines],
    ...plugins,
  ],
  transform: PROGRAM.transform,
  output: {
    ...{ dir: join(OUT, folder), format, minify: true, comments: false },
    ...{ entryFileNames: `[name].${extension}`, chunkFileNames: `chunks/[name]-[hash].${extension}` },
  },
});

const [CLIENT, TESTING] = ['src/library/library.ts', 'src/library/testing.ts'];
const WITH_LEDGER = 'src/library/ledger-client.ts';
const LIBRARY = library({ index: CLIENT, testing: TESTING, ledger: WITH_LEDGER }, 'cjs', 'library', 'js', [
  writeModules(['testing']),
  writeTypes(['library/library.d.ts', 'library/testing.d.ts'], join(OUT, 'types')),
]);

/**
 * The client as modules that bundlers can take apart. `swapctl/testing` is in no bundle, and as a second copy it would
 * be a fifth of the package. What needs a ledger is loaded late, and is that of the other library for the same reason.
 */
const MODULES = library({ index: CLIENT }, 'esm', 'modules', 'mjs', [
  {
    name: 'share-ledger',
    resolveId: (id) =>
      id.endsWith('/ledger-client.ts')
        ? { id: resolve(OUT, 'library', 'ledger.js'), external: 'relative' }
        : null,
  },
  // hpagent's calls of `require` would need `import.meta.url`, which a bundle in CommonJS has not.
  esmExternalRequirePlugin({ external: ['http', 'https', 'url'] }),
]);

/** `npm run dev` leaves out the library: its types take as long as everything else. */
const isWatching = process.argv.includes('--watch');

export default defineConfig(
  [PROGRAM, COMPLETION, PAGE, ...(isWatching ? [] : [LIBRARY, MODULES])].map((each) => ({
    ...each,
    // How long our plugins take is not a problem of whoever builds.
    checks: { ...each.checks, pluginTimings: false },
  })),
);
