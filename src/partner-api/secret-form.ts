/** What a pasted key or secret often brings along, in words that stand behind "it has". */
const ODDITIES: readonly (readonly [RegExp, string])[] = [
  [/^\uFEFF|\uFEFF$/, 'a byte order mark at its end'],
  [/^\s*(["'`]).*\1\s*$|^\s*[“”‘’«»„].*[“”‘’«»]\s*$/su, 'quotes round it'],
  [/^[^\S\uFEFF]|[^\S\uFEFF]$/, 'white space at an end'],
  [/\S\s+\S/, 'white space inside'],
  [/[\u200B-\u200F\u202A-\u202E\u2060-\u2069]|(?!^)\uFEFF(?!$)/, 'characters that cannot be seen'],
];

/** What is odd about a key or secret as it was given, for people; empty where nothing is. It repeats no character of it. */
export function pastedOddities(text: string): readonly string[] {
  return ODDITIES.filter(([pattern]) => pattern.test(text)).map(([, words]) => words);
}

/** A sentence on what is odd about the secret that the service does not take; empty where nothing is. */
export function oddSecretHint(secret: string): string {
  const odd = pastedOddities(secret);
  if (odd.length === 0) return '';
  return `The secret has ${odd.join(' and ')}: store or set it again without, unless that is part of it.`;
}
