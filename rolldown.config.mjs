import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

const OUT = 'dist';

/** Parts of libraries that this program never reaches; loading them would cost half of a command's time. */
const UNUSED = new Map(
  Object.entries({
    // got: cache, HTTP/2 and DNS cache are off, and bodies are texts.
    'cacheable-request':
      'export default class CacheableRequest {}; export const CacheError = class extends Error {};',
    'http2-wrapper': 'export default {};',
    'cacheable-lookup': 'export default class CacheableLookup {};',
    // conf: no schema is given, the settings check themselves.
    ajv: 'export const Ajv2020 = class {};',
    'ajv/dist/2020.js': 'export const Ajv2020 = class {}; export default { Ajv2020 };',
    'ajv-formats': 'export default () => undefined;',
    // pg: the native driver is never asked for.
    'pg-native': 'export default undefined;',
  }),
);

const leaveOutUnused = {
  name: 'leave-out-unused',
  resolveId: (id) => (UNUSED.has(id) ? `\0unused:${id}` : null),
  load: (id) => (id.startsWith('\0unused:') ? UNUSED.get(id.slice('\0unused:'.length)) : null),
};

/** Bundling copies the work of others, so their licence texts go along. */
const shipLicences = {
  name: 'ship-licences',
  generateBundle(_options, bundle) {
    const packages = new Map();
    for (const chunk of Object.values(bundle)) {
      for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) addPackage(packages, id);
    }
    const texts = [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(licenceText);
    this.emitFile({
      type: 'asset',
      fileName: 'THIRD-PARTY-LICENCES.txt',
      source: texts.join(`\n${'-'.repeat(78)}\n\n`),
    });
  },
};

function addPackage(packages, id) {
  const match = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id);
  if (match === null || packages.has(match[1])) return;
  const manifest = JSON.parse(readFileSync(join(match[1], 'package.json'), 'utf8'));
  packages.set(match[1], {
    name: manifest.name,
    version: manifest.version,
    license: manifest.license,
    folder: match[1],
  });
}

function licenceText({ name, version, license, folder }) {
  for (const file of [
    'LICENSE',
    'LICENSE.md',
    'license',
    'LICENSE.txt',
    'license.md',
    'LICENCE',
    'LICENSE-MIT.txt',
  ]) {
    try {
      return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8')}`;
    } catch {
      // Packages name the file differently.
    }
  }
  return `${name} ${version} (${license})\n`;
}

const cleanFirst = {
  name: 'clean-first',
  buildStart: () => rmSync(OUT, { recursive: true, force: true }),
};

export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: ['@photostructure/sqlite'],
  treeshake: true,
  plugins: [cleanFirst, leaveOutUnused, shipLicences],
  transform: { target: 'node20' },
  output: {
    dir: OUT,
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: true,
    comments: false,
  },
});
