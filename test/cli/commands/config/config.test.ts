import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { configIn, writeConfig } from '../../../helpers/config.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { AT_TERMINAL, type RunHere, runHere } from '../../../helpers/run-here.ts';

let home: string;
let file: string;
beforeEach(async () => {
  home = await temporaryFolder();
  file = configIn(home);
});

const config = (words: readonly string[], options: Partial<RunHere> = {}) =>
  runHere(['config', ...words], { home, ...options });

const json = async (...args: readonly string[]) =>
  JSON.parse((await runHere([...args, '--json'], { home })).stdout);

/** Puts settings into the file as only an editor would. */
const writeSettings = (settings: unknown) => writeConfig(home, { settings });

describe('swapctl config', () => {
  it('stores, prints and removes a setting', async () => {
    expect((await config(['set', 'interval', '2.5'])).stdout).toBe('Set interval to 2.5.\n');
    expect((await config(['get', 'interval'])).stdout).toBe('2.5\n');
    expect(await json('config', 'get', 'interval')).toEqual({ key: 'interval', value: '2.5', default: '10' });
    expect((await config(['unset', 'interval'])).stdout).toBe(
      'Removed interval; now using the default, 10.\n',
    );
    expect((await config(['get', 'interval'])).stdout).toBe('10\n');
    expect(await json('config', 'unset', 'forward-to')).toEqual({
      key: 'forward-to',
      value: null,
      default: null,
    });
  });

  it('prints nothing for a setting that is not stored and has no default', async () => {
    const { stdout, error } = await config(['get', 'forward-to']);
    expect([stdout, error]).toEqual(['', null]);
  });

  it('lists every key as tab-separated text, JSON and a table', async () => {
    await config(['set', 'rate-type', 'fixed']);
    const ledger = join(home, '.local', 'state', 'swapctl', 'ledger.db');
    expect((await config(['list'])).stdout).toBe(
      `rate-type\tfixed\tfloat\ninterval\t\t10\nbudget\t\t60/60s\ncolor\t\tauto\nledger\t\t${ledger}\nforward-to\t\t\nevents-kept\t\t90d\nqr\t\ton\nsupport\t\t\n`,
    );
    expect((await json('config', 'list'))[0]).toEqual({ key: 'rate-type', value: 'fixed', default: 'float' });
    const { stdout } = await config(['list'], { terminals: AT_TERMINAL, columns: 150 });
    expect(stdout).toMatch(/^ KEY +VALUE +DESCRIPTION\n rate-type +fixed +rate type of quote and create/);
    expect(stdout).toMatch(/\n forward-to +not set +URL to which listen sends webhooks\n/);
    expect(stdout).toContain(` interval     10 (default) `);
  });

  it('prints the path of the config file', async () => {
    expect((await config(['path'])).stdout).toBe(`${file}\n`);
    expect(await json('config', 'path')).toEqual({ path: file });
  });

  it('keeps profiles and unknown keys in the file', async () => {
    const profile = { baseUrl: 'https://a.example.com', publicKey: 'k', secret: 's', environment: 'live' };
    const before = { newer: [1], current: 'prod', profiles: { prod: profile } };
    writeConfig(home, before);
    await config(['set', 'color', 'never']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ ...before, settings: { color: 'never' } });
    await config(['unset', 'color']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(before);
  });

  it.each([
    ['rate-type', 'floating', 'Choose one of fixed, float.'],
    ['interval', '0', 'Use a number of seconds from 0.1 to 999999.9, such as 2 or 0.5.'],
    ['budget', '60', 'Use requests per period, such as 120/60s.'],
    ['color', 'yes', 'Choose one of auto, always, never.'],
    ['qr', 'no', 'Choose one of on, off.'],
    ['forward-to', 'shop', 'Use a URL such as https://shop.example.com/hooks.'],
    ['forward-to', 'https://me:s3cret@shop.example.com', 'The URL must not contain a user name or password.'],
    [
      'forward-to',
      'https://shop.example.com/\r\nhooks',
      'The URL must not contain control characters or invisible ones.',
    ],
    ['events-kept', '90', 'Use a whole number from 1 to 999999 and a unit, such as 30s, 10m, 2h or 1d.'],
  ])('rejects %s %s with the message of the flag', async (key, value, words) => {
    const { error, stdout } = await config(['set', key, value]);
    expect(error).toMatchObject({ code: 'usage', exitCode: 2 });
    expect(error?.message).toMatch(words);
    expect(error?.message).not.toContain('s3cret');
    expect(stdout).toBe('');
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['ledger.db', 'The path of the ledger must be absolute.'],
    ['mysql://h/d', 'The ledger must be a file path or a postgres:// URL.'],
    [
      'postgres://me:s3cret@h/d',
      'The URL of the ledger contains a password, which `swapctl config list` would show.',
    ],
    [
      'postgres://h/d?password=s3cret',
      'The URL of the ledger contains a password, which `swapctl config list` would show.',
    ],
  ])('rejects the ledger %s', async (value, message) => {
    expect((await config(['set', 'ledger', value])).error).toMatchObject({ code: 'usage', message });
  });

  it('does not print a password that was edited into the file, but can remove it', async () => {
    writeSettings({ ledger: 'postgres://desk:the-password@db.example.com/swaps' });
    for (const words of [['list'], ['get', 'ledger'], ['list', '--json'], ['get', 'ledger', '--json']]) {
      const { stdout, stderr, error } = await config(words);
      expect([stdout, error?.code]).toEqual(['', 'invalid_config']);
      expect(`${stderr}${error?.message}${error?.hint}${JSON.stringify(error?.details)}`).not.toContain(
        'the-password',
      );
      expect(error?.hint).toContain('swapctl config unset ledger');
    }
    expect((await config(['unset', 'ledger'])).error).toBeNull();
    expect((await config(['list'])).error).toBeNull();
  });

  it('rejects a second value for a setting', async () => {
    expect((await config(['set', 'interval', '5', '6'])).error?.message).toBe('interval takes one value.');
  });

  it('stores an explorer under its network code, lists it and removes it', async () => {
    const url = 'https://explorer.example';
    expect((await config(['set', 'explorer.trc20', url])).stdout).toBe(`Set explorer.TRX to ${url}.\n`);
    expect(await json('config', 'get', 'explorer.TRX')).toEqual({
      key: 'explorer.TRX',
      value: url,
      default: 'https://tronscan.org/#/transaction/',
    });
    expect((await config(['list'])).stdout).toContain(`explorer.TRX\t${url}\t`);
    expect((await config(['unset', 'explorer.trx'])).stdout).toBe('Removed explorer.TRX.\n');
    expect((await config(['list'])).stdout).not.toContain('explorer');
    for (const wrong of ['javascript:alert()', 'explorer.example', 'https://a b'])
      expect((await config(['set', 'explorer.BTC', wrong])).error?.code).toBe('usage');
    expect((await config(['set', 'explorer.', url])).error?.code).toBe('usage');
  });

  it('lists the valid keys for an unknown key, or suggests the nearest', async () => {
    expect((await config(['set', 'intervall', '5'])).error).toMatchObject({
      message: 'Unknown setting intervall.',
      hint: 'Did you mean interval?',
    });
    expect((await config(['get', 'x'])).error?.hint).toBe(
      'Settings: rate-type, interval, budget, color, ledger, forward-to, events-kept, qr, support, address.<name>, explorer.<network>.',
    );
  });
});

