import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

// Packs the built program as it is released, and prints the file's name:
// npm run build && npm run pack:release -- <owner>/<name> [--out <folder>]
// Two builds of one commit give the same bytes: docs/verify.md.

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: '.' } },
  allowPositionals: true,
});
const [repository] = positionals;
if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? ''))
  throw new Error('Name the repository on GitHub: <owner>/<name>.');

const MANIFEST = JSON.parse(readFileSync('package.json', 'utf8'));
const URL = `https://github.com/${repository}`;

/** The bill of materials has what is in the package: what is bundled, and what npm installs beside it. */
function bill() {
  const bom = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'));
  const licences = readFileSync('dist/THIRD-PARTY-LICENCES.txt', 'utf8');
  // A section has the names of its packages, and after a blank line their text.
  const names = licences
    .split(`\n${'-'.repeat(78)}\n\n`)
    .flatMap((each) => each.split('\n\n')[0].trim().split('\n'));
  const bundled = names.map((line) => line.replace(/ \(.*$/, '').replace(/ (\S+)$/, '@$1'));
  const packed = new Set([...bundled, ...installed(bom, Object.keys(MANIFEST.optionalDependencies))]);
  const root = bom.metadata.component['bom-ref'];
  const components = bom.components.filter((each) => packed.has(each['bom-ref']));
  const missing = [...packed].filter((ref) => !components.some((each) => each['bom-ref'] === ref));
  if (missing.length > 0) throw new Error(`npm knows no ${missing.join(', ')}.`);
  // What differs from one run to the next says nothing about the package.
  const { serialNumber, metadata, ...rest } = bom;
  const { timestamp, ...about } = metadata;
  return {
    ...rest,
    metadata: { ...about, component: { ...about.component, name: MANIFEST.name } },
    components: components.map(({ properties, ...each }) => each),
    dependencies: bom.dependencies
      .filter(({ ref }) => ref === root || packed.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => packed.has(each)) })),
  };
}

/** The packages of some names and all that these depend on. */
function installed({ components, dependencies }, names) {
  const found = new Set();
  const add = (ref) => {
    if (found.has(ref)) return;
    found.add(ref);
    for (const next of dependencies.find((each) => each.ref === ref)?.dependsOn ?? []) add(next);
  };
  for (const each of components) if (names.includes(each.name)) add(each['bom-ref']);
  return found;
}

function npm(...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`npm ${args[0]}: ${stderr}`);
  return stdout;
}

const folder = mkdtempSync(join(tmpdir(), 'swapctl-package-'));
try {
  for (const path of ['README.md', 'LICENSE', ...MANIFEST.files.filter((each) => !each.startsWith('!'))])
    cpSync(path, join(folder, path), { recursive: true });
  const { scripts, devDependencies, allowScripts, ...shipped } = MANIFEST;
  const released = {
    ...shipped,
    repository: { type: 'git', url: `git+${URL}.git` },
    homepage: `${URL}#readme`,
    bugs: { url: `${URL}/issues` },
    files: [...MANIFEST.files, 'sbom.cdx.json'],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(released, null, 2)}\n`);
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill())}\n`);
  process.stdout.write(npm('pack', folder, '--silent', '--pack-destination', resolve(values.out)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
