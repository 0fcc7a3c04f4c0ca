/**
 * Tokens of a text for a language model, rather too many than too few: a word of up to eight letters is one, as are three
 * digits and two signs, where the usual vocabularies have longer words and join more signs.
 */
export function tokensOf(text: string): number {
  return (text.match(/ ?[A-Za-z]{1,8}|[0-9]{1,3}|[^A-Za-z0-9\s]{1,2}|\s+/g) ?? []).length;
}
