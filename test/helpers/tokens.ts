/**
 * Tokens of a text for a language model, rather too many than too few: a word of up to six letters is one, as are three
 * digits and three signs, where the usual vocabularies have longer words. Compared with three of them: docs/agents.md.
 */
export function tokensOf(text: string): number {
  return (text.match(/ ?[A-Za-z]{1,6}|[0-9]{1,3}|[^A-Za-z0-9\s]{1,3}|\s+/g) ?? []).length;
}
