import { shown } from '../../../base/text.ts';
import { secretInText } from '../../../core/swap/agreement/spelling.ts';
import type { Context } from '../../context.ts';
import type { Prompter, Validate } from '../../terminal/questions.ts';
import { withoutBlanks } from './questions.ts';

type CheckedLine = Parameters<Prompter['input']>[0] & { readonly validate: Validate };

/** Stands in a question's line for a key or a seed phrase that was typed as its answer. */
export const HIDDEN = shown`(hidden)`;

/** Asks for a line. A key or a seed phrase leaves the screen when it is refused, and the question is asked again. */
export async function askLine(
  { prompter, streams }: Pick<Context, 'prompter' | 'streams'>,
  { validate, ...question }: CheckedLine,
): Promise<string> {
  for (;;) {
    let refused: string | null = null;
    const answer = await prompter.input({
      ...question,
      inPlace: () => (refused === null ? null : HIDDEN),
      validate: async (text) => {
        const verdict = await validate(text);
        if (verdict === true || (await secretInText(text)) === undefined) return verdict;
        refused = verdict;
        return true;
      },
    });
    if (refused === null) return answer;
    streams.note(`  ${refused}`, true);
  }
}

/** Asks for a line, and checks and returns it without surrounding spaces; notes that they were removed. */
export async function askTrimmed(context: Context, what: string, question: CheckedLine): Promise<string> {
  const { validate, preview, ...rest } = question;
  const answer = await askLine(context, {
    ...rest,
    validate: (text) => validate(text.trim()),
    ...(preview === undefined ? {} : { preview: (text: string) => preview(text.trim()) }),
  });
  return withoutBlanks(context, what, answer);
}
