import { UsageError } from '../../../base/errors.ts';
import { checkLabel, type Labels } from '../../../core/swap/labels.ts';

/** Collects the values of an option that may be given several times. */
export function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Reads `--label` as collected, `key=value` each. A refused value is not repeated, because it may be a secret. */
export function labelsArgument(texts: unknown): Labels {
  const labels = new Map<string, string>();
  for (const text of Array.isArray(texts) ? texts.map(String) : []) {
    const verdict = checkLabel(text);
    if (!verdict.ok)
      throw new UsageError(
        `Invalid label: ${verdict.reason}.`,
        'Use the form key=value, such as --label team=ops.',
      );
    if (labels.has(verdict.key)) throw new UsageError(`The label ${verdict.key} is set twice.`);
    labels.set(verdict.key, verdict.value);
  }
  return Object.fromEntries(labels);
}
