import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../helpers/program.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'swapctl-help-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const helpOf = async (...args: string[]) => (await runProgram(args, { home })).stdout;

it('is the same text whether the build left it behind or the program makes it', async () => {
  const made = await helpOf('help', '--quiet');
  expect(made).toMatch(/^Usage: swapctl /);
  expect(await Promise.all([helpOf(), helpOf('-h'), helpOf('--help')])).toEqual([made, made, made]);
});

it('fits a terminal of 80 columns, so that no wider one breaks its lines elsewhere', async () => {
  for (const line of (await helpOf('--help')).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});