describe('a stored setting', () => {
  const quote = (...flags: readonly string[]) => json('quote', 'BTC', 'ETH', '0.1', ...flags);

  it('sets the ledger path unless SWAPCTL_LEDGER is set, and warns that existing records stay in the previous ledger', async () => {
    const other = join(home, 'books', 'team.db');
    const set = await config(['set', 'ledger', other]);
    expect(set.stderr).toContain(
      'warning: existing records, including idempotency keys, stay in the previous ledger',
    );
    expect((await json('history')) as unknown).toEqual([]);
    expect((await readFile(other)).subarray(0, 15).toString()).toBe('SQLite format 3');
    const env = { SWAPCTL_LEDGER: join(home, 'mine.db') };
    expect((await config(['set', 'ledger', join(home, 'x.db')], { env })).stderr).toBe(
      'warning: SWAPCTL_LEDGER is set and takes precedence: the ledger has not changed.\n',
    );
  });

  it('sets the pause between polls of --watch', async () => {
    await config(['set', 'interval', '7']);
    const pauses: number[] = [];
    let now = 0;
    await runHere(['quote', 'BTC', 'ETH', '0.1', '--watch', '--timeout', '20s'], {
      home,
      monotonic: () => now,
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
        now += milliseconds;
      },
    });
    expect(pauses).toEqual([7000, 7000]);
  });

  it.each([
    [{ color: 'always' }, [], {}, true],
    [{ color: 'never' }, [], { FORCE_COLOR: '1' }, true],
    [{ color: 'never' }, ['--color', 'always'], {}, true],
    [{ color: 'always' }, ['--color', 'auto'], {}, false],
    [{ color: 'always' }, [], { NO_COLOR: '1' }, false],
    [{ color: 'rainbow' }, [], {}, false],
  ])('sets color unless flag or environment do: %j %j %j', async (settings, flags, env, coloured) => {
    writeSettings(settings);
    const options = { terminals: AT_TERMINAL, env: { NO_COLOR: '', ...env } };
    const { stdout, error } = await config(['list', ...flags], options);
    expect([stdout.includes('\u001b['), error]).toEqual([coloured, null]);
  });

  it.each([
    [{ 'rate-type': 'half' }, 'rate-type', 'Choose one of fixed, float.'],
    [{ 'rate-type': 5 }, 'rate-type', 'It is not a string.'],
  ])('that was corrupted by hand is rejected and can be set again: %j', async (settings, key, why) => {
    writeSettings(settings);
    const { error } = await runHere(['quote', 'BTC', 'ETH', '0.1'], { home });
    expect(error).toMatchObject({
      code: 'invalid_config',
      exitCode: 2,
      message: `Invalid stored setting ${key}. ${why}`,
      hint: `Set it again, or remove it: swapctl config unset ${key}`,
    });
    expect((await config(['set', key, 'fixed'])).error).toBeNull();
    expect((await quote()).type).toBe('fixed');
  });

  it('with a relative ledger path only fails commands that need the ledger', async () => {
    writeSettings({ ledger: 'ledger.db' });
    expect((await runHere(['history'], { home })).error).toMatchObject({
      code: 'invalid_config',
      message: 'Invalid stored setting ledger. The path of the ledger must be absolute.',
    });
    expect((await quote()).type).toBe('float');
    expect((await config(['set', 'ledger', join(home, 'l.db')])).error).toBeNull();
    expect((await runHere(['history', '--json'], { home })).stdout).toBe('[]\n');
  });
});
