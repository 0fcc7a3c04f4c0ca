import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/swapctl-test/', import.meta.url));

/** What this worker has bundled, by the name. */
const bundled = new Map<string, Promise<string>>();

/**
 * Bundles a TypeScript entry into a program that `fork` can start, because Node 20 does not run TypeScript.
 * It lies below node_modules so that native packages are found. Returns its path.
 */
export function bundleProgram(entry: URL, name: string): Promise<string> {
  const known = bundled.get(name) ?? bundle(entry, name);
  bundled.set(name, known);
  return known;
}

async function bundle(entry: URL, name: string): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const dir = `${FOLDER}${name}-${process.pid}`;
  await build({
    input: fileURLToPath(entry),
    platform: 'node',
    external: ['@photostructure/sqlite', 'pg', 'kysely'],
    output: { dir, format: 'esm', entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' },
    logLevel: 'silent',
  });
  return `${dir}/main.mjs`;
}
