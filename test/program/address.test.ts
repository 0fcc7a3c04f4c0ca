import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { runProgram } from '../helpers/program.ts';

const WIF = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';
const SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

describe('swapctl address', () => {
  it.each([
    ['a private key', ['BTC', WIF], WIF],
    ['a seed phrase', ['BTC', SEED], SEED],
    ['a seed phrase as memo', ['XRP', 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH', '--memo', SEED], SEED],
    [
      'a seed phrase as memo of a network without one',
      ['BTC', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', '--memo', SEED],
      SEED,
    ],
    ['a private key as memo', ['XRP', 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH', '--memo', WIF], WIF],
  ])('never repeats %s', async (_name, args, secret) => {
    const run = await runProgram(['address', ...args, '--json'], { home: await temporaryFolder() });
    expect(run.code).toBe(2);
    expect(run.stdout + run.stderr).not.toContain(secret);
    expect(run.stdout).toContain('<redacted>');
  });

  it('keeps keys and seed phrases out of what it says of lines, whatever column they stand in', async () => {
    const lines = [
      `BTC\t${SEED}`,
      `${SEED}\tBTC`,
      `XRP\trN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH\t${SEED}`,
      `${WIF}\tx\t${WIF}`,
    ];
    const run = await runProgram(['address', '-', '--json'], {
      home: await temporaryFolder(),
      input: `${lines.join('\n')}\n`,
    });
    expect(run.code).toBe(2);
    expect(run.stdout + run.stderr).not.toMatch(new RegExp(`${SEED}|${WIF}`, 'i'));
    expect(run.stdout.match(/<redacted>/g)?.length).toBe(5);
  });

  it.each([
    ['as the network', [SEED, 'BTC']],
    ['alone', [SEED]],
  ])('never repeats a seed phrase given %s', async (_where, args) => {
    const run = await runProgram(['address', ...args, '--json'], { home: await temporaryFolder() });
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).not.toContain('legal');
  });

  it('asks about a code that nearly is a known one, which may be a network that is new', async () => {
    const run = await runProgram(['address', 'XYZ', 'abcdef1234567', '--json'], {
      home: await temporaryFolder(),
    });
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({
      valid: true,
      kind: 'unverified',
      warnings: [expect.stringContaining('did you mean XTZ, XYM?'), expect.stringContaining('not verified')],
    });
  });

  it('takes a text longer than any code for an address in the wrong place', async () => {
    const run = await runProgram(['address', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'TRX', '--json'], {
      home: await temporaryFolder(),
    });
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.error()).toMatchObject({ code: 'unknown_network' });
  });

  it('says of an address of Ethereum what it is', async () => {
    const args = ['address', 'TRX', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '--json'];
    const run = await runProgram(args, { home: await temporaryFolder() });
    expect(run.json()).toMatchObject({ valid: false, reason: expect.stringContaining('Ethereum') });
  });
});
