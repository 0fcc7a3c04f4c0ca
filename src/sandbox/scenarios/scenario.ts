import { UsageError } from '../../base/errors.ts';
import { nearestWords } from '../../base/suggest.ts';
import { visible } from '../../base/text.ts';
import { parseDuration } from '../../base/time.ts';
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from '../../core/partner-api/json.ts';
import { checkFaultRule, type FaultRule } from '../faults/rule.ts';
import {
  list,
  members,
  orNull,
  type ReadValue,
  readBoolean,
  readFileText,
  text,
  whole,
} from '../json-file.ts';
import { MOVES } from '../orders/order.ts';
import { readScenarioName, type ScenarioName } from '../orders/scenario-ends.ts';
import { checkComparison, referencesIn } from './expect.ts';

const MAX_STEPS = 1000;

export type StepKind = keyof typeof STEP_KEYS;

/** One step of a scenario; its values may still hold references such as `${a.order}`. */
export interface Step {
  readonly kind: StepKind;
  /** Name under which later steps refer to its result; null for none. */
  readonly as: string | null;
  /** A duration for `advance`, the text `clear` or a rule for `fault`, an object with the step's keys otherwise. */
  readonly body: JsonObject | string;
}

/** A scenario as it is written in a file. */
export interface Scenario {
  readonly name: string | null;
  readonly seed: number | null;
  /** The end that every order takes automatically. */
  readonly scenario: ScenarioName | null;
  /** Whether the last two decimals of a deposit decide the outcome of an order. */
  readonly magic: boolean;
  readonly steps: readonly Step[];
}

const readName: ReadValue<string | null> = orNull(text(Number.POSITIVE_INFINITY, 0));

const readParts = members(
  {
    name: readName,
    description: readName,
    seed: orNull(whole(0, 999_999_999)),
    scenario: readName,
    magic: readBoolean,
    // A file that was emptied by mistake must not be a success.
    steps: list((item: JsonValue | number | undefined) => item as JsonValue, 1, MAX_STEPS),
  },
  'key',
  ['steps'],
);

/**
 * Reads the text of a scenario file: docs/scenarios.md#scenario-files. Throws a UsageError that names the first thing
 * that is wrong, and its location.
 */
export function readScenario(file: string): Scenario {
  const parts = readFileText('Scenario file', file, readParts);
  const { name = null, seed = null, scenario = null, magic = false, steps } = parts;
  const end = scenario === null ? null : readScenarioName(scenario);
  return { name, magic, seed, scenario: end, steps: readSteps(steps) };
}

function readSteps(items: readonly JsonValue[]): readonly Step[] {
  const known = new Set<string>();
  return items.map((item, index) => {
    const step = readStep(item, `step ${index + 1}`);
    for (const name of referencesIn(step.body))
      if (!known.has(name))
        throw new UsageError(
          `Step ${index + 1} (${step.kind}) refers to "${visible(name)}", but no earlier step has that name in "as".`,
          SEE,
        );
    if (step.as !== null) known.add(step.as);
    return step;
  });
}

function readStep(item: JsonValue, path: string): Step {
  if (!isJsonObject(item)) throw wrong(`${capital(path)}`, 'must be an object such as {"advance":"10m"}');
  const names = Object.keys(item);
  const kinds = Object.keys(STEP_KEYS) as StepKind[];
  const [name = ''] = names;
  if (names.length !== 1)
    throw new UsageError(`${capital(path)} has ${names.length} keys, but a step must have exactly one.`, SEE);
  refuseUnknown(names, kinds, path, 'step');
  const kind = name as StepKind;
  const body = item[kind] ?? null;
  const where = `${path} (${kind})`;
  if (kind === 'advance') return { kind, as: null, body: durationIn(body, capital(where)) };
  if (kind === 'fault' && body === 'clear') return { kind, as: null, body };
  if (!isJsonObject(body)) throw wrong(capital(where), 'must be an object');
  const { as = null } = body;
  if (as !== null && (typeof as !== 'string' || !/^[A-Za-z][\w-]{0,63}$/.test(as)))
    throw wrong(`"as" of ${where}`, 'must be a word of letters, digits, hyphens and underscores');
  checkKeys(kind, body, where);
  return { kind, as, body };
}

