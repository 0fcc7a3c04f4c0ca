import { InterruptedError, SwapctlError } from '../errors.ts';
import { visible } from '../swap/text.ts';
import type { PromptTheme } from './prompt-theme.ts';
import type { RawStreams, Streams } from './streams.ts';
import { wrapWords } from './width.ts';

/** One thing to choose. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  /** How the answer is shown once it is chosen, where that is shorter than its name. */
  readonly short?: string;
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
  /**
   * `preview` tells, below the question, what an answer would mean; it is asked while the person types.
   * `whenEmpty` is shown as the answer once an empty one was given.
   */
  input(question: {
    message: string;
    default?: string;
    validate?: Validate;
    whenEmpty?: string;
    preview?: (answer: string) => Promise<string>;
  }): Promise<string>;
  password(question: { message: string; validate?: Validate }): Promise<string>;
  confirm(question: { message: string; default: boolean }): Promise<boolean>;
}

const PAGE_SIZE = 12;

/**
 * Questions on stderr through inquirer, which is loaded with the first of them. Every text that is shown is cleaned
 * of hidden characters here, whoever wrote it.
 */
export function createPrompter(
  raw: RawStreams,
  signal: AbortSignal,
  looks: Pick<Streams, 'noteStyle' | 'noteWidth'>,
): Prompter {
  // The mark before a question or an error takes two columns.
  const clean = (text: string) => cleanLines(text, looks.noteWidth - 2);
  const ask = <T>(
    question: (prompts: typeof import('@inquirer/prompts'), surroundings: Surroundings) => Promise<T>,
  ) => untilEndOfInput(raw, signal, looks, question);
  return {
    select: ({ message, choices, ...rest }) =>
      ask(({ select }, { theme, context }) =>
        select(
          {
            ...rest,
            message: clean(message),
            choices: choices.map(cleanChoice),
            pageSize: PAGE_SIZE,
            loop: false,
            theme,
          },
          context,
        ),
      ),
    search: ({ message, source }) =>
      ask(async ({ search }, { theme, context }) => {
        const { searchTheme } = await import('./prompt-theme.ts');
        const found = async (term?: string) => (await source(term ?? '')).map(cleanChoice);
        const question = { message: clean(message), source: found, pageSize: PAGE_SIZE };
        return search({ ...question, theme: searchTheme(theme) }, context);
      }),
    input: ({ message, validate, preview, whenEmpty, ...rest }) =>
      ask(async ({ input }, { theme, context }) => {
        const question = { ...rest, message: clean(message), theme, ...cleanValidate(validate, clean) };
        if (preview === undefined) return input({ ...question, ...answered(whenEmpty, theme) }, context);
        const { previewInput } = await import('./preview-input.ts');
        return previewInput(
          { ...question, preview: async (answer) => clean(await preview(answer)) },
          context,
        );
      }),
    password: ({ message, validate }) =>
      ask(({ password }, { theme, context }) =>
        password({ message: clean(message), mask: '*', theme, ...cleanValidate(validate, clean) }, context),
      ),
    confirm: (question) =>
      ask(({ confirm }, { theme, context }) =>
        confirm({ ...question, message: clean(question.message), theme }, context),
      ),
  };
}

interface Surroundings {
  readonly theme: PromptTheme;
  readonly context: {
    readonly input: NodeJS.ReadStream;
    readonly output: NodeJS.WriteStream;
    readonly signal: AbortSignal;
  };
}

/** A message may have lines of its own; everything else that hides is written out. */
function cleanLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapWords(visible(line), width))
    .join('\n');
}

function cleanChoice<T>(choice: Choice<T>): Choice<T> {
  const { name, value, short, description } = choice;
  return {
    value,
    name: visible(name),
    ...(short === undefined ? {} : { short: visible(short) }),
    ...(description === undefined ? {} : { description: visible(description) }),
  };
}

function cleanValidate(
  validate: Validate | undefined,
  clean: (text: string) => string,
): { validate?: Validate } {
  if (validate === undefined) return {};
  return {
    validate: async (answer) => {
      const verdict = await validate(answer);
      return verdict === true ? true : clean(verdict);
    },
  };
}

/** How an answer looks once it is given: inquirer leaves that to whoever has a word for an empty one. */
function answered(whenEmpty: string | undefined, { style }: PromptTheme) {
  if (whenEmpty === undefined) return {};
  return {
    transformer: (value: string, { isFinal }: { isFinal: boolean }) =>
      isFinal ? style.answer(value === '' ? whenEmpty : value) : value,
  };
}

/**
 * Asks, and ends the question when nothing more can come: inquirer itself waits forever after Ctrl-D or a closed
 * terminal, for readline then only pauses its input.
 */
async function untilEndOfInput<T>(
  raw: RawStreams,
  signal: AbortSignal,
  looks: Pick<Streams, 'noteStyle'>,
  question: (prompts: typeof import('@inquirer/prompts'), surroundings: Surroundings) => Promise<T>,
): Promise<T> {
  const input = raw.stdin as NodeJS.ReadStream;
  const ended = new AbortController();
  const onEnd = () => ended.abort();
  // Coming back from Ctrl-Z pauses the input too, but leaves it raw; then the question goes on.
  const onPause = () => setImmediate(() => (input.isRaw === true ? input.resume() : ended.abort()));
  input.on('pause', onPause).once('end', onEnd).once('close', onEnd);
  try {
    const { promptTheme } = await import('./prompt-theme.ts');
    const context = {
      input,
      output: raw.stderr as NodeJS.WriteStream,
      signal: AbortSignal.any([signal, ended.signal]),
    };
    const prompts = await import('@inquirer/prompts');
    return await question(prompts, { theme: promptTheme(await looks.noteStyle()), context });
  } catch (error) {
    throw interruption(error, signal);
  } finally {
    input.off('pause', onPause).off('end', onEnd).off('close', onEnd);
    // After Ctrl-Z readline believes that its input is paused already, and would leave the program waiting for it.
    input.pause();
  }
}

function interruption(error: unknown, signal: AbortSignal): unknown {
  if (signal.reason instanceof SwapctlError) return signal.reason;
  const name = error instanceof Error ? error.name : '';
  return name === 'ExitPromptError' || name === 'AbortPromptError' ? new InterruptedError('SIGINT') : error;
}
