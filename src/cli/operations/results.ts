import type { CommandShape, Form, Operation } from './operations.ts';
import { DIALECT, type JsonSchema, listOf, ref } from './schema.ts';
import { COMMON_SHAPES, PARTS } from './shapes.ts';

/** What the commands do, and the JSON Schemas of what they print, from the shapes beside them. */
export class OperationTable {
  /** Every command that can be run, by its path; tests compare the table with the declarations. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The shapes by their names, and the parts that only shapes refer to. */
  readonly shapes: ReadonlyMap<string, JsonSchema>;

  constructor(commands: readonly CommandShape[]) {
    this.operations = new Map(commands.flatMap(({ operations }) => Object.entries(operations)));
    const all = [PARTS, COMMON_SHAPES, ...commands.map(({ shapes }) => shapes)];
    this.shapes = new Map(all.flatMap((shapes) => Object.entries(shapes)));
  }

  /** Name of the JSON that a command usually prints; null for one without a result of a fixed shape. */
  resultName(operation: string): string | null {
    return this.#formsOf(operation)[0]?.shapes[0] ?? null;
  }

  /** The schema of what a command prints with `--json`; where it prints an object per line, of a line. Null as {@link resultName}. */
  resultSchema(operation: string): JsonSchema | null {
    const forms = this.#formsOf(operation);
    return forms.length === 0 ? null : this.selfContained(alternatives(forms.map(formSchema)), operation);
  }

  /** Some keys of a shape in few words, for a reader who pays for each word. What it describes has every key of the shape. */
  outline(name: string, keys: readonly string[]): JsonSchema {
    const properties = this.#propertiesOf(name);
    return {
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, this.#brief(properties[key] ?? {})])),
      required: keys,
    };
  }

  #formsOf(operation: string): readonly Form[] {
    return this.operations.get(operation)?.result ?? [];
  }

  /** The properties of a shape, with those of the shape that it extends. */
  #propertiesOf(name: string): Readonly<Record<string, JsonSchema>> {
    const { properties, allOf = [] } = this.shapeOf(name) as {
      properties: object;
      allOf?: readonly JsonSchema[];
    };
    return Object.assign({}, ...allOf.map(({ $ref }) => this.#propertiesOf(String($ref))), properties);
  }

  /** A schema without its inner keys and patterns. */
  #brief({ type, enum: values, $ref, anyOf }: JsonSchema): JsonSchema {
    if (values !== undefined) return { enum: values };
    // Words of a list are text.
    if (Array.isArray(anyOf))
      return { type: anyOf.map((each: JsonSchema) => this.#brief(each)['type'] ?? 'string') };
    return typeof $ref === 'string' ? this.#brief(this.shapeOf($ref)) : { type };
  }

  /** A schema with the definitions that it refers to; a reference at its top is resolved, so that it says what it is. */
  selfContained(schema: JsonSchema, title: string): JsonSchema {
    const { $ref, ...rest } = schema;
    const top = typeof $ref === 'string' ? { ...rest, ...this.shapeOf($ref) } : schema;
    const names = new Set<string>();
    this.#collect(top, names);
    const $defs = Object.fromEntries([...names].map((name) => [name, this.shapeOf(name)]));
    return { $schema: DIALECT, title, ...top, ...(names.size === 0 ? {} : { $defs }) };
  }

  #collect(value: unknown, names: Set<string>): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (key !== '$ref') this.#collect(part, names);
      else if (!names.has(nameOf(part))) {
        names.add(nameOf(part));
        this.#collect(this.shapeOf(nameOf(part)), names);
      }
    }
  }

  /** A shape as it is declared, by its name or a reference to it. */
  shapeOf(reference: string): JsonSchema {
    const shape = this.shapes.get(nameOf(reference));
    if (shape === undefined) throw new TypeError(`No command declares the shape ${nameOf(reference)}.`);
    return shape;
  }
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

function nameOf(reference: unknown): string {
  return String(reference).split('/').at(-1) ?? '';
}
