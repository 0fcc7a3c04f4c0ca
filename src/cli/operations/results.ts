import { type Form, operationOf, SHAPES, type ShapeName } from './operations.ts';
import { DIALECT, type JsonSchema, listOf, ref } from './schema.ts';
import { PARTS } from './shapes/swaps.ts';

export const SHAPE_NAMES = Object.keys(SHAPES) as readonly ShapeName[];

/** Name of the JSON that a command usually prints; null for one without a result of a fixed shape. */
export function resultName(operation: string): ShapeName | null {
  return formsOf(operation)[0]?.shapes[0] ?? null;
}

/** The schema of what a command prints with `--json`; where it prints an object per line, of a line. Null as {@link resultName}. */
export function resultSchema(operation: string): JsonSchema | null {
  const forms = formsOf(operation);
  return forms.length === 0 ? null : selfContained(alternatives(forms.map(formSchema)), operation);
}

export function shapeSchema(name: ShapeName): JsonSchema {
  return selfContained(ref(name), name);
}

/** Some keys of a shape in few words, for a reader who pays for each word. What it describes has every key of the shape. */
export function outline(name: ShapeName, keys: readonly string[]): JsonSchema {
  const properties = propertiesOf(name);
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, brief(properties[key] ?? {})])),
    required: keys,
  };
}

/** The properties of a shape, with those of the shape that it extends. */
function propertiesOf(name: string): Readonly<Record<string, JsonSchema>> {
  const { properties, allOf = [] } = shapeOf(name) as { properties: object; allOf?: readonly JsonSchema[] };
  return Object.assign({}, ...allOf.map(({ $ref }) => propertiesOf(String($ref))), properties);
}

/** A schema without its inner keys and patterns. */
function brief({ type, enum: values, $ref, anyOf }: JsonSchema): JsonSchema {
  if (values !== undefined) return { enum: values };
  // Words of a list are text.
  if (Array.isArray(anyOf)) return { type: anyOf.map((each: JsonSchema) => brief(each)['type'] ?? 'string') };
  return typeof $ref === 'string' ? brief(shapeOf($ref)) : { type };
}

/** The schema of the last line of standard error of a command that fails. */
export function errorSchema(): JsonSchema {
  return selfContained({ type: 'object', properties: { error: ref('error') }, required: ['error'] }, 'error');
}

function formsOf(operation: string): readonly Form[] {
  return operationOf(operation)?.result ?? [];
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
  const name = nameOf(reference);
  return PARTS[name] ?? SHAPES[name as ShapeName];
}
