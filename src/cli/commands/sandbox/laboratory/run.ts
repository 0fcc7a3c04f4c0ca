import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { SwapctlError, UsageError } from '../../../../base/errors.ts';
import { readRegularFile, systemCode, unreadableFile } from '../../../../base/files.ts';
import { nearestWords } from '../../../../base/suggest.ts';
import { visible } from '../../../../base/text.ts';
import { InMemory } from '../../../../core/database/database.ts';
import { type Operator, openOperator } from '../../../../sandbox/operator/operator.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../../../../sandbox/orders/scenario-ends.ts';
import { junitXml, libraryText, runScenario, type ScenarioRun } from '../../../../sandbox/scenarios/run.ts';
import { readScenario } from '../../../../sandbox/scenarios/scenario.ts';
import { startSandbox } from '../../../../sandbox/server.ts';
import { SEEDED_CLOCK } from '../../../../sandbox/state/assumptions.ts';
import type { Context } from '../../../context.ts';
import type { SandboxDatabase } from '../verb.ts';
import { differenceJson, scenarioView } from '../views/scenario.ts';
import { againstService } from './against-service.ts';
import { BUILT_IN } from './connection.ts';
import { isOwnFault, type OpenService, serviceOf, toolsAt } from './step-service.ts';

export interface RunOptions {
  /** File with the scenario, or the name of one that ships with the program. */
  readonly file: string;
  /** File for the result as JUnit XML. */
  readonly junit: string | null;
  /** Base URL of a running service; null for a new sandbox. */
  readonly against: string | null;
  /** Replaces the file's seed. */
  readonly seed: number | null;
  readonly database: SandboxDatabase;
}

/** Seed of a scenario that names none. */
const DEFAULT_SEED = 1;

/** Runs a scenario and shows the result of each step. Throws `differs` if one did not go as expected. */
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

/** The text of a scenario file or, if there is no such file, of a built-in scenario. */
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

interface FreshSandbox {
  readonly seed: number;
  readonly scenario: ScenarioName | null;
  readonly magic: boolean;
  /** Where it is stored; undefined for a temporary one. */
  readonly database: SandboxDatabase;
}

/**
 * A separate sandbox for one run: with its seed and stopped clock, the same scenario gives the same results. Throws a
 * UsageError for a database that is not empty.
 */
async function freshService(context: Context, options: FreshSandbox): Promise<OpenService> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const database = options.database ?? new InMemory();
    const { scenario, magic, seed } = options;
    const settings = { database, seed, ...SEEDED_CLOCK, now: context.now, allowEmptyFile: true };
    const sandbox = await startSandbox({
      ...settings,
      magic,
      countsRequests: false,
      scenario: scenario ?? undefined,
    });
    closers.push(() => sandbox.close());
    const operator = await openOperator(settings);
    closers.push(() => operator.close());
    await refuseUsed(operator);
    const { url: baseUrl, credentials, catalogue } = sandbox;
    const lab = { baseUrl, credentials, catalogue, profile: BUILT_IN };
    const host = new URL(baseUrl).host;
    const tools = await toolsAt(context, lab, operator, { standing: true });
    closers.push(tools.close);
    const words = ({ message }: SwapctlError) =>
      message.replaceAll(`. ${host}`, '. The sandbox').replaceAll(host, 'the sandbox');
    return { ...serviceOf(tools), words, isFatal: isOwnFault, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function refuseUsed(operator: Operator): Promise<void> {
  const { orders, faults, clock } = await operator.info();
  if (orders === 0 && faults === 0 && clock.offset === 0 && clock.standsStill) return;
  throw new UsageError(
    `A scenario needs an empty sandbox, but ${operator.location} is not empty.`,
    'Empty it with `swapctl sandbox reset --database …`, choose another, or leave --database out.',
  );
}
