import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { defineConfig } from 'rolldown';
import { writeModules, writeTypes } from './.build/library.mjs';
import { cutSourceMaps } from './.build/source-maps.mjs';

const OUT = 'dist';

/** Folders of the library, a bundle of its own: what it loads cannot change what a command loads. */
const OF_LIBRARY = ['library', 'types'];

/** A class that throws where it is made after all. */
const unusedClass = (name) =>
  `class ${name} { constructor() { throw new TypeError('${name} is left out of this bundle.'); } }`;

/** Parts of libraries that this program never reaches; loading them would cost half of a command's time. */
const UNUSED = new Map(
  Object.entries({
    // got 14: cache, HTTP/2 and DNS cache are off, and bodies are texts. It reads `CacheError` as it loads.
    'cacheable-request': `export default ${unusedClass('CacheableRequest')}; export class CacheError extends Error {}`,
    'http2-wrapper': `export default new Proxy({}, { get(_, name) { throw new TypeError('http2-wrapper (' + String(name) + ') is left out of this bundle.'); } });`,
    'cacheable-lookup': `export default ${unusedClass('CacheableLookup')}`,
    'form-data-encoder': `export ${unusedClass('FormDataEncoder')} export const isFormData = () => false;`,
    // conf 15: no schema is given, the settings check themselves.
    'conf/ajv': `export ${unusedClass('Ajv2020')}`,
    'conf/ajv/dist/2020.js': `export ${unusedClass('Ajv2020')} export default { Ajv2020 };`,
    'conf/ajv-formats': 'export default () => undefined;',
    // @inquirer/prompts 8: nobody is asked to write in an editor; with it come iconv-lite and chardet, a third of a megabyte.
    '@inquirer/editor': `export default () => { throw new TypeError('The editor is left out of this bundle.'); };`,
    // pg: the native driver is never asked for.
    'pg-native': 'export default undefined;',
    // commander: subcommands that are programs of their own.
    'commander/node:child_process': 'export default {};',
  }),
);

const leaveOutUnused = {
  name: 'leave-out-unused',
  resolveId(id, importer) {
    const owner = /node_modules[\\/](commander|conf)[\\/]/.exec(importer ?? '')?.[1];
    const name = owner === undefined ? id : `${owner}/${id}`;
    return UNUSED.has(name) ? `\0unused:${name}` : null;
  },
  load: (id) => (id.startsWith('\0unused:') ? UNUSED.get(id.slice('\0unused:'.length)) : null),
};

/** Delays the list formatter that @sindresorhus/is 7 (got 14) makes as it loads, for a text never shown: ten milliseconds. */
const makeFormattersLate = {
  name: 'make-formatters-late',
  transform(code, id) {
    if (!/[\\/]@sindresorhus[\\/]is[\\/]/.test(id) || !code.includes('Intl.ListFormat')) return null;
    const late = code.replaceAll(
      /new (Intl\.ListFormat\([^)]*\))/g,
      '{ format: (list) => new $1.format(list) }',
    );
    if (late === code) this.error('@sindresorhus/is has changed; see whether this plugin is still needed.');
    return late;
  },
};

/** Delays zlib, which decompress-response 10 (got 14) loads for answers that are not compressed too: 1.3 milliseconds. */
const makeZlibLate = {
  name: 'make-zlib-late',
  transform(code, id) {
    if (!/[\\/]decompress-response[\\/]index\.js$/.test(id)) return null;
    const late = [
      [
        "import zlib from 'node:zlib';",
        "const zlib = new Proxy({}, { get: (_, name) => process.getBuiltinModule('node:zlib')[name] });",
      ],
      ["const supportsZstd = typeof zlib.createZstdDecompress === 'function';", ''],
      [
        "const supportedEncodings = ['gzip'",
        "if (contentEncoding === '') return response;\nconst supportsZstd = typeof zlib.createZstdDecompress === 'function';\nconst supportedEncodings = ['gzip'",
      ],
    ];
    return late.reduce((text, [from, to]) => {
      if (!text.includes(from))
        this.error('decompress-response has changed; see whether this plugin is still needed.');
      return text.replace(from, to);
    }, code);
  },
};

/**
 * What is loaded together lies in one file, since a file costs a fifth of a millisecond however short it is: a signed
 * quote loads 8 files instead of 31.
 */
const TOGETHER = [
  { file: 'core', roots: ['src/main.ts'] },
  { file: 'wiring', roots: ['src/wiring.ts'] },
  {
    file: 'common',
    roots: ['src/client/client.ts', 'src/commands/quote/quote.ts'],
    without: /node_modules[\\/](?!lossless-json)|^.unused:|[\\/](client|quote)[\\/]/,
  },
  { file: 'client', roots: ['src/client/client.ts'] },
];

/** A group of the bundler for the modules that some roots import without waiting. */
function together({ file, roots, without = /^$/ }, index) {
  const known = new Map(roots.map((root) => [join(import.meta.dirname, root), true]));
  const isReached = (id, context) => {
    if (known.has(id)) return known.get(id);
    // For the modules of a circle; the answer of one that is outside of it replaces this one.
    known.set(id, false);
    const importers = context.getModuleInfo(id)?.importers ?? [];
    known.set(
      id,
      importers.some((importer) => isReached(importer, context)),
    );
    return known.get(id);
  };
  const name = (id, context) => (isReached(id, context) && !without.test(id) ? file : null);
  return { name, debugName: file, priority: TOGETHER.length - index };
}

