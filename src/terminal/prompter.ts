import { InterruptedError, SwapctlError } from '../errors.ts';
import type { RawStreams } from './streams.ts';

/** One thing to choose. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  readonly description?: string;
}

/** Says what is wrong with an answer, or true. */
export type Validate = (answer: string) => true | string | Promise<true | string>;

/** The five questions that swapctl knows. All throw {@link InterruptedError} on Ctrl-C and at the end of input. */
export interface Prompter {
  select<T>(question: { message: string; choices: readonly Choice<T>[]; default?: T }): Promise<T>;
  search<T>(question: {
    message: string;
    source: (term: string) => readonly Choice<T>[] | Promise<readonly Choice<T>[]>;
  }): Promise<T>;
  input(question: { message: string; default?: string; validate?: Validate }): Promise<string>;
  password(question: { message: string; validate?: Validate }): Promise<string>;
  confirm(question: { message: string; default: boolean }): Promise<boolean>;
}

/** Questions on stderr through inquirer, which is loaded with the first of them. */
export function createPrompter(raw: RawStreams, signal: AbortSignal): Prompter {
  const context = {
    input: raw.stdin as NodeJS.ReadStream,
    output: raw.stderr as NodeJS.WriteStream,
    signal,
  };
  const ask = async <T>(
    question: (prompts: typeof import('@inquirer/prompts')) => Promise<T>,
  ): Promise<T> => {
    try {
      return await question(await import('@inquirer/prompts'));
    } catch (error) {
      throw interruption(error, signal);
    }
  };
  return {
    select: (question) =>
      ask(({ select }) =>
        select({ ...question, choices: [...question.choices], pageSize: 12, loop: false }, context),
      ),
    search: (question) =>
      ask(({ search }) =>
        search(
          {
            message: question.message,
            source: async (term) => [...(await question.source(term ?? ''))],
            pageSize: 12,
          },
          context,
        ),
      ),
    input: (question) => ask(({ input }) => input(question, context)),
    password: (question) => ask(({ password }) => password({ ...question, mask: '*' }, context)),
    confirm: (question) => ask(({ confirm }) => confirm(question, context)),
  };
}

function interruption(error: unknown, signal: AbortSignal): unknown {
  if (signal.reason instanceof SwapctlError) return signal.reason;
  const name = error instanceof Error ? error.name : '';
  return name === 'ExitPromptError' || name === 'AbortPromptError' ? new InterruptedError('SIGINT') : error;
}
