import { drawn, type Visible, visibleLines } from '../text.ts';

/** Text from outside for a terminal: its lines are kept, and its hidden characters shown. */
export function visibleForTerminal(text: string): Visible {
  return visibleLines(text);
}

/** Text from outside for a pipe or a file, where no terminal reads it and no byte of it may change. */
export function unchanged(text: string): Visible {
  return drawn(text);
}

/** Characters beyond ASCII in our own texts, and their substitutes. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '…': '...',
  '·': '-',
  '•': '*',
  '→': '->',
  '↑': '^',
  '↓': 'v',
  '−': '-',
  '×': 'x',
  '✗': 'x',
  '✓': '*',
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
  '●': '*',
  '○': 'o',
  '✔': '*',
};

/**
 * A visible text in ASCII, for a terminal that has nothing else: our own signs by others, any other character written
 * out as the gate does it, so that no address or memo is shown as something that it is not.
 */
export function asciiOf(text: Visible): Visible {
  return drawn(
    text.replace(
      /[^\0-\x7f]/gu,
      (character) =>
        SUBSTITUTES[character] ??
        `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    ),
  );
}
