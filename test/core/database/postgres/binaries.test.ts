import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reachable } from './binaries.ts';

const NOBODY = { uid: 65_534, gid: 65_534 };

let root: string;
let native: string;
let place: string;

/** A package whose initdb is one that every system has, in a folder closed to all but its owner. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'swapctl-binaries-'));
  native = join(root, 'package', 'native');
  mkdirSync(join(native, 'bin'), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, 'package', 'package.json'), '{"version":"18.4.0"}');
  writeFileSync(join(native, 'bin', 'initdb'), '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  writeFileSync(join(native, 'bin', 'postgres.bki'), 'text', { mode: 0o600 });
  // The package's folder has had more names than the copy's: their sizes differ, which says nothing.
  const names = Array.from({ length: 300 }, (_, n) => join(native, 'bin', `long-name-of-a-file-${n}`));
  for (const name of names) writeFileSync(name, '');
  for (const name of names) rmSync(name);
  place = mkdtempSync(join(tmpdir(), 'swapctl-binaries-'));
  chmodSync(place, 0o755);
});

afterEach(() => {
  for (const folder of [root, place]) rmSync(folder, { recursive: true, force: true });
});

describe.runIf(process.getuid?.() === 0)('the PostgreSQL programs of the tests in a closed folder', () => {
  const copy = () => join(place, 'swapctl-test-postgres-18.4.0');
  const folderOf = () => dirname(dirname(reachable(native, NOBODY, [place]).initdb));

  it('are copied once to where their user can run and read them', () => {
    expect(folderOf()).toBe(copy());
    expect(statSync(join(copy(), 'bin', 'initdb')).mode & 0o777).toBe(0o755);
    expect(statSync(join(copy(), 'bin', 'postgres.bki')).mode & 0o777).toBe(0o644);
    const { ino } = statSync(copy());
    expect(folderOf()).toBe(copy());
    expect(statSync(copy()).ino).toBe(ino);
    expect(readdirSync(place)).toEqual(['swapctl-test-postgres-18.4.0']);
  });

  it('stay in place if their user can run them there', () => {
    for (const folder of [root, dirname(native), native, join(native, 'bin'), join(native, 'bin', 'initdb')])
      chmodSync(folder, 0o755);
    expect(folderOf()).toBe(native);
    expect(readdirSync(place)).toEqual([]);
  });

  it.each([
    ['belongs to another user', () => chownSync(copy(), NOBODY.uid, NOBODY.gid)],
    ['can be changed by others', () => chmodSync(copy(), 0o777)],
    ['is partly deleted', () => rmSync(join(copy(), 'bin', 'postgres.bki'))],
  ])('are not taken from a copy that %s', (_why, spoil) => {
    cpSync(native, copy(), { recursive: true });
    spoil();
    const binaries = reachable(native, NOBODY, [place]);
    const folder = dirname(dirname(binaries.initdb));
    expect(folder).not.toBe(copy());
    expect(spawnSync(join(folder, 'bin', 'initdb'), { ...NOBODY, cwd: '/' }).status).toBe(0);
    expect(statSync(join(folder, 'bin', 'postgres.bki')).size).toBe(4);
    binaries.remove();
    expect(readdirSync(place)).toEqual(['swapctl-test-postgres-18.4.0']);
  });

  it('fail with a message if their user can enter none of the folders', () => {
    const message = `The tests' PostgreSQL cannot run: its user (65534) can enter none of ${root}.`;
    expect(() => reachable(native, NOBODY, [root])).toThrow(message);
  });
});