/** Ships the licence texts of the bundled packages. */
const shipLicences = {
  name: 'ship-licences',
  generateBundle(_options, bundle) {
    const packages = new Map();
    for (const chunk of Object.values(bundle)) {
      for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) addPackage(packages, id);
    }
    const texts = [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(licenceText);
    const source = texts.join(`\n${'-'.repeat(78)}\n\n`);
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENCES.txt', source });
  },
};

function addPackage(packages, id) {
  const match = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id);
  if (match === null || packages.has(match[1])) return;
  const { name, version, license } = JSON.parse(readFileSync(join(match[1], 'package.json'), 'utf8'));
  packages.set(match[1], { name, version, license, folder: match[1] });
}

function licenceText({ name, version, license, folder }) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8')}`;
  return `${name} ${version} (${license})\n${text}`;
}

/** Removes old chunks after the new ones are written, so that a failed build leaves a working program behind. */
const removeOldChunks = {
  name: 'remove-old-chunks',
  writeBundle({ dir }, bundle) {
    for (const file of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      const name = relative(dir, path).replaceAll('\\', '/');
      const isOfOther = OF_LIBRARY.includes(name.split('/')[0]);
      if (file.isFile() && !isOfOther && !Object.hasOwn(bundle, name)) rmSync(path);
    }
  },
};

/** What the finished program prints, in a home of its own. */
function outputOf(args, fail) {
  const home = mkdtempSync(join(tmpdir(), 'swapctl-build-'));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/swapctl.js', ...args], {
    encoding: 'utf8',
    env: { HOME: home, PATH: process.env.PATH },
    maxBuffer: 1 << 26,
  });
  rmSync(home, { recursive: true, force: true });
  if (status !== 0) fail(`The program fails with ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Writes what completion knows of the program itself: the command line, and the coins of the built-in service. */
const writeCompletionData = {
  name: 'write-completion-data',
  writeBundle: {
    sequential: true,
    order: 'post',
    handler() {
      const fail = (message) => this.error(message);
      for (const [file, ...args] of [
        ['commands.json', 'commands'],
        ['coins.json', 'coins', '--sandbox'],
      ])
        writeFileSync(join(OUT, file), outputOf([...args, '--json'], fail));
    },
  },
};

/** Writes the help to a file, which `bin/swapctl.js` shows without loading the program. */
const writeHelp = {
  name: 'write-help',
  writeBundle: {
    sequential: true,
    order: 'post',
    handler() {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/swapctl.js', 'help'], {
        encoding: 'utf8',
      });
      if (status !== 0 || !stdout.startsWith('Usage: ')) this.error(`There is no help: ${stderr}`);
      // Where the pages are is known when the program is installed.
      writeFileSync(join(OUT, 'help.txt'), stdout.replaceAll(join(import.meta.dirname, 'docs'), '{docs}'));
    },
  },
};

/** Functions and classes keep their names for the stacks of `--debug`: 0.02 MB of the package. */
const MINIFY = { mangle: { keepNames: true } };

const PROGRAM = {
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: ['@photostructure/sqlite', '@napi-rs/keyring'],
  plugins: [
    leaveOutUnused,
    makeFormattersLate,
    makeZlibLate,
    shipLicences,
    removeOldChunks,
    cutSourceMaps,
    writeHelp,
    writeCompletionData,
  ],
  transform: { target: 'node20' },
  output: {
    dir: OUT,
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: MINIFY,
    sourcemap: true,
    comments: false,
    codeSplitting: {
      groups: TOGETHER.map(together),
    },
  },
};

/** Completion is a program of its own beside the other one, so that pressing Tab loads none of its files. */
const COMPLETION = {
  input: { complete: 'src/completion/complete.ts' },
  platform: 'node',
  // It writes no settings.
  external: [...PROGRAM.external, 'conf'],
  plugins: [leaveOutUnused],
  transform: PROGRAM.transform,
  output: {
    ...{ dir: join(OUT, 'completion'), format: 'cjs', minify: true, comments: false },
    ...{ entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  },
};

/** Where the page of `sandbox start --ui` is written in. */
const PAGE_SOURCE = join('src', 'sandbox', 'page', 'browser');

/** The page's script, with what is beside it. It holds no package. */
const PAGE = {
  input: { page: join(PAGE_SOURCE, 'page.ts') },
  platform: 'browser',
  plugins: [
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

/**
 * Keeps the lines of the library: Node shows the one that an uncaught error was thrown in, and without them that was a
 * whole file of 40 kB.
 */
const MINIFY_LIBRARY = { ...MINIFY, codegen: { removeWhitespace: false } };

/** Bundles no package that the program does not, so that one file of licence texts is for both. */
const LIBRARY = {
  input: { index: 'src/library/library.ts', testing: 'src/library/testing.ts' },
  platform: 'node',
  external: PROGRAM.external,
  plugins: [
    leaveOutUnused,
    makeFormattersLate,
    makeZlibLate,
    removeOldChunks,
    writeModules,
    writeTypes(['library/library.d.ts', 'library/testing.d.ts'], join(OUT, 'types')),
  ],
  transform: PROGRAM.transform,
  output: {
    ...{ dir: join(OUT, 'library'), format: 'cjs', minify: MINIFY_LIBRARY, comments: false },
    ...{ entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
  },
};

export default defineConfig([PROGRAM, COMPLETION, PAGE, LIBRARY]);
