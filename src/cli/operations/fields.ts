import { UsageError } from '../../base/errors.ts';
import { nearestWords } from '../../base/suggest.ts';
import { echoed } from '../../base/text.ts';

/** The keywords of JSON Schema that lead to the keys of objects. */
interface Shape {
  readonly $defs?: Readonly<Record<string, Shape>>;
  readonly $ref?: string;
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Throws a usage error unless the JSON of a command, of which this is the schema, has each of these keys, such as `order` or `deposit.address`. */
export function checkFields(schema: Shape | null, path: string, fields: readonly string[]): void {
  if (schema === null)
    throw new UsageError(
      `--fields works with commands that print JSON with fixed keys${path === '' ? '' : `, not with ${path}`}.`,
    );
  for (const field of fields) if (!hasKey(schema, field)) throw unknownField(schema, path, field);
}

/** The keys of a schema, each before those within it; none without a schema. */
export function fieldNames(schema: Shape | null): readonly string[] {
  return schema === null ? [] : [...new Set(namesIn(schema, schema.$defs))];
}

function unknownField(schema: Shape, path: string, field: string): UsageError {
  const names = fieldNames(schema);
  const word = field.split('.').at(-1)?.toLowerCase();
  const sameLeafNames = names.filter((name) => name.split('.').at(-1)?.toLowerCase() === word);
  const near = sameLeafNames.length > 0 ? sameLeafNames.slice(0, 3) : nearestWords(names, field);
  const top = names.filter((name) => !name.includes('.'));
  return new UsageError(
    `Unknown field ${echoed(field)} of ${path}.`,
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Fields: ${top.join(', ')}.`,
  );
}

function hasKey(schema: Shape, field: string): boolean {
  let shapes: readonly Shape[] = [schema];
  for (const key of field.split('.'))
    shapes = shapes
      .flatMap((shape) => [...objectsIn(shape, schema.$defs)])
      .flatMap((shape) => valueAt(shape, key));
  return shapes.length > 0;
}

/** What an object may have under a key. */
function valueAt(shape: Shape, key: string): readonly Shape[] {
  const { properties = {}, additionalProperties } = shape;
  const known = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
  if (known !== undefined) return [known];
  return isOpen(shape) ? [{}] : [];
}

/** Whether nothing is said about the keys of an object. */
function isOpen({ type, properties, $ref, anyOf, allOf, ...shape }: Shape): boolean {
  const keywords = [properties, $ref, anyOf, allOf, shape.enum, shape.const];
  return keywords.every((each) => each === undefined) && (type === undefined || type.includes('object'));
}

function* namesIn(schema: Shape, defs: Shape['$defs'], before = ''): Generator<string> {
  for (const { properties = {} } of objectsIn(schema, defs))
    for (const [key, value] of Object.entries(properties)) {
      yield `${before}${key}`;
      yield* namesIn(value, defs, `${before}${key}.`);
    }
}

/** The single values that a schema describes: itself, or what it refers to, its alternatives, the items of its list. */
function* objectsIn(schema: Shape, defs: Shape['$defs'] = {}): Generator<Shape> {
  const { $ref, anyOf = [], allOf = [], items } = schema;
  const target = defs[$ref?.split('/').at(-1) ?? ''];
  for (const part of [target, ...anyOf, ...allOf, items])
    if (part !== undefined) yield* objectsIn(part, defs);
  if (items === undefined) yield schema;
}
