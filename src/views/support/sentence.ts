/** A sentence of our own with values in it, which may come from outside and are marked as such wherever it is shown. */
export interface Sentence {
  /** One more than there are values. */
  readonly own: readonly string[];
  readonly values: readonly string[];
}

/** A sentence as a template; a value that is not known is a blank to fill in. */
export function said(own: TemplateStringsArray, ...values: readonly (string | number | null)[]): Sentence {
  return { own, values: values.map((value) => (value === null ? '____' : String(value))) };
}

/** A sentence with its values as `mark` shows them. */
export function sentenceText({ own, values }: Sentence, mark = (value: string): string => value): string {
  return own
    .map((words, index) => (index === 0 ? words : `${mark(values[index - 1] ?? '')}${words}`))
    .join('');
}
