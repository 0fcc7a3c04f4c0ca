import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { SCENARIO_NAMES } from '../../../../../src/sandbox/orders/scenario-ends.ts';
import { freshPostgres } from '../../../../core/database/postgres/fresh.ts';
import { temporaryFolder } from '../../../../helpers/home.ts';
import { runHere } from '../../../../helpers/run-here.ts';
import { freshFile } from '../../../../sandbox/sandbox.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
const FOLDER = join(ROOT, 'src/sandbox/scenarios/library');

/** What a scenario of the library prints, once it has passed. */
async function printed(home: string, name: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, error } = await runHere(['sandbox', 'run', name, '--json', ...args], { home });
  expect({ name, stderr, error }).toEqual({ name, stderr: '', error: null });
  expect(JSON.parse(stdout)).toMatchObject({ name, passed: true });
  return stdout;
}

/** What each scenario prints in memory, where it has run there already. */
const inMemory = new Map<string, string>();

async function printedInMemory(home: string, name: string): Promise<string> {
  const text = inMemory.get(name) ?? (await printed(home, name));
  inMemory.set(name, text);
  return text;
}

describe('the scenario library', () => {
  it('has a file for each scenario name', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(SCENARIO_NAMES.map((name) => `${name}.json`).toSorted());
  });

  test.each(SCENARIO_NAMES)('%s passes and prints the same bytes in memory and on SQLite', async (name) => {
    const home = await temporaryFolder();
    const wanted = await printedInMemory(home, name);
    expect(await printed(home, name, '--database', freshFile())).toBe(wanted);
  });

  test.each([0, 2, 4, 6, 8, 10])(
    'prints the same bytes on PostgreSQL as in memory, for two scenarios from number %d',
    async (first) => {
      const home = await temporaryFolder();
      const database = await freshPostgres();
      for (const name of SCENARIO_NAMES.slice(first, first + 2)) {
        expect(await printed(home, name, '--database', database)).toBe(await printedInMemory(home, name));
        await runHere(['sandbox', 'reset', '--database', database], { home });
      }
    },
  );
});

it('the example in docs/scenarios.md runs unchanged and passes', async () => {
  const page = readFileSync(join(ROOT, 'docs', 'scenarios.md'), 'utf8');
  const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
  const home = await temporaryFolder();
  const file = join(home, 'example.json');
  writeFileSync(file, example);
  const { stdout, error } = await runHere(['sandbox', 'run', file, '--json'], { home });
  expect(error).toBeNull();
  expect(JSON.parse(stdout)).toMatchObject({ name: 'a frozen swap continues', passed: true });
});
