/** So many words of a list are told; the others are counted. */
export const MAX_TOLD = 20;

/** The first words of a list with a separator between them, and how many more there are: `a, b and 3 more`. */
export function someOf(words: readonly string[], separator = ', ', most: number = MAX_TOLD): string {
  const told = words.slice(0, most).join(separator);
  return words.length <= most ? told : `${told} and ${words.length - most} more`;
}
