import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { moveAside, patiently } from '../../src/base/files.ts';
import { shellCall } from '../../src/cli/settings/shell.ts';
import { sqliteUri } from '../../src/core/database/sqlite/connection.ts';
import { abortBySignals } from '../../src/main.ts';

it('a shell command is run by sh, and on Windows unchanged by cmd.exe', () => {
  expect(shellCall('pass show "a b"', {}, 'linux')).toEqual({
    file: 'sh',
    args: ['-c', 'pass show "a b"'],
    windowsVerbatimArguments: false,
  });
  expect(shellCall('vault "a b" | more', { ComSpec: 'C:\\Windows\\cmd.exe' }, 'win32')).toEqual({
    file: 'C:\\Windows\\cmd.exe',
    args: ['/d', '/s', '/c', '"vault "a b" | more"'],
    windowsVerbatimArguments: true,
  });
  expect(shellCall('x', {}, 'win32').file).toBe('cmd.exe');
});

describe('signals', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGBREAK', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ] as const)('abort the work on Windows: %s', (name, exitCode) => {
    const source = new EventEmitter();
    const { signal } = abortBySignals(source, 'win32');
    source.emit(name, name);
    expect(signal.reason).toMatchObject({ code: 'interrupted', exitCode });
  });

  it('are left to the system from the second one on, except SIGHUP', async () => {
    const source = new EventEmitter();
    abortBySignals(source, 'win32');
    source.emit('SIGBREAK', 'SIGBREAK');
    await new Promise(setImmediate);
    expect(source.eventNames()).toEqual(['SIGHUP']);
  });

  it('are SIGINT, SIGTERM and SIGHUP on POSIX systems', () => {
    const source = new EventEmitter();
    abortBySignals(source, 'linux');
    expect(source.eventNames()).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
  });
});

it.each([
  ['C:\\Users\\ada l\\50%#?.db', 'win32', 'file:///C:/Users/ada%20l/50%25%23%3F.db?mode=rw'],
  ['\\\\server\\share\\ledger.db', 'win32', 'file:////server/share/ledger.db?mode=rw'],
  ['/home/ada l/50%#?\\.db', 'linux', 'file:///home/ada%20l/50%25%23%3F%5C.db?mode=rw'],
] as const)('the URI of a database of %s on %s is %s', (path, system, uri) => {
  expect(sqliteUri(path, 'mode=rw', system)).toBe(uri);
});

describe('a file that another program has open for a moment', () => {
  const failing = (times: number, code: string) => {
    let tries = 0;
    return () => {
      tries += 1;
      if (tries <= times) throw Object.assign(new Error(code), { code });
      return tries;
    };
  };

  it.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows after %s', (code) => {
    const pauses: number[] = [];
    expect(patiently(failing(3, code), 'win32', (milliseconds) => pauses.push(milliseconds))).toBe(4);
    expect(pauses).toEqual([10, 20, 40]);
  });

  it('fails after almost two seconds of retries', () => {
    let paused = 0;
    const pause = (milliseconds: number) => (paused += milliseconds);
    expect(() => patiently(failing(99, 'EBUSY'), 'win32', pause)).toThrow('EBUSY');
    expect(paused).toBe(1810);
  });

  it.each([
    ['linux', 'EACCES'],
    ['win32', 'ENOENT'],
  ] as const)('is not tried again on %s after %s', (system, code) => {
    const pause = () => expect.fail('It waited.');
    expect(() => patiently(failing(1, code), system, pause)).toThrow(code);
  });
});

it.each([
  ['linux', '/a b/c.json', "mv '/a b/c.json' '/a b/c.json.old'"],
  ['win32', 'C:\\a b\\c.json', 'move "C:\\a b\\c.json" "C:\\a b\\c.json.old"'],
] as const)('the command that moves a file aside on %s quotes the path', (system, path, command) => {
  expect(moveAside(path, system)).toBe(command);
});
