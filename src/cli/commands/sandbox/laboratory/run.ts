import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { SwapctlError, UsageError } from '../../../../base/errors.ts';
import { readRegularFile, systemCode, unreadableFile } from '../../../../base/files.ts';
import { nearestWords } from '../../../../base/suggest.ts';
import { counted, joined, shown, type Visible, visible } from '../../../../base/text.ts';
import { InMemory } from '../../../../core/database/database.ts';
import {
  isJsonNumber,
  isJsonObject,
  type JsonValue,
  withPlainNumbers,
  writeJson,
} from '../../../../core/partner-api/json.ts';
import { type Operator, openOperator } from '../../../../sandbox/operator/operator.ts';
import { SCENARIO_NAMES } from '../../../../sandbox/orders/scenario-ends.ts';
import type { Difference } from '../../../../sandbox/scenarios/expect.ts';
import {
  junitXml,
  libraryText,
  runScenario,
  type ScenarioRun,
  type StepResult,
} from '../../../../sandbox/scenarios/run.ts';
import { readScenario, type Scenario } from '../../../../sandbox/scenarios/scenario.ts';
import { startSandbox } from '../../../../sandbox/server.ts';
import { SEEDED_CLOCK } from '../../../../sandbox/state/assumptions.ts';
import type { Context } from '../../../context.ts';
import type { View } from '../../../terminal/streams.ts';
import type { Style } from '../../../terminal/style.ts';
import type { SandboxDatabase } from '../verb.ts';
import { againstService } from './against-service.ts';
import { BUILT_IN } from './connection.ts';
import { type ClosableService, isOwnFault, serviceOf, toolsAt } from './step-service.ts';

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

const DEFAULT_SEED = 1;

/** Runs a scenario and shows the result of each step. Throws `differs` if one did not go as expected. */
export async function runScenarioFile(context: Context, options: RunOptions): Promise<void> {
  const { name, text } = await scenarioText(options.file);
  const scenario = readScenario(text);
  const service =
    options.against === null
      ? await freshService(context, scenario, options.seed ?? scenario.seed ?? DEFAULT_SEED, options.database)
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
    const all = `Built-in scenarios: ${SCENARIO_NAMES.join(', ')}.`;
    throw unreadableFile(file, error, nearest === undefined ? all : `Did you mean ${nearest}?`);
  }
}

function writeResult(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const words = `The file ${visible(file)} could not be written (${systemCode(error) ?? 'unwritable'}).`;
    const hint = 'Choose another file with --junit, or leave it out.';
    throw new SwapctlError('write_failed', words, { outcome: 'done', hint });
  }
}

/** A separate sandbox with seed and stopped clock, so that results repeat. Throws UsageError for a used database. */
async function freshService(
  context: Context,
  { scenario, magic }: Scenario,
  seed: number,
  given: SandboxDatabase,
): Promise<ClosableService> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const database = given ?? new InMemory();
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
    const tools = await toolsAt(context, lab, operator, { isStopped: true });
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

const MARKS = { passed: '✓', failed: '✗', skipped: '-' } as const;

/** A line for each step of a scenario. On a screen, the error that follows gives the reason for a failure. */
function scenarioView(name: string, { passed, steps }: ScenarioRun): View {
  return {
    json: () => ({ name, passed, steps: steps.map(stepJson) }),
    rows: () =>
      steps.map((each) => {
        const { step, kind, as, state, at, result, message } = each;
        return [step, kind, as, state, at, summary(result), message];
      }),
    screen: (style) => {
      const lines = joined(steps.map((step) => stepLine(step, style)));
      const count = counted(steps.length, 'step');
      return passed ? shown`${lines}${style.bold(visible(name))}: ${visible(count)} passed\n` : lines;
    },
  };
}

function stepJson({ result, differences, message, ...head }: StepResult) {
  return { ...head, result: withPlainNumbers(result), differences: differences.map(differenceJson), message };
}

/** What was not as expected, as `--json` and an error show it. */
function differenceJson({ path, expected, seen }: Difference) {
  return { path, expected: withPlainNumbers(expected), seen: withPlainNumbers(seen) };
}

function stepLine({ step, kind, as, state, result }: StepResult, style: Style): Visible {
  const paint = { passed: style.green, failed: style.red, skipped: style.dim }[state];
  const title = [String(step).padStart(3), kind.padEnd(7), as ?? '', summary(result) ?? ''];
  const words = title
    .filter((word) => word !== '')
    .join('  ')
    .trimEnd();
  return shown`${paint(visible(MARKS[state]))}${state === 'skipped' ? style.dim(visible(words)) : visible(words)}\n`;
}

/** The result of a step in a few words: an order and its status, a rate, an HTTP status, an error. */
function summary(result: JsonValue): string | null {
  if (!isJsonObject(result)) return null;
  const parts = ['order', 'code', 'rate', 'status', 'outcome'].flatMap((key) => {
    const value = result[key];
    if (typeof value === 'string') return [value];
    return value !== undefined && isJsonNumber(value) ? [writeJson(value)] : [];
  });
  return parts.length === 0 ? null : parts.join(' ');
}
