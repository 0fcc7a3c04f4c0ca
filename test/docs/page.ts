import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of docs, and its parts. */
export interface Page {
  readonly text: string;
  /** The text of a second-level section. Throws RangeError if there is none. */
  section(heading: string): string;
}

/** Reads a page of docs by its file name. */
export function readPage(name: string): Page {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8');
  const sections = new Map(
    text.split(/^## /m).map((part) => [part.slice(0, part.indexOf('\n')), part] as const),
  );
  return {
    text,
    section: (heading) => {
      const found = sections.get(heading);
      if (found === undefined) throw new RangeError(`${name} has no section ${heading}.`);
      return found;
    },
  };
}

/** The words that a text does not contain. */
export function missingWords(words: readonly string[], text: string): string[] {
  return words.filter((word) => !text.includes(word));
}
