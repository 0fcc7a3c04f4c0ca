import { SwapctlError, UsageError } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { parseDuration } from '../../base/time.ts';
import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  writeJson,
} from '../../core/partner-api/json.ts';
import type { Decimal } from '../../core/swap/amount.ts';
import type { FaultRule } from '../faults/rule.ts';
import { MOVES, type MoveVerb } from '../orders/order.ts';
import { type Difference, differences, resolved } from './expect.ts';
import { faultRule, type Step, type StepKind } from './scenario.ts';

/** A step that did not go as expected. */
export class StepFailure extends Error {
  readonly differences: readonly Difference[];

  constructor(message: string, found: readonly Difference[] = []) {
    super(message);
    this.differences = found;
  }
}

/**
 * Runs a step and returns its result; with `fails`, the expected error. Throws a StepFailure if something is not as
 * expected, and the SwapctlError of a failed request.
 */
export async function takeStep(
  step: Step,
  service: ScenarioService,
  results: ReadonlyMap<string, JsonValue>,
): Promise<JsonValue> {
  const { kind } = step;
  if (typeof step.body === 'string') return takeWord(kind, step.body, service, results);
  const body = resolved(step.body, results) as JsonObject;
  const fails = body['fails'];
  if (fails === undefined) return jsonOf(await take(kind, body, service));
  let result: unknown;
  try {
    result = await take(kind, body, service);
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    const { code, httpStatus, outcome } = error;
    const seen = jsonOf({ code, message: service.words(error), httpStatus, outcome });
    failOnDifferences(differences(fails as JsonObject, seen));
    return seen;
  }
  throw new StepFailure('Expected a failure, but it succeeded.', [
    { path: 'fails', expected: fails, seen: jsonOf(result) },
  ]);
}

async function takeWord(
  kind: StepKind,
  word: string,
  service: ScenarioService,
  results: ReadonlyMap<string, JsonValue>,
): Promise<JsonValue> {
  if (kind === 'fault') return jsonOf(await service.clearFaults());
  const text = resolved(word, results);
  const milliseconds = typeof text === 'string' ? parseDuration(text) : null;
  if (milliseconds === null) throw new UsageError(`"${visible(word)}" is not a duration such as 10m.`);
  await service.advance(milliseconds);
  return null;
}

async function take(kind: StepKind, body: JsonObject, service: ScenarioService): Promise<unknown> {
  switch (kind) {
    case 'quote':
      return service.quote(parsePairStep(body));
    case 'create':
      return service.create({
        ...parsePairStep(body),
        address: textOr(body, 'address'),
        memo: textOr(body, 'memo'),
        refundAddress: textOr(body, 'refundAddress'),
        minReceive: amountOr(body, 'minReceive') ?? null,
      });
    case 'deposit':
      return service.deposit(textIn(body, 'order'), amountOr(body, 'amount'));
    case 'move':
      return service.move(textIn(body, 'order'), verbIn(body));
    case 'refund':
      return service.refund(textIn(body, 'order'), textIn(body, 'address'));
    case 'fault':
      return service.fault(faultRule(body));
    case 'request':
      return requestStep(body, service);
    default:
      return expectStep(body, service);
  }
}

/** Sends a raw request. Throws a StepFailure if its answer is not as expected. */
async function requestStep(body: JsonObject, service: ScenarioService): Promise<unknown> {
  const { query = {}, body: sent, expect } = body;
  if (!isJsonObject(query)) throw new UsageError('"query" must be an object.');
  const answer = await service.request({
    endpoint: textIn(body, 'endpoint'),
    method: textOr(body, 'method'),
    query: Object.fromEntries(Object.keys(query).map((name) => [name, scalarIn(query, name)])),
    body: sent === undefined ? null : writeJson(sent),
  });
  if (expect !== undefined) failOnDifferences(differences(expect as JsonObject, jsonOf(answer)));
  return answer;
}

