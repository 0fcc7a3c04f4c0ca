import { confirm, input as inputLine, password, search } from '@inquirer/prompts';
import { InterruptedError, SwapctlError } from '../../base/errors.ts';
import { joined, shown, type Visible, visible } from '../../base/text.ts';
import { reportKeys } from './live.ts';
import { type PromptTheme, previewInput, promptTheme, searchTheme } from './preview-input.ts';
import { type Choice, GoneBack, type Prompter, type Validate } from './questions.ts';
import type { RawStreams, Streams } from './streams.ts';
import { wrapWords } from './width.ts';

/** Maximum number of lines of a list on the screen. */
const PAGE_SIZE = 12;
/** Lines of the question, the description of a choice, and the keys, which stay on the screen with the list. */
const LINES_OUTSIDE_LIST = 6;

/** Questions on stderr through inquirer. */
export function createPrompter(
  raw: RawStreams,
  signal: AbortSignal,
  styling: Pick<Streams, 'noteStyle' | 'noteWidth'>,
): Prompter {
  // The mark before a question or an error takes two columns.
  const wrapped = (text: Visible) => joined(wrapWords(text, styling.noteWidth - 2), shown`\n`);
  // A terminal without a window reports 0 rows.
  const pageSize = () =>
    Math.max(1, Math.min(PAGE_SIZE, (raw.stderr.rows || Number.POSITIVE_INFINITY) - LINES_OUTSIDE_LIST));
  const ask = <T>(
    question: (promptContext: PromptContext) => Promise<T>,
    { fresh = false, back = false }: { fresh?: boolean | undefined; back?: boolean | undefined } = {},
  ) => untilEndOfInput({ raw, signal, styling, fresh, back }, question);
  return {
    select: ({ message, choices, back, ...rest }) =>
      ask(
        ({ theme, context }) => {
          // The filtering list, even for a few choices, so that every list works the same way.
          const source = (term = '') => choices.filter((choice) => fits(choice, term));
          const question = { ...rest, message: wrapped(message), source, pageSize: pageSize() };
          return search({ ...question, theme: searchTheme(theme) }, context);
        },
        { back },
      ),
    search: ({ message, source, back }) =>
      ask(
        ({ theme, context }) => {
          const found = async (term?: string) => await source(term ?? '');
          const question = { message: wrapped(message), source: found, pageSize: pageSize() };
          return search({ ...question, theme: searchTheme(theme) }, context);
        },
        { back },
      ),
    input: ({ message, validate, preview, whenEmpty, inPlace = () => null, fresh, back, ...rest }) =>
      ask(
        ({ theme, context }) => {
          const question = { ...rest, message: wrapped(message), theme, ...sentences(validate, wrapped) };
          if (preview === undefined)
            return inputLine({ ...question, ...shownAnswer(theme, whenEmpty, inPlace) }, context);
          const shownBelow = async (answer: string) => wrapped(await preview(answer));
          return previewInput({ ...question, inPlace, preview: shownBelow }, context);
        },
        { fresh, back },
      ),
    password: ({ message, validate }) =>
      ask(({ theme, context }) =>
        password({ message: wrapped(message), mask: '*', theme, ...sentences(validate, wrapped) }, context),
      ),
    confirm: ({ back, ...question }) =>
      ask(
        ({ theme, context }) => confirm({ ...question, message: wrapped(question.message), theme }, context),
        { fresh: true, back },
      ),
  };
}

