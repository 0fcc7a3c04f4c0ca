/** How a value becomes JSON text, with an indent of some blanks. */
type WriteJson = (value: unknown, indent: number) => string;

/**
 * JSON text in pieces, for results that may not fit into memory. In the objects of `value`, an async iterable of pages
 * becomes one array, and a function is called when its turn comes.
 */
export async function* jsonPieces(
  value: unknown,
  { write = (part, indent) => JSON.stringify(part, null, indent), indent = 0 }: JsonOptions = {},
  depth = 0,
): AsyncGenerator<string> {
  const line = (level: number) => (indent === 0 ? '' : `\n${' '.repeat(level * indent)}`);
  const text = (part: unknown, level: number) => write(part, indent).replaceAll('\n', line(level));
  if (isPages(value)) {
    let separator = '[';
    for await (const page of value) {
      yield page
        .map((item, index) => `${index === 0 ? separator : ','}${line(depth + 1)}${text(item, depth + 1)}`)
        .join('');
      if (page.length > 0) separator = ',';
    }
    yield separator === '[' ? '[]' : `${line(depth)}]`;
  } else if (typeof value === 'function') yield text(value(), depth);
  else if (isObject(value)) {
    let separator = '{';
    for (const [key, part] of Object.entries(value)) {
      yield `${separator}${line(depth + 1)}${JSON.stringify(key)}:${indent === 0 ? '' : ' '}`;
      yield* jsonPieces(part, { write, indent }, depth + 1);
      separator = ',';
    }
    yield separator === '{' ? '{}' : `${line(depth)}}`;
  } else yield text(value, depth);
}

interface JsonOptions {
  readonly write?: WriteJson;
  readonly indent?: number;
}

function isPages(value: unknown): value is AsyncIterable<readonly unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
