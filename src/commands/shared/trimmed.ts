import type { Context } from '../../context.ts';
import type { Prompter } from '../../terminal/questions.ts';

/** A text without blanks and a byte order mark at its ends: pasted text brings them along unseen. The person is told. */
export function withoutBlanks(context: Pick<Context, 'streams'>, what: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed !== text && trimmed !== '') context.streams.note(`Removed spaces around the ${what}.`, true);
  return trimmed;
}

/** Asks for a line whose ends do not count: it is checked and returned without blanks, which is said. */
export async function askTrimmed(
  context: Context,
  what: string,
  question: Parameters<Prompter['input']>[0],
): Promise<string> {
  const { validate, preview, ...rest } = question;
  const answer = await context.prompter.input({
    ...rest,
    ...(validate === undefined ? {} : { validate: (text: string) => validate(text.trim()) }),
    ...(preview === undefined ? {} : { preview: (text: string) => preview(text.trim()) }),
  });
  return withoutBlanks(context, what, answer);
}
