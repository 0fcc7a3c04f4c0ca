import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { manualPage } from './manual-page.mjs';

const ROOT = join(import.meta.dirname, '..');

/** Folder of everything that is built. */
export const OUT = 'dist';

/** Folders of the library. It has bundles of its own, so that it cannot change what a command loads. */
const OF_LIBRARY = ['library', 'modules', 'types'];

/** A class that throws when an instance is made. */
const unusedClass = (name) =>
  `class ${name} { constructor() { throw new TypeError('${name} is left out of this bundle.'); } }`;

/** Parts of libraries that this program never uses. Loading them would take half of a command's time. */
const UNUSED = new Map(
  Object.entries({
    // got 14: cache, HTTP/2 and DNS cache are off, and bodies are texts. It reads `CacheError` as it loads.
    'cacheable-request': `export default ${unusedClass('CacheableRequest')}; export class CacheError extends Error {}`,
    'http2-wrapper': `export default new Proxy({}, { get(_, name) { throw new TypeError('http2-wrapper (' + String(name) + ') is left out of this bundle.'); } });`,
    'cacheable-lookup': `export default ${unusedClass('CacheableLookup')}`,
    'form-data-encoder': `export ${unusedClass('FormDataEncoder')} export const isFormData = () => false;`,
    // conf 15: settings.ts validates the settings, so no schema is passed.
    'conf/ajv': `export ${unusedClass('Ajv2020')}`,
    'conf/ajv/dist/2020.js': `export ${unusedClass('Ajv2020')} export default { Ajv2020 };`,
    'conf/ajv-formats': 'export default () => undefined;',
    // @inquirer/prompts 8: no question opens an editor, which would add iconv-lite and chardet (a third of a megabyte).
    '@inquirer/editor': `export default () => { throw new TypeError('The editor is left out of this bundle.'); };`,
    // pg: the native driver is never used.
    'pg-native': 'export default undefined;',
    // @modelcontextprotocol/server 2: its smaller validator of JSON Schema, and not a copy of Ajv, a third of the server.
    '@modelcontextprotocol/server/_shims': `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'; export { default as process } from 'node:process';`,
    // commander: subcommands that are separate executables.
    'commander/node:child_process': 'export default {};',
  }),
);

export const leaveOutUnused = {
  name: 'leave-out-unused',
  resolveId(id, importer) {
    const owner = /node_modules[\\/](commander|conf)[\\/]/.exec(importer ?? '')?.[1];
    const name = owner === undefined ? id : `${owner}/${id}`;
    return UNUSED.has(name) ? `\0unused:${name}` : null;
  },
  load: (id) => (id.startsWith('\0unused:') ? UNUSED.get(id.slice('\0unused:'.length)) : null),
};

/** kysely freezes each part of a query, which takes a tenth of the time of a poll. */
export const leaveUnfrozen = {
  name: 'leave-unfrozen',
  transform(code, id) {
    if (!/[\\/]kysely[\\/].*object-utils\.js$/.test(id)) return null;
    const unfrozen = code.replace('return Object.freeze(obj);', 'return obj;');
    if (unfrozen === code) this.error('kysely has changed; see whether this plugin is still needed.');
    return { code: unfrozen, map: null };
  },
};

/**
 * @sindresorhus/is 7 (of got 14) creates two Intl.ListFormat objects when it loads, for messages that are never shown.
 * Creating them on first use saves 11 ms and 5 MB of a signed quote (8 %). Its version 8 still does the same.
 */
export const makeFormattersLate = {
  name: 'make-formatters-late',
  transform(code, id) {
    if (!/[\\/]@sindresorhus[\\/]is[\\/]/.test(id) || !code.includes('Intl.ListFormat')) return null;
    const late = code.replaceAll(
      /new (Intl\.ListFormat\([^)]*\))/g,
      '{ format: (list) => new $1.format(list) }',
    );
    if (late === code) this.error('@sindresorhus/is has changed; see whether this plugin is still needed.');
    return { code: late, map: null };
  },
};

/**
 * Modules that are loaded together go into one file, because each file costs a fifth of a millisecond, however short: a
 * signed quote loads 8 files instead of 31.
 */
const TOGETHER = [
  { file: 'core', roots: ['src/main.ts'] },
  { file: 'wiring', roots: ['src/cli/wiring.ts'] },
  {
    file: 'common',
    roots: ['src/core/client/client.ts', 'src/cli/commands/quote/quote.ts'],
    without: /node_modules[\\/](?!lossless-json)|^.unused:|[\\/](client|quote)[\\/]/,
  },
  { file: 'client', roots: ['src/core/client/client.ts'] },
];

