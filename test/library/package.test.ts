import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSwapClient } from '../../src/library/library.ts';
import { type Sandbox, startSandbox } from '../../src/library/testing.ts';
import { expectSwap, hasNode, nodeOf } from '../helpers/smoke.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const PAGES = await Promise.all(
  ['README.md', 'docs/library.md'].map((page) => readFile(join(ROOT, page), 'utf8')),
);
const COMPILER = join(ROOT, 'node_modules', '.bin', 'tsc');
/** The programs that check the package. */
const CHECKERS = join(ROOT, 'test', 'node_modules', '.bin');
/** TypeScript 5 from arethetypeswrong, because later versions do not support moduleResolution node10. */
const OLD_TSC = createRequire(createRequire(import.meta.url).resolve('@arethetypeswrong/core')).resolve(
  'typescript/lib/tsc.js',
);

/** An example from docs/library.md or a part of the README, as an ES module. */
function example(name: string): string {
  const text = new RegExp(`<!-- library: ${name} -->\\n\`\`\`ts\\n([\\s\\S]*?)\`\`\``).exec(
    PAGES.join('\n'),
  )?.[1];
  if (text === undefined) throw new Error(`There is no example ${name}.`);
  return text;
}

/** The program that the README shows in three parts. */
const README_PROGRAM = ['create', 'follow', 'find'].map(example).join('');

/** The example as a CommonJS module, which has no await outside a function. */
function asCommonJs(text: string): string {
  const imports = /^import (.+) from ('.+');$/gm;
  const required = [...text.matchAll(imports)].map(([, names, from]) => `const ${names} = require(${from});`);
  return `${required.join('\n')}\n(async () => {\n${text.replace(imports, '')}\n})();\n`;
}

const folder = await mkdtemp(join(tmpdir(), 'swapctl-package-'));
const prefix = join(folder, 'prefix');
/** The package in a folder without any other package. */
const bare = join(folder, 'bare');
await mkdir(prefix);
const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', prefix];
const tarball = join(prefix, (await run('npm', pack, { cwd: ROOT })).stdout.trim());

beforeAll(async () => {
  await writeFile(join(prefix, 'package.json'), '{"private":true}');
  const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional'];
  await run('npm', [...install, tarball], { cwd: prefix });
  await cp(join(prefix, 'node_modules', 'swapctl'), bare, { recursive: true });
  // The native SQLite package is linked from this checkout instead of being installed.
  const home = join(prefix, 'node_modules', '@photostructure');
  await mkdir(home);
  await symlink(join(ROOT, 'node_modules', '@photostructure', 'sqlite'), join(home, 'sqlite'));
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packed program', () => {
  it.skipIf(!hasNode(20))(
    'creates a swap on Node 20 with the optional SQLite package',
    async () => {
      await expectSwap([nodeOf(20), join(prefix, 'node_modules', 'swapctl', 'bin', 'swapctl.js')], version);
    },
    60_000,
  );

  it.each([22, 24, 26].filter(hasNode))(
    'creates a swap on Node %i without any other package',
    (major) => expectSwap([nodeOf(major), join(bare, 'bin', 'swapctl.js')], version),
    60_000,
  );
});

