import { joined, linesOf, shown, type Visible, visible, visibleLines } from '../../base/text.ts';
import { wrapWords } from './width.ts';

const WIDEST = 100;
const MIN_TEXT = 20;
const GAP = 2;

/** A part of a help text: a paragraph, or terms with their meanings. */
export type HelpPart = string | { readonly terms: Readonly<Record<string, string>> };

/** Parts laid out for a width of columns, an empty line between two of them. */
export function renderHelpText(parts: readonly HelpPart[], width: number): Visible {
  const columns = Math.min(width, WIDEST);
  return visibleLines(`${parts.map((part) => renderPart(part, columns)).join('\n\n')}\n`);
}

function renderPart(part: HelpPart, width: number): string {
  if (typeof part === 'string') return wrapWords(visible(part), width).join('\n');
  const terms = Object.entries(part.terms);
  const longest = Math.max(...terms.map(([name]) => name.length));
  const indent = Math.min(longest, Math.floor(width / 3)) + GAP;
  return terms.map(([term, meaning]) => renderTerm(term, meaning, indent, width)).join('\n');
}

/** The meaning next to its term, or below it if the term is too long or the terminal too narrow. */
function renderTerm(term: string, meaning: string, indent: number, width: number): string {
  const lines = wrapWords(visible(meaning), Math.max(MIN_TEXT, width - indent));
  const [first = '', ...rest] = lines;
  const spaces = ' '.repeat(indent);
  const head =
    term.length + GAP <= indent
      ? `${term.padEnd(indent)}${first}`
      : `${wrapWords(visible(term), width).join('\n')}\n${spaces}${first}`;
  return [head, ...rest.map((line) => spaces + line)].join('\n');
}

/**
 * The help of a command, with every line that is too long wrapped: a paragraph at the margin, the meaning of a term below
 * where it starts. An example stays on one line, so that it can be copied.
 */
export function wrapHelp(text: string, width: number): Visible {
  return joined(
    linesOf(visibleLines(text)).flatMap((line) => wrapHelpLine(line, width)),
    shown`\n`,
  );
}

function wrapHelpLine(line: Visible, width: number): readonly Visible[] {
  if (line.length <= width || EXAMPLE.test(line)) return [line];
  const head = TERM.exec(line)?.[0] ?? '';
  const [first = shown``, ...rest] = wrapWords(
    visible(line.slice(head.length)),
    Math.max(MIN_TEXT, width - head.length),
  );
  return [
    shown`${visible(head)}${first}`,
    ...rest.map((each) => shown`${visible(' '.repeat(head.length))}${each}`),
  ];
}

const EXAMPLE = /^ +\$ /;
/** A term with the spaces before its meaning. */
const TERM = /^ +\S.*? {2,}/;
