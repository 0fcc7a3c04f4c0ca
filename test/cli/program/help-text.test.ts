import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { runProgram } from '../../helpers/program.ts';
import { runMain } from '../../helpers/run-main.ts';

const home = await mkdtemp(join(tmpdir(), 'swapctl-help-'));
const paths = [[], ...pathsBelow(await buildProgram(() => expect.unreachable()))];

const helpOf = async (...args: string[]) => (await runProgram(args, { home })).stdout;

function pathsBelow(command: Command): readonly (readonly string[])[] {
  return command.commands.flatMap((child) => [
    [child.name()],
    ...pathsBelow(child).map((path) => [child.name(), ...path]),
  ]);
}

async function helpLines(path: readonly string[], columns: number): Promise<readonly string[]> {
  const { stdout } = await runMain([...path, '--help'], { home, env: { COLUMNS: String(columns) } });
  return stdout.split('\n');
}

const isExample = (line: string) => /^ +\$ /.test(line);

it('prebuilt help is the same text as generated help', async () => {
  const made = await helpOf('help', '--quiet');
  expect(made).toMatch(/^Usage: swapctl /);
  expect(await Promise.all([helpOf('-h'), helpOf('--help')])).toEqual([made, made]);
});

it.each([60, 80, 110])('help of every command fits %d columns', async (columns) => {
  for (const path of paths) {
    for (const line of await helpLines(path, columns)) {
      if (isExample(line) || !line.trim().includes(' ')) continue;
      expect(line.length, `${path}: ${line}`).toBeLessThanOrEqual(columns);
    }
  }
});

it('help keeps each example on one line and contains no manual line breaks', async () => {
  for (const path of paths) {
    const [narrow, wide] = await Promise.all([helpLines(path, 40), helpLines(path, 2000)]);
    expect(narrow.filter(isExample)).toEqual(wide.filter(isExample));
    for (const line of wide) expect(line).not.toMatch(/^[a-z]/);
  }
});