/** A bundler group of the modules that the roots import statically. */
function together({ file, roots, without = /^$/ }, index) {
  const known = new Map(roots.map((root) => [join(ROOT, root), true]));
  const isReached = (id, context) => {
    if (known.has(id)) return known.get(id);
    // Ends the walk in an import cycle; an importer outside the cycle overrides it.
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

/** Ships the word lists of seed phrases compressed, which takes a third of a megabyte off the package. */
export const packWordLists = {
  name: 'pack-word-lists',
  transform(code, id) {
    if (!/[\\/]@scure[\\/]bip39[\\/]wordlists[\\/]/.test(id)) return null;
    const words = /`([^`]+)`\.split\('\\n'\)/.exec(code);
    if (words === null) this.error('@scure/bip39 has changed; see how its word lists are written now.');
    const packed = brotliCompressSync(words[1]).toString('base64');
    const unpacked = `brotliDecompressSync(Buffer.from('${packed}', 'base64')).toString().split('\\n')`;
    return {
      code: `import { brotliDecompressSync } from 'node:zlib';\n${code.replace(words[0], unpacked)}`,
      map: null,
    };
  },
};

/** What is bundled only in the page of the sandbox, which is built after the licences are written. */
const OF_PAGE = ['lit-html'];

const LICENCES = 'THIRD-PARTY-LICENCES.txt';

/** Writes the licence texts of the bundled packages, those of the page too, into the output. */
export const shipLicences = {
  name: 'ship-licences',
  generateBundle(_options, bundle) {
    const packages = packagesOf(bundle);
    for (const name of OF_PAGE)
      addPackage(packages, join(process.cwd(), 'node_modules', name, 'package.json'));
    // Packages of one author often have the same text, which would be half of the file.
    const namesOf = new Map();
    for (const one of [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const text = licenceText(one);
      namesOf.set(text, [...(namesOf.get(text) ?? []), `${one.name} ${one.version} (${one.license})\n`]);
    }
    const sections = [...namesOf].map(([text, names]) => `${names.join('')}${text}`);
    const source = sections.join(`\n${'-'.repeat(78)}\n\n`);
    this.emitFile({ type: 'asset', fileName: LICENCES, source });
  },
};

/** Fails where another bundle has a package that is not in the licence texts, from which the bill of materials is made. */
export const onlyShippedPackages = {
  name: 'only-shipped-packages',
  generateBundle(_options, bundle) {
    const shipped = `\n${readFileSync(join(OUT, LICENCES), 'utf8')}`;
    for (const { name, version } of packagesOf(bundle).values())
      if (!shipped.includes(`\n${name} ${version} (`))
        this.error(`${name} ${version} is not in ${LICENCES}: add it to OF_PAGE.`);
  },
};

function packagesOf(bundle) {
  const packages = new Map();
  for (const chunk of Object.values(bundle)) {
    for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) addPackage(packages, id);
  }
  return packages;
}

function addPackage(packages, id) {
  const match = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id);
  if (match === null || packages.has(match[1])) return;
  const { name, version, license } = JSON.parse(readFileSync(join(match[1], 'package.json'), 'utf8'));
  packages.set(match[1], { name, version, license, folder: match[1] });
}

function licenceText({ folder }) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8')}`;
}

/** Removes old chunks after the new ones are written, so that a failed build leaves the old program working. */
export const removeOldChunks = {
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

/** Standard output of the finished program, run in an empty home. */
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

/** Writes the static data of completion: the command line, and the coins of the built-in service. */
export const writeCompletionData = {
  name: 'write-completion-data',
  writeBundle: {
    sequential: true,
    order: 'post',
    handler() {
      const fail = (message) => this.error(message);
      for (const [file, ...args] of [
        ['commands.json', 'help'],
        ['coins.json', 'coins', '--sandbox'],
      ])
        writeFileSync(join(OUT, file), outputOf([...args, '--json'], fail));
    },
  },
};

/** Writes the manual page of the package. */
export const writeManualPage = {
  name: 'write-manual-page',
  writeBundle: {
    sequential: true,
    order: 'post',
    handler() {
      const topics = join(ROOT, 'src', 'cli', 'views', 'help-topics.json');
      const { variables } = JSON.parse(readFileSync(topics, 'utf8'));
      const data = JSON.parse(readFileSync(join(OUT, 'commands.json'), 'utf8'));
      mkdirSync('man', { recursive: true });
      writeFileSync(join('man', 'swapctl.1'), manualPage(data, variables));
    },
  },
};

/** Writes the root help to a file, which `bin/swapctl.js` prints without loading the program. */
export const writeHelp = {
  name: 'write-help',
  writeBundle: {
    sequential: true,
    order: 'post',
    handler() {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/swapctl.js', 'help'], {
        encoding: 'utf8',
      });
      if (status !== 0 || !stdout.startsWith('Usage: ')) this.error(`There is no help: ${stderr}`);
      // The folder of the pages is known only once the program is installed.
      writeFileSync(join(OUT, 'help.txt'), stdout.replaceAll(join(ROOT, 'docs'), '{docs}'));
    },
  },
};

/** What `help --json`, `--fields` and the tools for agents load: one file, since they always read all of it. */
const SHAPES = { name: 'shapes', test: /[\\/]commands[\\/]\w+[\\/]shape\.ts$/ };

/** The bundler's groups, first match first. */
export const GROUPS = [...TOGETHER.map(together), SHAPES];