/** Whether a choice contains every typed word, in any case. */
function fits({ name, description = visible('') }: Choice<unknown>, typed: string): boolean {
  const text = `${name} ${description}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface PromptContext {
  readonly theme: PromptTheme;
  readonly context: {
    readonly input: NodeJS.ReadStream;
    readonly output: NodeJS.WriteStream;
    readonly signal: AbortSignal;
    /** Whether the question leaves the screen as it ends. */
    readonly clearPromptOnDone: boolean;
  };
}

function sentences(
  validate: Validate | undefined,
  wrapped: (text: Visible) => Visible,
): { validate?: Validate } {
  if (validate === undefined) return {};
  return {
    validate: async (answer) => {
      const verdict = await validate(answer);
      return verdict === true ? true : wrapped(visible(verdict));
    },
  };
}

/** Display of an answer: hidden characters of pasted text are written out, and an empty answer shows `whenEmpty`, and any `inPlace`. */
function shownAnswer({ style }: PromptTheme, whenEmpty: Visible | undefined, inPlace: () => Visible | null) {
  return {
    transformer: (value: string, { isFinal }: { isFinal: boolean }) =>
      isFinal ? style.answer(inPlace() ?? (value === '' ? (whenEmpty ?? '') : value)) : visible(value),
  };
}

interface Asking {
  readonly raw: RawStreams;
  readonly signal: AbortSignal;
  readonly styling: Pick<Streams, 'noteStyle'>;
  readonly fresh: boolean;
  readonly back: boolean;
}

/**
 * Asks a question and ends it at the end of input: @inquirer/prompts 8 itself waits forever after Ctrl-D or a closed
 * terminal, where readline only pauses its input.
 */
async function untilEndOfInput<T>(
  { raw, signal, styling, fresh, back }: Asking,
  question: (promptContext: PromptContext) => Promise<T>,
): Promise<T> {
  const input = raw.stdin as NodeJS.ReadStream;
  const theme = promptTheme(await styling.noteStyle());
  // As late as possible: later input was typed with the question on screen.
  if (fresh) await drain(input, signal);
  const ended = new AbortController();
  const onEnd = () => ended.abort();
  const left = new AbortController();
  const onKey = (_text: string, { name }: { name?: string }) => {
    if (back && name === 'escape') left.abort();
  };
  // Resuming after Ctrl-Z pauses the input too, but leaves it raw; then the question continues.
  const onPause = () => setImmediate(() => (input.isRaw === true ? input.resume() : ended.abort()));
  reportKeys(input);
  input.on('pause', onPause).once('end', onEnd).once('close', onEnd).on('keypress', onKey);
  try {
    const context = {
      input,
      output: raw.stderr as NodeJS.WriteStream,
      signal: AbortSignal.any([signal, ended.signal, left.signal]),
      // The question before it is asked again in its place.
      get clearPromptOnDone() {
        return left.signal.aborted;
      },
    };
    return await question({ theme, context });
  } catch (error) {
    throw left.signal.aborted ? new GoneBack() : interruption(error, signal);
  } finally {
    input.off('pause', onPause).off('end', onEnd).off('close', onEnd).off('keypress', onKey);
    // After Ctrl-Z readline believes its input is already paused, and the program would keep waiting for it.
    input.pause();
  }
}

function interruption(error: unknown, signal: AbortSignal): unknown {
  if (signal.reason instanceof SwapctlError) return signal.reason;
  const name = error instanceof Error ? error.name : '';
  return name === 'ExitPromptError' || name === 'AbortPromptError' ? new InterruptedError('SIGINT') : error;
}

/** Silence after which the terminal counts as drained, in milliseconds; shorter than any keystroke takes. */
const QUIET_MS = 60;
const CTRL_C = 0x03;

/**
 * Discards what was typed before now, so that it does not answer a question that was not on the screen yet. Throws
 * {@link InterruptedError} for a Ctrl-C in it and for the end of input.
 */
async function drain(input: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  // Without raw mode a terminal keeps a line to itself until the Enter key, and it would answer the next question.
  input.setRawMode?.(true);
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer | string) => {
      if (Buffer.from(chunk).includes(CTRL_C)) settle(() => reject(new InterruptedError('SIGINT')));
      else timer.refresh();
    };
    const onEnd = () => settle(() => reject(new InterruptedError('SIGINT')));
    const onAbort = () => settle(resolve);
    const timer = setTimeout(onAbort, QUIET_MS);
    const settle = (how: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      input.off('data', onData).off('end', onEnd).off('close', onEnd).pause();
      how();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    input.on('data', onData).once('end', onEnd).once('close', onEnd).resume();
  });
}
