/** The values of lines of JSON. */
export const jsonLines = <T = Record<string, unknown>>(text: string): T[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
