import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { PROGRAM } from '../../helpers/program.ts';

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
