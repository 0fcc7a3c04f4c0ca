import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Context } from '../../../context.ts';
import { SwapctlError } from '../../../errors.ts';
import { readRegularFile, systemCode, unreadableFile } from '../../../files.ts';
import { SCENARIO_NAMES } from '../../../sandbox/orders/scenario-ends.ts';
import { junitXml } from '../../../sandbox/scenarios/junit.ts';
import { libraryText, runScenario, type ScenarioRun } from '../../../sandbox/scenarios/run.ts';
import { readScenario } from '../../../sandbox/scenarios/scenario.ts';
import { nearestWords } from '../../../suggest.ts';
import { visible } from '../../../text.ts';
import { differenceJson, scenarioView } from '../../../views/sandbox/scenario.ts';
import type { SandboxDatabase } from '../verb.ts';
import { againstService } from './against-service.ts';
import { freshService } from './fresh-service.ts';

/** Parsed arguments of `swapctl sandbox run`. */
export interface RunOptions {
  /** File with the scenario, or the name of one that ships with the program. */
  readonly file: string;
  /** File for the result as JUnit XML. */
  readonly junit: string | null;
  /** Base URL of a service that runs already; null for a fresh sandbox. */
  readonly against: string | null;
  /** Replaces the file's seed. */
  readonly seed: number | null;
  readonly database: SandboxDatabase;
}

/** Seed of a scenario that names none. */
const DEFAULT_SEED = 1;

/** Runs a scenario and shows how each step went. Throws `differs` where one did not go as expected. */
export async function runScenarioFile(context: Context, options: RunOptions): Promise<void> {
  const { name, text } = await scenarioText(options.file);
  const scenario = readScenario(text);
  const service =
    options.against === null
      ? await freshService(context, {
          ...{ scenario: scenario.scenario, magic: scenario.magic, database: options.database },
          seed: options.seed ?? scenario.seed ?? DEFAULT_SEED,
        })
      : await againstService(context, scenario, options.against, options.database);
  let run: ScenarioRun;
  try {
    run = await runScenario(scenario, service);
  } finally {
    await service.close();
  }
  const title = scenario.name ?? name;
  if (options.junit !== null) writeResult(options.junit, junitXml(title, run));
  await context.streams.print(scenarioView(title, run));
  const failed = run.steps.find(({ state }) => state === 'failed');
  if (failed === undefined) return;
  const { step, kind, message, differences } = failed;
  throw new SwapctlError('differs', `Step ${step} (${kind}) of ${visible(title)}: ${message}`, {
    outcome: 'done',
    details: { step, kind, differences: differences.map(differenceJson) },
  });
}

/** The text of a scenario: a file's, or that of a scenario of the library where there is no such file. */
async function scenarioText(file: string): Promise<{ readonly name: string; readonly text: string }> {
  const name = basename(file).replace(/\.json$/, '');
  const shipped = SCENARIO_NAMES.find((each) => each === file);
  try {
    return { name, text: readRegularFile(file) };
  } catch (error) {
    if (shipped !== undefined && systemCode(error) === 'ENOENT')
      return { name, text: await libraryText(shipped) };
    const [nearest] = nearestWords(SCENARIO_NAMES, file);
    throw unreadableFile(
      file,
      error,
      nearest === undefined
        ? `Built-in scenarios: ${SCENARIO_NAMES.join(', ')}.`
        : `Did you mean ${nearest}?`,
    );
  }
}

function writeResult(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new SwapctlError(
      'write_failed',
      `The file ${visible(file)} could not be written (${systemCode(error) ?? 'unwritable'}).`,
      { outcome: 'done', hint: 'Choose another file with --junit, or leave it out.' },
    );
  }
}
