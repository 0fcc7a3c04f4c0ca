/**
 * Words of a line of bash up to the cursor, the last one as it is written; null where it cannot be told. Nothing is
 * expanded.
 */
export function splitLine(line: string): readonly string[] | null {
  const words: string[] = [];
  const pattern = /\s+|(?:[^\s'"\\]+|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gsy;
  let [end, last] = [0, ''];
  for (const match of line.matchAll(pattern)) {
    last = match[0];
    end = match.index + last.length;
    if (!/^\s/.test(last)) words.push(last);
  }
  // A quote that is still open.
  if (end < line.length) return null;
  const current = /^\s/.test(last) ? '' : (words.pop() ?? '');
  // Variables that are set for the program alone.
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  return [...words.slice(Math.max(0, start)).map(unquoted), current];
}

function unquoted(word: string): string {
  return word.replace(
    /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? '').replace(/\\(.)/gs, '$1'),
  );
}
