import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { ENDPOINTS, type EndpointName, endpointPath } from '../../core/partner-api/endpoints.ts';
import { refuseDeepNesting } from '../../core/partner-api/json.ts';

/** Deviations that are reported for one answer; a very different service would fill the screen. */
const MAX_DEVIATIONS_REPORTED = 20;

/** One thing in an answer that the OpenAPI document does not know. */
export interface Deviation {
  readonly kind:
    | 'unknown-status'
    | 'not-json'
    | 'unknown-field'
    | 'missing-field'
    | 'wrong-type'
    | 'other-value';
  /** Place in the body, such as `pairs.deposit.address`; empty for the whole answer. */
  readonly path: string;
  readonly words: string;
}

/** Deviations of a response from the document; `text` is null if its body is not text. */
export type AnswerCheck = (
  endpoint: EndpointName,
  status: number,
  text: string | null,
) => readonly Deviation[];

type Json = Readonly<Record<string, unknown>>;
/** A place in the document, as its keys. */
type Steps = readonly string[];

/** Checks answers against an OpenAPI 3.1 document. */
export function answerCheck(document: Json): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: false });
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, readonly Branch[] | null>();
  const branchesOf = (endpoint: EndpointName, status: number) => {
    const key = `${endpoint} ${status}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const pointers = schemasOf(document, endpoint, status);
    const made =
      pointers?.map((steps) => ({
        required: (at(document, [...steps, 'required']) ?? []) as readonly string[],
        validate: ajv.compile({ $ref: `openapi#${pointer(steps)}` }),
      })) ?? null;
    compiled.set(key, made);
    return made;
  };
  return (endpoint, status, text) => {
    const branches = branchesOf(endpoint, status);
    if (branches === null) {
      const words = `the status ${status} is not in the document`;
      return [{ kind: 'unknown-status', path: '', words }];
    }
    const body = parsed(text);
    if (body === undefined) return [{ kind: 'not-json', path: '', words: 'the body is not JSON' }];
    return nearest(branches, body);
  };
}

/** One of the schemas that an answer may have, with the members that distinguish it from the others. */
interface Branch {
  readonly required: readonly string[];
  readonly validate: ValidateFunction;
}

/** Deviations from the schema whose required members are there; of several such, from the one that fits best. */
function nearest(branches: readonly Branch[], body: unknown): readonly Deviation[] {
  const isObject = typeof body === 'object' && body !== null;
  const found = branches.map(({ required, validate }) => ({
    absent: required.filter((name) => !(isObject && Object.hasOwn(body, name))).length,
    deviations: validate(body) ? [] : deviationsOf(validate.errors ?? []),
  }));
  const [best] = found.toSorted((a, b) => a.absent - b.absent || a.deviations.length - b.deviations.length);
  return best?.deviations ?? [];
}

function parsed(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    refuseDeepNesting(text);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Places of the schemas of an answer, one of which it has to fit; null for a status that the document lacks. */
function schemasOf(document: Json, endpoint: EndpointName, status: number): readonly Steps[] | null {
  const method = ENDPOINTS[endpoint].method.toLowerCase();
  const steps = ['paths', endpointPath(endpoint), method, 'responses', String(status)];
  if (at(document, steps) === undefined) return null;
  const own = [...steps, 'content', 'application/json', 'schema'];
  return branches(document, own);
}

function branches(document: Json, steps: Steps): readonly Steps[] {
  const schema = at(document, steps) as Json | undefined;
  const target = schema?.['$ref'];
  if (typeof target === 'string') return branches(document, target.slice('#/'.length).split('/'));
  const choices = schema?.['oneOf'];
  if (Array.isArray(choices))
    return choices.flatMap((_, index) => branches(document, [...steps, 'oneOf', String(index)]));
  return [steps];
}

function at(document: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Json)[step] : undefined),
    document,
  );
}

function pointer(steps: Steps): string {
  return steps
    .map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}

/** One deviation for each place; the items of a list are one place. */
function deviationsOf(errors: readonly ErrorObject[]): readonly Deviation[] {
  const reported = new Map<string, Deviation>();
  for (const error of errors) {
    const deviation = deviationOf(error);
    const key = `${deviation.kind} ${deviation.path}`;
    if (!reported.has(key) && reported.size < MAX_DEVIATIONS_REPORTED) reported.set(key, deviation);
  }
  return [...reported.values()];
}

function deviationOf({ keyword, instancePath, params, message = 'is another' }: ErrorObject): Deviation {
  const path = pathOf(instancePath);
  const below = (name: unknown) => (path === '' ? String(name) : `${path}.${String(name)}`);
  if (keyword === 'additionalProperties') {
    const unknown = below(params['additionalProperty']);
    return { kind: 'unknown-field', path: unknown, words: `${unknown} is not in the document` };
  }
  if (keyword === 'required') {
    const missing = below(params['missingProperty']);
    return { kind: 'missing-field', path: missing, words: `${missing} is missing` };
  }
  const name = path === '' ? 'the body' : path;
  if (keyword === 'type')
    return { kind: 'wrong-type', path, words: `${name} is not of type ${String(params['type'])}` };
  return { kind: 'other-value', path, words: `${name} ${message}` };
}

/** `/depositCoins/3/subName` as `depositCoins[].subName`. */
function pathOf(instancePath: string): string {
  const steps = instancePath.split('/').slice(1);
  return steps.reduce((path, raw) => {
    const step = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^[0-9]+$/.test(step)) return `${path}[]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}
