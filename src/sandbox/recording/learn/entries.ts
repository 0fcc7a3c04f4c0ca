/** Longest entry that is read, in characters; a longer one is passed over. */
const MAX_ENTRY = 48 * 1024 * 1024;

/** How the reading of a HAR file ended. */
export interface HarEnd {
  /** Whether there was a list `log.entries` at all. */
  hasEntries: boolean;
  /** Whether the file ends where its JSON does. */
  isWhole: boolean;
  /** Entries that were too long to be read. */
  tooLong: number;
}

/**
 * Yields the text of each entry of a HAR file, one after the other: of a file of any size, only one entry is in memory.
 * `end` tells how it ended.
 */
export async function* harEntries(
  chunks: AsyncIterable<Uint8Array>,
  end: HarEnd = { hasEntries: false, isWhole: false, tooLong: 0 },
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const scanner = new EntryScanner(end);
  for await (const chunk of chunks) yield* scanner.scan(decoder.decode(chunk, { stream: true }));
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Depth inside of `{ "log": { "entries": [`. */
const ENTRIES_DEPTH = 3;

/** Cuts entries out of the text of a HAR file, whose other parts are passed over. */
class EntryScanner {
  readonly #end: HarEnd;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last string outside of the entries: a key, once a colon follows. */
  #word = '';
  /** Keys of the objects that are open outside of the entries. */
  readonly #keys: string[] = [];
  #inEntries = false;
  #entry = '';
  #isTooLong = false;

  constructor(end: HarEnd) {
    this.#end = end;
  }

  *scan(text: string): Generator<string> {
    let start = this.#inEntries && this.#depth > ENTRIES_DEPTH ? 0 : -1;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (this.#inString) this.#readString(code, text[index] ?? '');
      else if (code === QUOTE) [this.#inString, this.#word] = [true, ''];
      else if (code === COLON && !this.#inEntries) this.#keys[this.#depth] = this.#word;
      else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        if (this.#inEntries && this.#depth === ENTRIES_DEPTH) start = index;
        this.#open(code);
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        this.#depth -= 1;
        if (this.#inEntries && this.#depth === ENTRIES_DEPTH && start >= 0) {
          const entry = this.#take(text.slice(start, index + 1));
          start = -1;
          if (entry !== null) yield entry;
        } else if (this.#depth < ENTRIES_DEPTH) this.#inEntries = false;
        if (this.#depth === 0) this.#end.isWhole = true;
      }
    }
    if (start >= 0) this.#add(text.slice(start));
  }

  #readString(code: number, character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) this.#inString = false;
    else if (!this.#inEntries && this.#word.length < 16) this.#word += character;
  }

  #open(code: number): void {
    this.#depth += 1;
    const isEntries = code === OPEN_LIST && this.#keys[1] === 'log' && this.#keys[2] === 'entries';
    if (this.#depth !== ENTRIES_DEPTH || !isEntries) return;
    this.#inEntries = true;
    this.#end.hasEntries = true;
  }

  #add(part: string): void {
    if (this.#entry.length + part.length > MAX_ENTRY) this.#isTooLong = true;
    this.#entry = this.#isTooLong ? '' : this.#entry + part;
  }

  #take(last: string): string | null {
    this.#add(last);
    const [entry, isTooLong] = [this.#entry, this.#isTooLong];
    this.#entry = '';
    this.#isTooLong = false;
    if (isTooLong) this.#end.tooLong += 1;
    return isTooLong ? null : entry;
  }
}
