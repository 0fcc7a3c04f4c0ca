import { SwapctlError } from '../../base/errors.ts';
import { rfc3339 } from '../../base/time.ts';
import type { JsonValue } from '../../core/partner-api/json.ts';
import type { ScenarioName } from '../orders/scenario-ends.ts';
import type { Difference } from './expect.ts';
import type { Scenario, Step, StepKind } from './scenario.ts';
import { type ScenarioService, StepFailure, takeStep } from './step.ts';

/** What a step of a scenario did: whether it passed, its result, and everything that was not as expected. */
export interface StepResult {
  /** Place in the file, from 1. */
  readonly step: number;
  readonly kind: StepKind;
  readonly as: string | null;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Time of the service when it began, RFC 3339; null for a step that was not run. */
  readonly at: string | null;
  /** Milliseconds that it took by the clock of the service. */
  readonly duration: number;
  /** Its result; null for none, and for a step that failed or was not run. */
  readonly result: JsonValue;
  /** Everything that was not as expected. */
  readonly differences: readonly Difference[];
  /** Why it failed, as a sentence; null if it did not. */
  readonly message: string | null;
}

/** Whether a scenario passed, and the result of each of its steps, also of those that were skipped. */
export type ScenarioRun = Awaited<ReturnType<typeof runScenario>>;

/**
 * Runs the steps one after the other; those after one that fails are skipped. Throws only errors that end the run
 * without being a difference.
 */
export async function runScenario({ steps }: Scenario, service: ScenarioService) {
  const results = new Map<string, JsonValue>();
  const done: StepResult[] = [];
  let passed = true;
  for (const [index, step] of steps.entries()) {
    const head = { step: index + 1, kind: step.kind, as: step.as };
    if (!passed) {
      done.push({ ...head, ...NOT_RUN });
      continue;
    }
    const began = await service.now();
    const ended = await outcomeOf(step, service, results);
    const duration = (await service.now()) - began;
    passed = ended.state === 'passed';
    if (passed && step.as !== null) results.set(step.as, ended.result);
    done.push({ ...head, at: rfc3339(began), duration, ...ended });
  }
  return { passed, steps: done };
}

const NOT_RUN = {
  state: 'skipped',
  at: null,
  duration: 0,
  result: null,
  differences: [],
  message: null,
} as const;

type Outcome = Pick<StepResult, 'state' | 'result' | 'differences' | 'message'>;

async function outcomeOf(
  step: Step,
  service: ScenarioService,
  results: ReadonlyMap<string, JsonValue>,
): Promise<Outcome> {
  try {
    const result = await takeStep(step, service, results);
    return { state: 'passed', result, differences: [], message: null };
  } catch (error) {
    if (error instanceof StepFailure)
      return { state: 'failed', result: null, differences: error.differences, message: error.message };
    if (!(error instanceof SwapctlError) || service.isFatal(error)) throw error;
    const message = `It failed with ${error.code}: ${service.words(error)}`;
    return { state: 'failed', result: null, differences: [], message };
  }
}

/** The scenarios that ship with the program, one for each end: docs/scenarios.md#scenario-files. */
const LIBRARY: Readonly<Record<ScenarioName, () => Promise<{ readonly default: object }>>> = {
  success: () => import('./library/success.json'),
  overdue: () => import('./library/overdue.json'),
  'late-deposit': () => import('./library/late-deposit.json'),
  underpaid: () => import('./library/underpaid.json'),
  overpaid: () => import('./library/overpaid.json'),
  frozen: () => import('./library/frozen.json'),
  paused: () => import('./library/paused.json'),
  error: () => import('./library/error.json'),
  refund: () => import('./library/refund.json'),
  'lost-answer': () => import('./library/lost-answer.json'),
  'success-without-payout': () => import('./library/success-without-payout.json'),
  'unknown-status': () => import('./library/unknown-status.json'),
};

/** The text of a scenario that ships with the program. */
export async function libraryText(name: ScenarioName): Promise<string> {
  return JSON.stringify((await LIBRARY[name]()).default);
}

/**
 * A run as JUnit XML, in the form that CI servers read: a suite per file, a case per step. Times are those of the
 * service, so the same run gives the same bytes.
 */
export function junitXml(name: string, { steps }: ScenarioRun): string {
  const count = (state: StepResult['state']) => steps.filter((step) => step.state === state).length;
  const facts =
    `tests="${steps.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" ` +
    `time="${seconds(steps.reduce((sum, { duration }) => sum + duration, 0))}"`;
  const began = steps[0]?.at;
  const timestamp = began === undefined || began === null ? '' : ` timestamp="${began.slice(0, 19)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="swapctl sandbox run" ${facts}>`,
    `  <testsuite name="${escaped(name)}" ${facts}${timestamp}>`,
    ...steps.map((step) => testCase(name, step)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(suite: string, { step, kind, as, state, duration, message }: StepResult): string {
  const title = escaped(`${step} ${kind}${as === null ? '' : ` ${as}`}`);
  const head = `    <testcase classname="${escaped(suite)}" name="${title}" time="${seconds(duration)}"`;
  if (state === 'passed') return `${head}/>`;
  if (state === 'skipped') return `${head}><skipped/></testcase>`;
  const words = escaped(message ?? '');
  return `${head}><failure type="differs" message="${words}">${words}</failure></testcase>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Characters that XML 1.0 cannot hold at all, not even escaped. */
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

function escaped(text: string): string {
  return text.replaceAll(NO_XML, '\uFFFD').replaceAll(/[&<>"\n\r\t]/g, (found) => ENTITIES[found] ?? found);
}
