/** Common mistakes in a pasted key or secret, each as an object of "it has". */
const ODDITIES: readonly (readonly [RegExp, string])[] = [
  [/^\uFEFF|\uFEFF$/, 'a byte order mark at one end'],
  [/^\s*(["'`]).*\1\s*$|^\s*[“”‘’«»„].*[“”‘’«»]\s*$/su, 'quotes around it'],
  [/^[^\S\uFEFF]|[^\S\uFEFF]$/, 'leading or trailing whitespace'],
  [/\S\s+\S/, 'whitespace inside'],
  [/[\u200B-\u200F\u202A-\u202E\u2060-\u2069]|(?!^)\uFEFF(?!$)/, 'invisible characters'],
];

/** What looks wrong with a key or secret as given, for people; no message repeats any of it. */
export function pastedOddities(text: string): readonly string[] {
  return ODDITIES.filter(([pattern]) => pattern.test(text)).map(([, words]) => words);
}

/** A sentence on what looks wrong with a secret that the service refused; empty if nothing does. */
export function oddSecretHint(secret: string): string {
  const odd = pastedOddities(secret);
  if (odd.length === 0) return '';
  return `The secret has ${odd.join(' and ')}: set it again without that, unless it is part of the secret.`;
}
