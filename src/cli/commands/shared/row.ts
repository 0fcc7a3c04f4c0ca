import { UsageError } from '../../../base/errors.ts';
import { didYouMean } from '../../../base/suggest.ts';
import { echoed, someOf } from '../../../base/text.ts';
import { isJsonNumber, isJsonObject, type JsonValue } from '../../../core/partner-api/json.ts';
import { LABEL_KEY, WRONG_LABEL_KEY } from '../../../core/swap/labels.ts';
import type { RateType } from '../../../core/swap/swap.ts';

/** The parts of a swap that a row or an object asks for, labels aside: keys of an object, and columns as {@link csvName}. */
export const ROW_PARTS = [
  'from',
  'to',
  'amount',
  'address',
  'memo',
  'receive',
  'type',
  'minReceive',
  'refundAddress',
  'key',
] as const;

/** A part of a row that has a column of its own. */
export type RowPart = (typeof ROW_PARTS)[number];

/** The name of a part's column in a CSV file. */
export function csvName(part: RowPart): string {
  return part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Reads the object of one swap: a line of `batch`, or the input of `create`. */
export function readObject(value: { readonly [key: string]: JsonValue }) {
  const parts = new Map<RowPart, string>();
  const labels = new Map<string, string>();
  const problems: { column: string; error: UsageError }[] = [];
  const refuse = (column: string, error: UsageError) => problems.push({ column, error });
  for (const [name, item] of Object.entries(value)) {
    if (item === null) continue;
    const part = ROW_PARTS.find((each) => each === name);
    if (name === 'labels') readLabels(item, labels, refuse);
    else if (part === undefined) refuse(echoed(name), unknownKey(name));
    else {
      const cell = textOf(item, part === 'receive');
      if (cell === null)
        refuse(name, new UsageError(`${name} must be ${part === 'receive' ? 'true or false' : 'a string'}.`));
      else if (cell.trim() !== '') parts.set(part, cell.trim());
    }
  }
  return { parts, labels, problems };
}

function unknownKey(name: string): UsageError {
  const known = [...ROW_PARTS, 'labels'];
  const hint = didYouMean(known, name, `The keys are ${someOf(known)}.`);
  return new UsageError(`Unknown key ${echoed(name)}.`, hint);
}

/** A text, or a number with the digits that were written; null for anything else. */
function textOf(item: JsonValue, mayBeBoolean: boolean): string | null {
  if (typeof item === 'string') return item;
  if (isJsonNumber(item)) return item.value;
  return mayBeBoolean && typeof item === 'boolean' ? String(item) : null;
}

function readLabels(
  item: JsonValue,
  labels: Map<string, string>,
  refuse: (column: string, error: UsageError) => void,
): void {
  if (!isJsonObject(item)) {
    refuse('labels', new UsageError('labels must be an object with string values.'));
    return;
  }
  for (const [key, value] of Object.entries(item)) {
    const text = textOf(value, false);
    if (text === null) refuse('labels', new UsageError('A label must be a string.'));
    else if (!LABEL_KEY.test(key)) refuse('labels', new UsageError(`Invalid label: ${WRONG_LABEL_KEY}.`));
    else if (text.trim() !== '') labels.set(key, text.trim());
  }
}

/** Reads whether the amount is the one to receive: true, yes, y or 1, or their opposites. Throws a usage error. */
export function receiveCell(text: string): boolean {
  if (/^(true|yes|y|1)$/i.test(text)) return true;
  if (/^(false|no|n|0)$/i.test(text)) return false;
  throw new UsageError('Expected true or false.', 'Use true if the amount is what you want to receive.');
}

export function typeCell(text: string): RateType {
  const word = text.toLowerCase();
  if (word === 'fixed' || word === 'float') return word;
  throw new UsageError('Unknown rate type.', 'Use fixed or float, or leave it empty for the default.');
}
