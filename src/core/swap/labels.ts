import { hasHiddenCharacters } from '../../base/text.ts';

/** Labels that a person gave a swap, by key; they stay in the ledger and are never sent. */
export type Labels = Readonly<Record<string, string>>;

const MAX_VALUE_LENGTH = 256;

export type LabelVerdict =
  | { readonly ok: true; readonly key: string; readonly value: string }
  | { readonly ok: false; readonly reason: string };

export const LABEL_KEY = /^[A-Za-z0-9_.-]{1,64}$/;
/** What is wrong with a key that {@link LABEL_KEY} does not match. */
export const WRONG_LABEL_KEY = 'its key is not 1 to 64 letters, digits, dots, hyphens and underscores';

/** Checks a label as typed, `key=value`; the reason names no value, which may be a secret. */
export function checkLabel(text: string): LabelVerdict {
  const equals = text.indexOf('=');
  if (equals < 0) return refused('it is not key=value');
  const [key, value] = [text.slice(0, equals), text.slice(equals + 1)];
  if (!LABEL_KEY.test(key)) return refused(WRONG_LABEL_KEY);
  if ([...value].length > MAX_VALUE_LENGTH)
    return refused(`its value is longer than ${MAX_VALUE_LENGTH} characters`);
  if (hasHiddenCharacters(value)) return refused('its value contains an unprintable character');
  return { ok: true, key, value };
}

function refused(reason: string): LabelVerdict {
  return { ok: false, reason };
}

/** Whether labels mean the same, in any order, composed or not, without outer spaces and empty values. */
export function sameLabels(a: Labels, b: Labels): boolean {
  return labelsKey(a) === labelsKey(b);
}

function labelsKey(labels: Labels): string {
  const keys = Object.keys(labels).sort();
  const named = keys.map((key) => [key, labelValue(key, labels)]);
  return JSON.stringify(named.filter(([, value]) => value !== null));
}

/** The value of a label as it is compared: letters composed, spaces around it left out; null if nothing is left. */
export function labelValue(key: string, labels: Labels): string | null {
  const value = Object.hasOwn(labels, key) ? (labels[key] ?? '') : '';
  return value.normalize('NFC').trim() || null;
}

/** Labels in a sentence: `the label team=ops`, `the labels …`, `no labels`. */
export function labelsWords(labels: Labels): string {
  const count = Object.keys(labels).length;
  return count === 0 ? 'no labels' : `the ${count === 1 ? 'label' : 'labels'} ${labelsText(labels)}`;
}

/** Labels in one line: `team=ops, invoice=17`; empty if there are none. */
export function labelsText(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

/** Names of the columns that labels have in a table. */
export function labelColumns(keys: readonly string[]): readonly string[] {
  return keys.map((key) => `label.${key}`);
}

/** Values of labels in the order of {@link labelColumns}; empty for a label that is not there. */
export function labelCells(labels: Labels, keys: readonly string[]): readonly string[] {
  return keys.map((key) => (Object.hasOwn(labels, key) ? (labels[key] ?? '') : ''));
}
