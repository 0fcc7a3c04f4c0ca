import { DIALECT, type JsonSchema, listOf, ref } from './schema.ts';
import { BOOK_SHAPES } from './shapes/books.ts';
import { POLICY_SHAPES } from './shapes/policy.ts';
import { PROGRAM_SHAPES } from './shapes/program.ts';
import { SANDBOX_SHAPES } from './shapes/sandbox.ts';
import { SWAP_SHAPES } from './shapes/swaps.ts';

const SHAPES = { ...SWAP_SHAPES, ...BOOK_SHAPES, ...POLICY_SHAPES, ...PROGRAM_SHAPES, ...SANDBOX_SHAPES };

/** Name of the JSON of one thing, as in docs/command-line/output.md#json. */
export type ShapeName = keyof typeof SHAPES;

/** The names of all shapes. */
export const SHAPE_NAMES = Object.keys(SHAPES) as readonly ShapeName[];

/** One of the forms in which a command prints its result: one object, an array of objects, or an object per line. */
interface Form {
  readonly as: 'one' | 'list' | 'lines';
  /** More than one where items differ. */
  readonly shapes: readonly ShapeName[];
}

const one = (...shapes: readonly ShapeName[]): Form => ({ as: 'one', shapes });
const list = (...shapes: readonly ShapeName[]): Form => ({ as: 'list', shapes });
const lines = (...shapes: readonly ShapeName[]): Form => ({ as: 'lines', shapes });

const WATCH = lines('statusLine', 'retryLine', 'endLine');

/** What each command prints with `--json`; its usual form first. */
const RESULTS: Readonly<Record<string, readonly Form[]>> = {
  coins: [list('coin')],
  networks: [one('networks')],
  quote: [one('quote'), list('quote'), lines('quoteLine', 'retryLine')],
  create: [one('create'), one('dryRun'), WATCH],
  status: [one('status'), list('status'), list('attention'), WATCH],
  refund: [one('refund')],
  address: [one('address'), lines('address')],
  history: [list('history')],
  'history show': [one('timeline')],
  'history support': [one('support')],
  'history import': [lines('import')],
  'history resolve': [one('history')],
  batch: [lines('batch'), one('batchReview')],
  report: [one('report')],
  reconcile: [one('reconcile')],
  listen: [lines('event'), one('webhookSecret')],
  'events list': [list('events')],
  'events show': [one('delivered')],
  'events resend': [one('events')],
  'policy set': [one('policySet')],
  'policy show': [one('policy')],
  'policy check': [one('decision')],
  'policy simulate': [one('simulation')],
  'policy stop': [one('stopped')],
  'policy resume': [one('stopped')],
  'policy suspend': [one('suspended')],
  'policy unsuspend': [one('unsuspended')],
  'approvals list': [list('approval')],
  'approvals show': [one('approval')],
  'approvals grant': [one('approval')],
  'approvals refuse': [one('approval')],
  'approvals key': [one('approverKey')],
  'audit list': [list('link')],
  'audit export': [one('exported')],
  'audit verify': [one('verified')],
  'auth login': [one('profile')],
  'auth logout': [one('removed')],
  'auth status': [one('profile')],
  'auth list': [list('profile')],
  'auth switch': [one('switched')],
  'config list': [list('setting')],
  'config get': [one('setting', 'saved')],
  'config set': [one('setting', 'saved')],
  'config unset': [one('setting', 'saved')],
  'config path': [one('place')],
  'sandbox record': [lines('recorded')],
  'sandbox learn': [one('learned')],
  'sandbox deposit': [one('order')],
  'sandbox move': [one('order')],
  'sandbox trigger': [one('swap')],
  'sandbox run': [one('run')],
  'sandbox clock': [one('clock')],
  'sandbox clock advance': [one('clock')],
  'sandbox clock reset': [one('clock')],
  'sandbox fault add': [one('fault')],
  'sandbox fault list': [list('fault')],
  'sandbox fault clear': [one('cleared')],
  'sandbox partner add': [one('partner')],
  'sandbox partner list': [list('partner')],
  'sandbox partner remove': [one('dropped')],
  'sandbox logs': [list('request'), lines('request')],
  'sandbox snapshot save': [one('snapshot')],
  'sandbox snapshot load': [one('snapshot')],
  'sandbox snapshot list': [list('snapshot'), one('dropped')],
  'sandbox snapshot diff': [one('difference')],
  'sandbox orders': [list('order'), lines('order')],
  'sandbox info': [one('info')],
  'sandbox reset': [one('reset')],
  conformance: [list('finding')],
  doctor: [one('doctor')],
  completion: [one('script')],
  version: [one('version')],
  commands: [one('commands')],
  help: [one('topic'), list('statusCode'), list('exitCode')],
};

/** Paths of the commands whose `--json` result has a schema; the others print text, or what a service sent. */
export const OPERATIONS: readonly string[] = Object.keys(RESULTS);

/** Name of the JSON that a command usually prints; null for one without a result of a fixed shape. */
export function resultName(operation: string): ShapeName | null {
  return formsOf(operation)[0]?.shapes[0] ?? null;
}

/** The schema of what a command prints with `--json`; where it prints an object per line, of a line. Null as {@link resultName}. */
export function resultSchema(operation: string): JsonSchema | null {
  const forms = formsOf(operation);
  return forms.length === 0 ? null : selfContained(alternatives(forms.map(formSchema)), operation);
}

/** The schema of one thing by its name. */
export function shapeSchema(name: ShapeName): JsonSchema {
  return selfContained(ref(name), name);
}

/** The schema of the last line of standard error of a command that fails. */
export function errorSchema(): JsonSchema {
  return selfContained({ type: 'object', properties: { error: ref('error') }, required: ['error'] }, 'error');
}

function formsOf(operation: string): readonly Form[] {
  return Object.hasOwn(RESULTS, operation) ? (RESULTS[operation] ?? []) : [];
}

function formSchema({ as, shapes }: Form): JsonSchema {
  const item = alternatives(shapes.map(ref));
  if (as === 'list') return listOf(item);
  return as === 'one' ? item : { description: 'one object per line', ...item };
}

function alternatives(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { anyOf: schemas };
}

/** A schema with the definitions that it refers to; a reference at its top is resolved, so that it says what it is. */
function selfContained(schema: JsonSchema, title: string): JsonSchema {
  const { $ref, ...rest } = schema;
  const top = typeof $ref === 'string' ? { ...rest, ...shapeOf($ref) } : schema;
  const names = new Set<string>();
  collect(top, names);
  const $defs = Object.fromEntries([...names].map((name) => [name, shapeOf(name)]));
  return { $schema: DIALECT, title, ...top, ...(names.size === 0 ? {} : { $defs }) };
}

function collect(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (key !== '$ref') collect(part, names);
    else if (!names.has(nameOf(part))) {
      names.add(nameOf(part));
      collect(shapeOf(nameOf(part)), names);
    }
  }
}

function nameOf(reference: unknown): string {
  return String(reference).split('/').at(-1) ?? '';
}

function shapeOf(reference: string): JsonSchema {
  return SHAPES[nameOf(reference) as ShapeName];
}
