import { eastAsianWidth } from 'get-east-asian-width';
import { drawn, joined, linesOf, shown, type Visible, visible } from '../../base/text.ts';

const ASCII = /^[\x20-\x7e]*$/;
const COMBINING = /\p{M}/u;

/**
 * Columns that a text takes on a terminal: two for a wide character, none for a combining one. Joiners and
 * variation selectors never occur here, since `visible` writes them out.
 */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (!COMBINING.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  }
  return width;
}

/** The text padded with spaces after or before it, up to a number of columns. */
export function padded(text: Visible, width: number, align: 'left' | 'right' = 'left'): Visible {
  const gap = spaces(width - displayWidth(text));
  return align === 'right' ? shown`${gap}${text}` : shown`${text}${gap}`;
}

/** A number of spaces; none if it is negative. */
export function spaces(count: number): Visible {
  return visible(' '.repeat(Math.max(0, count)));
}

/** Each line of a text with the same indent and a line break. */
export function indented(text: Visible, indent: Visible): Visible {
  return joined(linesOf(text).map((line) => shown`${indent}${line}\n`));
}

/** Columns of the longest word, which is never broken. */
export function longestWord(text: string): number {
  return text.split(' ').reduce((longest, word) => Math.max(longest, displayWidth(word)), 0);
}

/**
 * Lines of at most `width` columns, broken at spaces; a word that is longer stays whole on a separate line, and
 * so does `code` in backticks where it fits. Line breaks in the text stay.
 */
export function wrapWords(text: Visible, width: number): Visible[] {
  return linesOf(text).flatMap((line) => wrapLine(line, width).map(drawn));
}

/** A sentence after a space, broken at spaces, each line painted. */
export function sentence(text: string, paint: (line: Visible) => Visible, width: number): Visible {
  return joined(wrapWords(visible(text), width - 1).map((line) => shown` ${paint(line)}\n`));
}

function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const lines: string[] = [];
  const indent = /^ */.exec(line)?.[0] ?? '';
  let current = indent;
  for (const word of unbreakable(line.slice(indent.length), width)) {
    const longer = current.trim() === '' ? current + word : `${current} ${word}`;
    if (displayWidth(longer) > width && current.trim() !== '') {
      lines.push(current);
      current = indent + word;
    } else current = longer;
  }
  return [...lines, current];
}

/** Words, and whole commands in backticks unless they are longer than a line. */
function unbreakable(text: string, width: number): string[] {
  const pieces = text.match(/[^\s`]*`[^`]*`[^\s`]*|\S+/g) ?? [];
  return pieces.flatMap((piece) => (displayWidth(piece) <= width ? [piece] : piece.split(/\s+/)));
}
