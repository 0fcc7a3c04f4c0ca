/** Only the letters of a text, in lower case and without accents or other marks (NFKD), for comparing words. */
export function lettersOf(text: string): string {
  return text.normalize('NFKD').toLowerCase().replace(/\P{L}/gu, '');
}

/** The words of a text in the form of {@link lettersOf}, separated by anything: spaces, numbers, commas. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/\P{L}+/u)
    .filter((word) => word !== '');
}
