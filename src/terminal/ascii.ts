import type { Visible } from '../text.ts';
import { drawn } from '../text.ts';

/** What our own texts hold beyond ASCII, and what stands for it. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  ...{
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
  },
  ...{ '“': '"', '”': '"', '„': '"', '‘': "'", '’': "'", '–': '-', '—': '-', '●': '*', '○': 'o', '✔': '*' },
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
