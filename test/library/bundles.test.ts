import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { type RollupBuild, rollup } from '@rollup/wasm-node';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import webpack from 'webpack';
import { startSandbox } from '../../src/library/testing.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');

/** A partner's program: it requests a quote, uses a part that is loaded later, and checks the class of an error. */
const PROGRAM = `import { checkAddress, createSwapClient, SwapctlError } from 'swapctl';
const { SWAP_URL: baseUrl, SWAP_KEY: publicKey, SWAP_SECRET: secret } = process.env;
const client = createSwapClient({ baseUrl, publicKey, secret });
const pair = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' }, amount: '0.1' };
client.quote(pair).then(async ({ receive }) => {
  console.log(Number(receive) > 0, (await checkAddress('ETH', 'legal winner thank year wave sausage worth useful legal winner thank yellow')).ok);
  await client.quote({ ...pair, amount: '0' }).catch((error) => console.log(error instanceof SwapctlError, error.code));
});
`;

const folder = await mkdtemp(join(tmpdir(), 'swapctl-bundles-'));
await mkdir(join(folder, 'node_modules'));
await symlink(ROOT, join(folder, 'node_modules', 'swapctl'));
await writeFile(join(folder, 'program.mjs'), PROGRAM);
const sandbox = await startSandbox();
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

type Format = 'esm' | 'cjs';

/** The build of rollup, from which both formats are written. */
let read: Promise<RollupBuild> | undefined;

/** The bundlers: each bundles the program into the folder `to` and returns the file to run. */
const BUNDLERS = {
  esbuild: async (format: Format, from: string, to: string) => {
    const outfile = join(to, `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`);
    const { warnings } = await build({
      ...{ entryPoints: [from], bundle: true, platform: 'node', format, outfile, logLevel: 'silent' },
    });
    expect(warnings).toEqual([]);
    return outfile;
  },
  rollup: async (format: Format, from: string, to: string) => {
    read ??= rollup({
      input: from,
      external: /^node:|^https?$|^url$/,
      plugins: [nodeResolve({ preferBuiltins: true })],
      onwarn: ({ message }) => expect.fail(message),
    });
    const extension = format === 'esm' ? 'mjs' : 'cjs';
    const names = { entryFileNames: `bundle.${extension}`, chunkFileNames: `[name].${extension}` };
    await (await read).write({ dir: to, format, ...names });
    return join(to, `bundle.${extension}`);
  },
  webpack: (format: Format, from: string, to: string) => {
    const filename = `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`;
    const compiler = webpack({
      ...{ entry: from, target: 'node20', mode: 'development', devtool: false },
      experiments: { outputModule: format === 'esm' },
      output: { path: to, filename, library: { type: format === 'esm' ? 'module' : 'commonjs2' } },
    });
    return new Promise<string>((done, fail) => {
      compiler.run((error, stats) => {
        const messages = stats?.toString({ all: false, errors: true, warnings: true }) ?? '';
        if (error !== null || messages !== '') fail(error ?? new Error(messages));
        else compiler.close(() => done(join(to, filename)));
      });
    });
  },
};

describe.each(Object.entries(BUNDLERS))('a bundle of the library by %s', (name, bundle) => {
  it.each(['esm', 'cjs'] as const)('runs as %s without any other file', async (format) => {
    const to = await mkdtemp(join(tmpdir(), `swapctl-${name}-`));
    try {
      const file = await bundle(format, join(folder, 'program.mjs'), to);
      const { baseUrl: SWAP_URL, publicKey: SWAP_KEY, secret: SWAP_SECRET } = sandbox;
      const env = { PATH: process.env['PATH'], SWAP_URL, SWAP_KEY, SWAP_SECRET };
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: to, env });
      expect([stdout, stderr]).toEqual(['true false\ntrue invalid_amount\n', '']);
    } finally {
      await rm(to, { recursive: true, force: true });
    }
  });
});