describe('the packed library', () => {
  it('contains only programs, types, documentation and scenarios', async () => {
    expect((await readdir(join(prefix, 'node_modules', 'swapctl'))).sort()).toEqual([
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'docs', 'man', 'package.json', 'src'],
    ]);
    // The scenarios are templates for users.
    const source = await readdir(join(prefix, 'node_modules', 'swapctl', 'src'), {
      ...{ recursive: true, withFileTypes: true },
    });
    const sourceFiles = source.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(sourceFiles.filter((name) => !name.endsWith('.json'))).toEqual([]);
    expect(sourceFiles).toHaveLength(12);
  });

  it('passes publint', async () => {
    const { stdout } = await run(join(CHECKERS, 'publint'), ['run', tarball, '--strict']);
    expect(stdout).toContain('All good!');
  });

  it('passes arethetypeswrong', async () => {
    const options = ['--profile', 'strict', '--no-definitely-typed', '--format', 'json'];
    const { stdout } = await run(join(CHECKERS, 'attw'), [tarball, ...options]);
    const { analysis, problems } = JSON.parse(stdout) as { analysis: { types: unknown }; problems: object };
    expect([analysis.types, problems]).toEqual([{ kind: 'included' }, {}]);
  }, 60_000);

  it.each(['mjs', 'cjs'])('runs the example of a client without a ledger as .%s', async (kind) => {
    const sandbox: Sandbox = await startSandbox();
    try {
      const text = example('client');
      const file = join(prefix, `client.${kind}`);
      await writeFile(file, kind === 'cjs' ? asCommonJs(text) : text);
      const { baseUrl: SWAP_URL, publicKey: SWAP_KEY, secret: SWAP_SECRET } = sandbox;
      const env = { PATH: process.env['PATH'], SWAP_URL, SWAP_KEY, SWAP_SECRET };
      const { stdout, stderr } = await run(process.execPath, [file], { env, cwd: prefix });
      expect(stdout).toMatch(/^0\.1 BTC gives [0-9.]+ ETH\nsend 0\.1 BTC to \S+\nnew\n$/);
      expect(stderr).toBe('');
    } finally {
      await sandbox.close();
    }
  });

  it.each(['mjs', 'cjs'])(
    'runs the program of the README, which follows a swap, as .%s',
    async (kind) => {
      const sandbox: Sandbox = await startSandbox();
      const cwd = join(prefix, `ledger-${kind}`);
      await mkdir(cwd);
      const file = join(prefix, `readme.${kind}`);
      await writeFile(file, kind === 'cjs' ? asCommonJs(README_PROGRAM) : README_PROGRAM);
      const { baseUrl, publicKey, secret } = sandbox;
      const colleague = createSwapClient({ baseUrl, publicKey, secret, ledger: join(cwd, 'swaps.db') });
      try {
        const env = {
          PATH: process.env['PATH'],
          SWAP_URL: baseUrl,
          SWAP_KEY: publicKey,
          SWAP_SECRET: secret,
        };
        const program = spawn(process.execPath, [file], { env, cwd, stdio: ['ignore', 'pipe', 'inherit'] });
        const ended = once(program, 'exit');
        let output = '';
        program.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
        await expect.poll(() => output, { timeout: 20_000 }).toMatch(/^send 0\.1 to \S+ null\n$/);
        const order = (await colleague.find('invoice-18'))[0]?.order ?? '';
        await sandbox.deposit(order);
        await sandbox.advance('10m');
        // Another client polls the swap before its next poll is due, and the program gets the event.
        await colleague.status(order);
        expect((await ended)[0]).toBe(0);
        expect(output).toMatch(new RegExp(`^send .*\n${order} success\n$`));
      } finally {
        await colleague.close();
        await sandbox.close();
      }
    },
    90_000,
  );

  it.each(['mjs', 'cjs'])('runs the example of a test with a sandbox as .%s', async (kind) => {
    const text = example('testing');
    const file = join(prefix, `testing.${kind}`);
    await writeFile(file, kind === 'cjs' ? asCommonJs(text) : text);
    const { stdout } = await run(process.execPath, ['--test-reporter=tap', file], { cwd: prefix });
    expect(stdout).toContain('ok 1 - a swap is paid out');
    expect(stdout).toContain('# pass 1\n');
  });

  it('gives each test of four processes its own sandbox', async () => {
    const folder = join(prefix, 'suite');
    await mkdir(folder);
    for (const worker of [1, 2, 3, 4]) await writeFile(join(folder, `${worker}.test.mjs`), SUITE);
    const options = ['--test', '--test-concurrency=4', '--test-reporter=tap'];
    const files = (await readdir(folder)).map((name) => join(folder, name));
    const { stdout } = await run(process.execPath, [...options, ...files], { cwd: prefix });
    expect(stdout).toContain('# pass 20\n');
  }, 60_000);

  it('prints at most 500 characters of code above an uncaught error', async () => {
    const code = "require('swapctl').createSwapClient({})";
    const failure: unknown = await run(process.execPath, ['-e', code], { cwd: prefix }).catch(
      (e: unknown) => e,
    );
    const { stderr } = failure as { stderr: string };
    expect(stderr).toContain('UsageError: "baseUrl" is missing.');
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(500);
  });

  it('has errors of one class for import and require', async () => {
    const file = join(prefix, 'both.mjs');
    await writeFile(
      file,
      `import { createRequire } from 'node:module';
import * as imported from 'swapctl';
const required = createRequire(import.meta.url)('swapctl');
const errorOf = (library) => {
  try { library.createSwapClient({ baseUrl: 'http://example.com', publicKey: 'k', secret: 's' }); }
  catch (error) { return error; }
};
for (const [from, other] of [[imported, required], [required, imported]])
  console.log(errorOf(from) instanceof other.SwapctlError, new Error() instanceof other.SwapctlError);
`,
    );
    const { stdout } = await run(process.execPath, [file], { cwd: prefix });
    expect(stdout).toBe('true false\ntrue false\n');
  });

  it('has types for moduleResolution bundler, without any other package', async () => {
    const options = '--exactOptionalPropertyTypes --typeRoots none --target es2022 --module preserve';
    const modules = { 'typed-bundler.ts': TYPED };
    expect(await typeErrors(modules, `${options} --moduleResolution bundler`)).toBe('');
  });

  it('has types for moduleResolution node10 in TypeScript 5', async () => {
    const options = '--target es2022 --typeRoots none --module commonjs --moduleResolution node10';
    expect(await typeErrors({ 'typed-node10.ts': TYPED }, options, OLD_TSC)).toBe('');
  }, 30_000);

  it('has types for module node16 in .mts and .cts, which fit the README and the examples', async () => {
    const modules = {
      ...{ 'client.mts': example('client'), 'readme.mts': README_PROGRAM },
      ...{ 'testing.mts': example('testing'), 'typed.mts': TYPED, 'typed.cts': TYPED },
    };
    const strict = '--noUncheckedIndexedAccess --exactOptionalPropertyTypes';
    const types = `--typeRoots ${join(ROOT, 'node_modules', '@types')} --types node`;
    expect(await typeErrors(modules, `${strict} ${types} --target es2023 --module node16`)).toBe('');
  });
});

