import type { AgreedTerms } from '../swap/agreement/agreed.ts';
import type { Decimal } from '../swap/amount.ts';
import type { Changes } from '../swap/changes.ts';
import type { Labels } from '../swap/labels.ts';
import type { Swap, SwapRequest } from '../swap/swap.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Parses the request in a column; undefined where the text is not what swapctl writes. */
export function readIntent(text: string): CreateIntent | null | undefined {
  const value = parsed(text);
  if (value === null) return null;
  const isIntent = hasSides(value) && isText(value['amount']) && isText(value['address']);
  return isIntent ? (value as unknown as CreateIntent) : undefined;
}

/** Parses the snapshot in a column; undefined where the text is not what swapctl writes. */
export function readSnapshot(text: string | null): Swap | null | undefined {
  if (text === null) return null;
  const value = parsed(text);
  const isSwap = hasSides(value) && isText(value['order']) && isText(value['status']);
  return isSwap ? (value as unknown as Swap) : undefined;
}

/** Parses the doubts' codes in a column; undefined where the text is not what swapctl writes. */
export function readDoubts(text: string): readonly string[] | undefined {
  const value = parsed(text);
  return Array.isArray(value) && value.every(isText) ? value : undefined;
}

/** Parses recorded changes; empty where the text is not what swapctl writes. */
export function readChanges(text: string): Changes {
  const value = parsed(text);
  const isChanges =
    isObject(value) && Object.values(value).every((pair) => Array.isArray(pair) && pair.length === 2);
  return isChanges ? (value as unknown as Changes) : {};
}

/** Parses the labels in a column; undefined where the text is not what swapctl writes. */
export function readLabels(text: string | null): Labels | undefined {
  const value = text === null ? {} : parsed(text);
  return isObject(value) && Object.values(value).every(isText) ? (value as Labels) : undefined;
}

/** The labels as a column has them: null where there are none. */
export function storedLabels(labels: Labels): string | null {
  return Object.keys(labels).length === 0 ? null : JSON.stringify(labels);
}

function hasSides(value: unknown): value is Fields {
  return isObject(value) && isObject(value['deposit']) && isObject(value['receive']);
}

/** Whether a parsed column holds an object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Parses a column of JSON; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A swap's request, as it was sent. */
export interface CreateIntent extends SwapRequest, AgreedTerms {
  /** Requested amount, of the side that `lastSource` names. */
  readonly asked: Decimal;
}

/** A request with labels, which are kept beside it and sent to nobody. */
export interface LabelledIntent extends CreateIntent {
  readonly labels?: Labels;
}
