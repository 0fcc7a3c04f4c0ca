import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { PROGRAM, runProgram } from '../../helpers/program.ts';
import { profileEnv, rawServer } from '../../helpers/raw-server.ts';

const QUOTE = ['quote', 'BTC', 'ETH', '0.1', '--sandbox', '--json'];

/** Writes which files were compiled, and whether V8 took the bytecode of each: undefined where there was none. */
const PROBE = `
  const vm = require('node:vm');
  const seen = {};
  vm.Script = class extends vm.Script {
    constructor(code, options) {
      super(code, options);
      seen[require('node:path').basename(options.filename)] = this.cachedDataRejected ?? 'none';
    }
  };
  process.on('exit', () => require('node:fs').writeFileSync(process.env.SEEN, JSON.stringify(seen)));`;

describe('the V8 bytecode of the build', () => {
  /** A copy of the program whose bytecode a test may change, in the returned folder, and a quote of it. */
  async function copied() {
    const root = await temporaryFolder();
    const built = dirname(dirname(PROGRAM));
    for (const part of ['bin', 'package.json', 'dist/bytecode'])
      cpSync(join(built, part), join(root, part), { recursive: true });
    for (const part of readdirSync(join(built, 'dist')).filter((name) => name !== 'bytecode'))
      symlinkSync(join(built, 'dist', part), join(root, 'dist', part));
    symlinkSync(join(built, 'node_modules'), join(root, 'node_modules'));
    writeFileSync(join(root, 'probe.cjs'), PROBE);
    const versions = join(root, 'dist', 'bytecode');
    const bytecode = join(versions, readdirSync(versions)[0] ?? '');
    return { bytecode, quote: () => quoted(root) };
  }

  function quoted(root: string): Record<string, boolean | 'none'> {
    const args = ['--require', join(root, 'probe.cjs'), join(root, 'bin', 'swapctl.js'), ...QUOTE];
    const env = { HOME: root, SEEN: join(root, 'seen.json') };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ pair: 'BTC_ETH', amount: '0.1' });
    return JSON.parse(readFileSync(env.SEEN, 'utf8'));
  }

  it('is used for each part of a quote', async () => {
    const { 'main.js': main, ...chunks } = (await copied()).quote();
    expect(main).toBe('none');
    expect(Object.keys(chunks).length).toBeGreaterThan(10);
    expect(Object.values(chunks).every((rejected) => rejected === false)).toBe(true);
  });

  it('is ignored if corrupted, from another V8 version or missing', async () => {
    const { bytecode, quote } = await copied();
    const [short = '', foreign = ''] = readdirSync(bytecode).filter((name) => /^(?:core|common)-/.test(name));
    truncateSync(join(bytecode, short), 1000);
    // The second word tells the version of V8.
    const bytes = readFileSync(join(bytecode, foreign)).fill(0x55, 4, 8);
    writeFileSync(join(bytecode, foreign), bytes);
    const seen = quote();
    expect([short, foreign].map((name) => seen[name.replace(/\.bin$/, '')])).toEqual([true, true]);
    rmSync(bytecode, { recursive: true });
    expect(quote()).toEqual({});
  });
});

const RESPONSE =
  '{"pair":"BTC_ETH","amount":0.1,"exchangeRate":28.8,"receive":2.88,"minAmount":0.001,"maxAmount":2}';

// The bundle loads Node's zlib only for an answer that is compressed.
it('the built program reads compressed responses although it did not request compression', async () => {
  const home = await temporaryFolder();
  for (const [encoding, compressed] of [
    ['gzip', gzipSync(RESPONSE)],
    ['br', brotliCompressSync(RESPONSE)],
  ] as const) {
    const server = await rawServer((_seen, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compressed),
    );
    const run = await runProgram(['quote', 'BTC', 'ETH', '0.1', '--json'], {
      home,
      env: profileEnv(server.url),
    });
    expect([run.code, run.json<{ receive: string }>().receive], run.stderr).toEqual([0, '2.88']);
  }
});

/** Takes a newer Node's own SQLite from it; Node 20 has none, and refuses the flag. */
const WITHOUT_SQLITE = process.allowedNodeEnvironmentFlags.has('--experimental-sqlite')
  ? '--no-experimental-sqlite'
  : '';

/** A copy of the built program as it lies in a package, without anything that is installed beside it. */
async function copyOfProgram(): Promise<{
  run(...args: string[]): { status: number | null; stderr: string };
}> {
  const folder = await temporaryFolder();
  const root = dirname(dirname(PROGRAM));
  for (const part of ['bin', 'dist']) cpSync(join(root, part), join(folder, part), { recursive: true });
  return {
    run: (...args) =>
      spawnSync(process.execPath, [join(folder, 'bin', 'swapctl.js'), ...args], {
        cwd: folder,
        env: { HOME: folder, NODE_OPTIONS: WITHOUT_SQLITE },
        encoding: 'utf8',
        timeout: 15_000,
      }),
  };
}

describe('an incomplete installation', () => {
  it('reports missing SQLite support and how to install it', async () => {
    const { run } = await copyOfProgram();
    for (const args of [['quote', 'BTC', 'ETH', '0.1'], ['history']]) {
      const { status, stderr } = run(...args, '--json');
      const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
      expect([status, error.code, error.outcome]).toEqual([11, 'storage_failed', 'nothing-sent']);
      expect(error.message).toBe(
        `SQLite is missing: Node ${process.versions.node} has no usable SQLite, and the optional package @photostructure/sqlite is not installed.`,
      );
      expect(error.hint).toBe(
        'Use Node 22.16 or newer, or reinstall swapctl from the same package file as before, without --omit=optional.',
      );
    }
  });

  it('fails with exit code 11 for --version if package.json is missing', async () => {
    const { run } = await copyOfProgram();
    const words =
      'error: The installation is incomplete: package.json is missing.\nReinstall swapctl from the same package file as before.\n';
    for (const args of [['--version'], ['--version', '--no-input']]) {
      expect(run(...args)).toMatchObject({ status: 11, stderr: words });
    }
  });
});
