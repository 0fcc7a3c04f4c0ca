/** A JSON value with the line on which it begins; numbers keep their digits. */
export type JsonNode = { readonly line: number } & (
  | { readonly type: 'object'; readonly fields: readonly JsonField[] }
  | { readonly type: 'array'; readonly items: readonly JsonNode[] }
  | { readonly type: 'text' | 'number'; readonly text: string }
  | { readonly type: 'true' | 'false' | 'null' }
);

export interface JsonField {
  readonly key: string;
  readonly line: number;
  readonly value: JsonNode;
}

/** A problem of a JSON text, and its line. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Maximum nesting: more than any policy has. */
const MAX_DEPTH = 32;

const TOKEN =
  /([ \t\r\n]*)(?:([{}[\]:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(true|false|null))/y;

/** Reads JSON strictly, with lines; a key given twice is refused, as readers differ. Throws {@link JsonSyntaxError}. */
export function readJson(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.value(0);
  reader.end();
  return node;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #next: RegExpExecArray | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonNode {
    const [, , sign, string, number, word] = this.#take();
    const line = this.#line;
    if (depth > MAX_DEPTH) throw this.#error('This is nested too deeply.');
    if (string !== undefined) return { type: 'text', text: this.#string(string), line };
    if (number !== undefined) return { type: 'number', text: number, line };
    if (word !== undefined) return { type: word as 'true' | 'false' | 'null', line };
    if (sign === '{') return { type: 'object', fields: this.#fields(depth), line };
    if (sign === '[') return { type: 'array', items: this.#items(depth), line };
    throw this.#error(`A value is missing before ${sign}.`);
  }

  end(): void {
    if (/[^ \t\r\n]/.test(this.#text.slice(this.#at))) throw this.#error('There is text after the end.');
  }

  #fields(depth: number): JsonField[] {
    const fields: JsonField[] = [];
    if (this.#skip('}')) return fields;
    do {
      const [, , , string] = this.#take();
      if (string === undefined) throw this.#error('A key in double quotes is missing.');
      const [key, line] = [this.#string(string), this.#line];
      if (fields.some((field) => field.key === key)) throw this.#error(`The key ${string} occurs twice.`);
      this.#expect(':');
      fields.push({ key, line, value: this.value(depth + 1) });
    } while (this.#skip(','));
    this.#expect('}');
    return fields;
  }

  #items(depth: number): JsonNode[] {
    const items: JsonNode[] = [];
    if (this.#skip(']')) return items;
    do items.push(this.value(depth + 1));
    while (this.#skip(','));
    this.#expect(']');
    return items;
  }

  #string(quoted: string): string {
    const text: unknown = JSON.parse(quoted);
    if (typeof text !== 'string' || /\p{Cs}/u.test(text))
      throw this.#error('This text is not valid Unicode.');
    return text;
  }

  #expect(sign: string): void {
    if (this.#take()[2] !== sign) throw this.#error(`A ${sign} is missing here.`);
  }

  #skip(sign: string): boolean {
    if (this.#peek()?.[2] !== sign) return false;
    this.#take();
    return true;
  }

  #peek(): RegExpExecArray | null {
    TOKEN.lastIndex = this.#at;
    this.#next ??= TOKEN.exec(this.#text);
    return this.#next;
  }

  #take(): RegExpExecArray {
    const token = this.#peek();
    const whitespace = token?.[1] ?? /^[ \t\r\n]*/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#line += whitespace.split('\n').length - 1;
    if (token === null) {
      const isEnd = this.#at + whitespace.length === this.#text.length;
      throw this.#error(isEnd ? 'The text ends too early.' : 'This is not JSON.');
    }
    this.#at += token[0].length;
    this.#next = null;
    return token;
  }

  #error(message: string): JsonSyntaxError {
    return new JsonSyntaxError(this.#line, message);
  }
}
