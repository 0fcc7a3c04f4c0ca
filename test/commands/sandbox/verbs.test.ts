import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

const sandbox = (line: string) => runHere(['sandbox', ...line.split(' ')], { home });

describe('what the sandbox does not have', () => {
  test.each([
    ['fault clear 99', 'The sandbox has no fault 99.'],
    ['partner remove nobody', 'The sandbox has no partner "nobody".'],
    ['deposit NOSUCH', 'The sandbox has no order NOSUCH.'],
    ['move NOSUCH pause', 'The sandbox has no order NOSUCH.'],
  ])('is not found: %s', async (line, message) => {
    const { stdout, error } = await sandbox(line);
    expect(stdout).toBe('');
    expect(error).toMatchObject({ code: 'not_found', exitCode: 3, message });
    expect(error?.hint).toMatch(/^See .*: swapctl sandbox (fault list|partner list|orders)$/);
  });
});

describe('clearing faults', () => {
  test('removes one by its number once, and all without one, as often as one likes', async () => {
    await sandbox('fault add all --status 500');
    await sandbox('fault add all --status 502');
    expect((await sandbox('fault clear 1 --json')).stdout).toBe('{"cleared":1}\n');
    expect((await sandbox('fault clear 1')).error).toMatchObject({ code: 'not_found' });
    expect((await sandbox('fault clear --json')).stdout).toBe('{"cleared":1}\n');
    expect((await sandbox('fault clear --json')).stdout).toBe('{"cleared":0}\n');
  });
});

test.each([
  [['start', '--port', '0', '--overlay']],
  [['start', '--port', '0', '--catalog']],
  [['start', '--port', '0', '--tls-key', 'key.pem', '--tls-cert']],
  [['fault', 'add', 'all', '--body']],
  [['learn']],
  [['run']],
])('%j refuses a file that is not there as wrong usage', async (words) => {
  const file = join(home, 'none.json');
  expect(await runHere(['sandbox', ...words, file], { home })).toMatchObject({
    stdout: '',
    error: { code: 'usage', exitCode: 2, message: `The file ${file} cannot be read (ENOENT).` },
  });
});