/** Compares a swap, or another result, with the expected values. Throws a StepFailure if it differs. */
async function expectStep(body: JsonObject, service: ScenarioService): Promise<unknown> {
  const { order, of, ...wanted } = body;
  const seen = of === undefined ? jsonOf(await service.swap(textIn(body, 'order'))) : of;
  failOnDifferences(differences(wanted, seen));
  return of === undefined ? seen : null;
}

function failOnDifferences(found: readonly Difference[]): void {
  if (found.length === 0) return;
  const words = found.map(
    ({ path, expected: wanted, seen }) => `${path} is ${writeJson(seen)}, expected ${writeJson(wanted)}`,
  );
  throw new StepFailure(`${visible(words.join('; '))}.`, found);
}

/** A result as JSON that keeps its digits. */
function jsonOf(value: unknown): JsonValue {
  return value === undefined ? null : parseJson(writeJson(value));
}

/** The swap or quote that a step asks for. Throws UsageError, as all of these do. */
function parsePairStep(body: JsonObject): PairStep {
  const { receive = false, type = 'float' } = body;
  if (typeof receive !== 'boolean') throw new UsageError('"receive" must be true or false.');
  if (type !== 'fixed' && type !== 'float') throw new UsageError('"type" must be fixed or float.');
  const [from, to] = [textIn(body, 'from'), textIn(body, 'to')];
  return { from, to, receive, type, amount: scalarIn(body, 'amount') };
}

function verbIn(body: JsonObject): MoveVerb {
  const verb = MOVES.find((each) => each === body['verb']);
  if (verb !== undefined) return verb;
  throw new UsageError(`"verb" must be one of ${MOVES.join(', ')}.`);
}

function textIn(body: JsonObject, key: string): string {
  const value = body[key];
  if (typeof value === 'string') return value;
  throw new UsageError(`"${key}" must be a string.`);
}

/** A text; null if there is none. */
function textOr(body: JsonObject, key: string): string | null {
  return body[key] === undefined || body[key] === null ? null : textIn(body, key);
}

/** A text, or a number digit for digit; one of them is required. */
function scalarIn(body: JsonObject, key: string): string {
  const value = body[key];
  if (value !== undefined && isJsonNumber(value)) return value.value;
  return textIn(body, key);
}

/** An amount digit for digit; undefined if there is none. */
function amountOr(body: JsonObject, key: string): Decimal | undefined {
  return body[key] === undefined ? undefined : scalarIn(body, key);
}

/** A swap or a quote as a step asks for it. */
export interface PairStep {
  readonly from: string;
  readonly to: string;
  readonly amount: Decimal;
  /** The amount is the one to receive. */
  readonly receive: boolean;
  readonly type: 'fixed' | 'float';
}

export interface CreateStep extends PairStep {
  /** Null for one that is made for the sandbox. */
  readonly address: string | null;
  readonly memo: string | null;
  readonly refundAddress: string | null;
  readonly minReceive: Decimal | null;
}

interface ScenarioRequest {
  readonly endpoint: string;
  readonly method: string | null;
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON; null for none. */
  readonly body: string | null;
}

/** What the steps act on. All results are values that can be written as JSON. */
export interface ScenarioService {
  quote(asked: PairStep): Promise<unknown>;
  create(asked: CreateStep): Promise<unknown>;
  /** The status and the body of the answer, the body as JSON where it is some. */
  request(asked: ScenarioRequest): Promise<{ readonly status: number; readonly body: JsonValue }>;
  refund(order: string, address: string): Promise<unknown>;
  /** The swap as its client sees it. */
  swap(order: string): Promise<unknown>;
  deposit(order: string, amount: Decimal | undefined): Promise<unknown>;
  move(order: string, verb: MoveVerb): Promise<unknown>;
  advance(milliseconds: number): Promise<void>;
  fault(rule: FaultRule): Promise<unknown>;
  clearFaults(): Promise<unknown>;
  /** Time of the service, in milliseconds since 1970. */
  now(): Promise<number>;
  /** A step's description of an error, the same in each run. */
  words(error: SwapctlError): string;
  /** Whether an error is not a result of the scenario, but ends the run. */
  isFatal(error: SwapctlError): boolean;
}