/** Compiles modules next to the installed package under `--strict`, and returns the messages of the compiler. */
async function typeErrors(
  modules: Readonly<Record<string, string>>,
  options: string,
  compiler: string = COMPILER,
): Promise<string> {
  for (const [name, text] of Object.entries(modules)) await writeFile(join(prefix, name), text);
  // The declarations of the compiler itself are not checked, which would take longer than all others.
  const all = ['--noEmit', '--strict', '--skipDefaultLibCheck', ...options.split(' ')];
  const args = [compiler, ...all, ...Object.keys(modules)];
  const { stdout } = await run(process.execPath, args, { cwd: prefix }).catch((error) => error);
  return stdout;
}

/** Five tests of a partner, each with its own sandbox. */
const SUITE = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSwapClient } from 'swapctl';
import { startSandbox } from 'swapctl/testing';

const SWAP = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' }, amount: '0.1' };
const PAYOUT = { ...SWAP, address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' };

const ENDS = {
  success: async (sandbox, order) => { await sandbox.deposit(order); await sandbox.advance('10m'); },
  overdue: async (sandbox) => { await sandbox.advance('2h'); },
  frozen: async (sandbox, order) => { await sandbox.deposit(order); await sandbox.move(order, 'freeze'); },
  refund: async (sandbox, order) => {
    await sandbox.deposit(order);
    await sandbox.move(order, 'pause');
    await sandbox.move(order, 'refund');
  },
  new: async (sandbox) => { await sandbox.fault({ endpoint: 'exchange-coin', status: 500 }); },
};

for (const [status, reach] of Object.entries(ENDS)) {
  test('an order ends as ' + status, async () => {
    const sandbox = await startSandbox();
    try {
      const client = createSwapClient(sandbox);
      const { order } = await client.create(PAYOUT);
      await reach(sandbox, order);
      assert.equal((await client.status(order)).status, status);
    } finally {
      await sandbox.close();
    }
  });
}
`;

/** Uses each part of the types, with `@ts-expect-error` where there must be an error. */
const TYPED = `import type { CreatedSwap, ErrorCode, SwapDescription, SwapQuote } from 'swapctl';
import { checkAddress, checkAmount, createSwapClient, EXIT_CODES, SwapctlError, sign, statusMeaning } from 'swapctl';
import { startSandbox } from 'swapctl/testing';

export async function use(): Promise<ErrorCode | null> {
  const sandbox = await startSandbox({ seed: 1, rough: ['doubles'] });
  const client = createSwapClient(sandbox);
  const pair = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' }, amount: '0.1' };
  // @ts-expect-error a number is no amount
  await client.quote({ ...pair, amount: 0.1 });
  const quote: SwapQuote = await client.quote({ ...pair, type: 'fixed', lastSource: 'receive' });
  try {
    const created: CreatedSwap = await client.create({ ...pair, address: '0x', minReceive: quote.receive });
    const seen: SwapDescription = await client.status(created);
    const id: string = seen.order;
    await client.setRefundAddress(id, 'bc1');
    await sandbox.fault({ endpoint: 'exchange-coin', status: 500, delay: '2s' });
    // @ts-expect-error there is no such move
    await sandbox.move(id, 'explode');
    return null;
  } catch (error) {
    return error instanceof SwapctlError && EXIT_CODES[error.code] === 7 ? error.code : null;
  }
}

export const words: string = statusMeaning(9).meaning + sign('exchange-coin', 'secret');
const verdict = checkAmount('1');
export const amount: string = verdict.ok ? verdict.amount : verdict.reason;
export const network = checkAddress('ETH', '0x').then((result) => result.network);
`;
