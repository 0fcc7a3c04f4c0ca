import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const FROM = /\b(from\s+|import\()(['"])([^'"]+)\2/g;

/** Writes a module beside some entries of the library that has their names for `import`, and shares their code. */
export const writeModules = (names) => ({
  name: 'write-modules',
  generateBundle(_options, bundle) {
    for (const { isEntry, name, fileName, exports } of Object.values(bundle)) {
      if (!isEntry || !names.includes(name)) continue;
      const source = `import library from './${fileName}';\nexport const { ${exports.join(', ')} } = library;\n`;
      this.emitFile({ type: 'asset', fileName: `${name}.mjs`, source });
    }
  },
});

/**
 * Begins each statement and class member on a line of its own. Node prints the line of an uncaught error, which would be
 * a whole file of 200 kB, and spaces would be a third of the library.
 */
export const breakLines = {
  name: 'break-lines',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const starts = statementStarts(parseAst(chunk.code, { lang: 'js' })).sort((a, b) => a - b);
      const ends = [...starts.slice(1), chunk.code.length];
      chunk.code = starts.map((start, index) => chunk.code.slice(start, ends[index])).join('\n');
    }
  },
};

/** Where the statements of a program and the members of its classes begin; the first is 0. */
function statementStarts(program) {
  const starts = new Set([0]);
  const walk = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node.body)) for (const { start } of node.body) starts.add(start);
    for (const value of Array.isArray(node) ? node : Object.values(node)) walk(value);
  };
  walk(program);
  return [...starts];
}

/** Writes the compiler's declarations of the entries and of what these reach into a folder, which it empties first. */
export const writeTypes = (entries, out) => ({
  name: 'write-types',
  writeBundle() {
    const made = mkdtempSync(join(tmpdir(), 'swapctl-types-'));
    try {
      const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
      const options = ['--project', 'build/types.tsconfig.json', '--outDir', made];
      const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
      if (status !== 0) this.error(stdout);
      const texts = new Map();
      for (const entry of entries) gather(join(made, entry), made, texts);
      rmSync(out, { recursive: true, force: true });
      for (const [file, text] of texts) write(join(out, file), text);
      for (const entry of entries) {
        const [name, file] = [
          entry.replace(/\.d\.ts$/, ''),
          entry
            .split('/')
            .at(-1)
            .replace(/\.d\.ts$/, ''),
        ];
        write(join(out, `${name}.d.mts`), `export * from './${file}.js';\n`);
      }
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  },
});

/** Adds a declaration file and all that it imports; the types must need no package of ours. */
function gather(file, root, texts) {
  const name = relative(root, file).replaceAll('\\', '/');
  if (texts.has(name)) return;
  texts.set(name, '');
  const text = readFileSync(file, 'utf8').replaceAll(FROM, (_, before, quote, specifier) => {
    if (specifier.startsWith('node:')) return `${before}${quote}${specifier}${quote}`;
    if (!specifier.startsWith('.')) throw new Error(`The types of the library name ${specifier} in ${name}.`);
    gather(resolve(dirname(file), specifier.replace(/\.ts$/, '.d.ts')), root, texts);
    return `${before}${quote}${specifier.replace(/\.ts$/, '.js')}${quote}`;
  });
  texts.set(name, text);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