function checkKeys(kind: Exclude<StepKind, 'advance'>, body: JsonObject, where: string): void {
  const { known, needed } = STEP_KEYS[kind];
  for (const key of needed) if (body[key] === undefined) throw wrong(capital(where), `needs "${key}"`);
  if (known !== null) refuseUnknown(Object.keys(body), known, where, 'key');
  if (kind === 'expect') checkExpectation(body, where);
  checkValues(kind, body, where);
  for (const part of ['fails', 'expect']) {
    const matchers = body[part];
    if (matchers === undefined || kind === 'expect') continue;
    if (!isJsonObject(matchers))
      throw wrong(`"${part}" of ${where}`, 'must be an object of paths and values');
    for (const [path, value] of Object.entries(matchers)) checkComparison(value, `"${path}" of ${where}`);
  }
}

function checkExpectation(body: JsonObject, where: string): void {
  if ((body['order'] === undefined) === (body['of'] === undefined))
    throw wrong(capital(where), 'needs either "order", or "of" with a reference to another result');
  for (const [path, value] of Object.entries(body))
    if (path !== 'order' && path !== 'of') checkComparison(value, `"${path}" of ${where}`);
}

function durationIn(value: JsonValue, path: string): string {
  if (typeof value === 'string' && (parseDuration(value) !== null || referencesIn(value).length > 0))
    return value;
  throw wrong(path, 'must be a duration such as "30s", "10m", "2h" or "1d"');
}

/** Problems of values without references are reported before the first step, not during the run. */
function checkValues(kind: StepKind, body: JsonObject, where: string): void {
  if (kind === 'fault' && referencesIn(body).length === 0) faultRule(body);
  const { verb } = body;
  if (kind !== 'move' || (typeof verb === 'string' && referencesIn(verb).length > 0)) return;
  if (!MOVES.some((each) => each === verb))
    throw wrong(`"verb" of ${where}`, `must be one of ${MOVES.join(', ')}`);
}

function refuseUnknown(
  names: readonly string[],
  known: readonly string[],
  path: string,
  what: 'key' | 'step',
): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [nearest] = nearestWords(known, unknown);
  const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const shownName = visible(unknown.slice(0, 60));
  throw new UsageError(
    what === 'step'
      ? `${capital(path)} is unknown: "${shownName}" is not a step.${meant}`
      : `${capital(path)} has an unknown key "${shownName}".${meant}`,
    `Choose one of ${known.join(', ')}.`,
  );
}

function wrong(what: string, rule: string): UsageError {
  return new UsageError(`${what} ${rule}.`, SEE);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SEE = 'See docs/scenarios.md#scenario-files, and `swapctl sandbox run success` for a working example.';

/** Keys that a step may have; null if every other key is a path or part of a rule. */
interface StepKeys {
  readonly known: readonly string[] | null;
  readonly needed: readonly string[];
}

const PRICED = ['as', 'from', 'to', 'amount', 'receive', 'type', 'fails'] as const;

/** The steps by name, with their keys; `advance` is only a duration. */
const STEP_KEYS = {
  create: {
    known: [...PRICED, 'address', 'memo', 'refundAddress', 'minReceive'],
    needed: ['from', 'to', 'amount'],
  },
  quote: { known: PRICED, needed: ['from', 'to', 'amount'] },
  deposit: { known: ['as', 'order', 'amount', 'fails'], needed: ['order'] },
  move: { known: ['as', 'order', 'verb', 'fails'], needed: ['order', 'verb'] },
  advance: { known: [], needed: [] },
  fault: { known: null, needed: [] },
  refund: { known: ['as', 'order', 'address', 'fails'], needed: ['order', 'address'] },
  request: { known: ['as', 'endpoint', 'method', 'query', 'body', 'expect', 'fails'], needed: ['endpoint'] },
  expect: { known: null, needed: [] },
} as const satisfies Readonly<Record<string, StepKeys>>;

/** The fault of a step: delays are milliseconds, or durations such as `2s`. Throws UsageError. */
export function faultRule(body: JsonObject): FaultRule {
  const { as, endpoint, ...rest } = JSON.parse(writeJson(body)) as Readonly<Record<string, unknown>>;
  const rule = Object.entries({ ...rest, ...(endpoint === 'all' ? {} : { endpoint }) }).map(
    ([key, value]) => {
      const isDelay = (key === 'delay' || key === 'drip') && typeof value === 'string';
      return [key, isDelay ? (parseDuration(value) ?? value) : value];
    },
  );
  return checkFaultRule(Object.fromEntries(rule) as object);
}
