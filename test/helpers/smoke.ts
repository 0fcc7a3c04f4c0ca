import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { temporaryFolder } from './home.ts';
import { isInstalled } from './tools.ts';

const run = promisify(execFile);
const NODES = join(import.meta.dirname, '..', '..', '.ci', 'nodes', 'node_modules');

/** Path of a version of Node that CI fetches. */
export function nodeOf(major: number): string {
  return join(NODES, `node-${major}`, 'bin', 'node');
}

/** Whether that version is there. */
export function hasNode(major: number): boolean {
  return isInstalled(() => existsSync(nodeOf(major)));
}

/**
 * Takes a swap from its price to its payout with a program that is started by some words, in an empty home of its own.
 * Fails where a line is written to stderr that does not belong there, such as a warning of Node.
 */
export async function expectSwap(words: readonly string[], version: string): Promise<void> {
  const home = await temporaryFolder();
  const [command = '', ...before] = words;
  const answer = async (line: string) => {
    const env = { PATH: process.env['PATH'], HOME: home };
    return run(command, [...before, ...line.split(' ')], { cwd: home, env, timeout: 60_000 });
  };
  const json = async (line: string, printed: RegExp) => {
    const { stdout, stderr } = await answer(`${line} --json`);
    expect(stderr).toMatch(printed);
    return JSON.parse(stdout);
  };
  const nothing = /^$/;
  expect(await answer('--version')).toEqual({ stdout: `${version}\n`, stderr: '' });
  expect((await answer('--help')).stderr).toBe('');
  const { order } = await json(
    'create BTC ETH 0.1 --yes --address 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    /^profile sandbox · sandbox · built-in service at 127\.0\.0\.1:\d+\n$/,
  );
  expect(await json(`sandbox deposit ${order}`, nothing)).toMatchObject({ status: 'confirmation' });
  expect(await json('sandbox clock advance 10m', nothing)).toMatchObject({ offsetSeconds: 600 });
  expect(await json(`status ${order}`, nothing)).toMatchObject({ order, status: 'success', final: true });
}
